// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// The pullback of an operation is the transpose of its tangent. A primal value that is not needed is not computed.
// An argument that is left out has no code. Derivatives stand behind their function, the last one first.
// CHECK-LABEL: func.func private @product.rev_0(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[DP:.*]]: f64) -> f64
// CHECK-NEXT: %[[DX:.*]] = arith.mulf %[[DP]], %[[Y]]
// CHECK-NEXT: return %[[DX]]
// CHECK-LABEL: func.func private @product.rev(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[DP:.*]]: f64) -> (f64, f64)
// CHECK-NEXT: %[[DY:.*]] = arith.mulf %[[DP]], %[[X]]
// CHECK-NEXT: %[[DX:.*]] = arith.mulf %[[DP]], %[[Y]]
// CHECK-NEXT: return %[[DX]], %[[DY]]
// CHECK-LABEL: func.func private @product.fwd(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[DX:.*]]: f64, %[[DY:.*]]: f64) -> (f64, f64)
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[A:.*]] = arith.mulf %[[DX]], %[[Y]]
// CHECK: %[[B:.*]] = arith.mulf %[[DY]], %[[X]]
// CHECK: %[[DP:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: return %[[P]], %[[DP]]
func.func @product(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %x, %y : f64
  return %0 : f64
}

// A request is a call.
// CHECK-LABEL: func.func @requests
// CHECK: call @product.fwd
// CHECK: call @product.rev
func.func @requests(%x: f64, %y: f64) -> (f64, f64, f64) {
  %0 = diff.fwd @product(%x, %y)(%x, %y) : (f64, f64, f64, f64) -> f64
  %1:2 = diff.rev @product(%x, %y)(%x) : (f64, f64, f64) -> (f64, f64)
  return %0, %1#0, %1#1 : f64, f64, f64
}

// The exponential is not computed again.
// CHECK-LABEL: func.func private @exponential.rev
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[D:.*]] = arith.mulf %{{.*}}, %[[E]]
// CHECK-NEXT: return %[[D]]
func.func @exponential(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

func.func @some(%x: f64, %y: f64) -> (f64, f64) {
  %0 = diff.rev @product(%x, %y)(%x) {wrt = [0]} : (f64, f64, f64) -> f64
  %1 = diff.rev @exponential(%x)(%x) : (f64, f64) -> f64
  return %0, %1 : f64, f64
}
