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

// The derivative of a reciprocal uses its result, and divides no more.
// CHECK-LABEL: func.func private @reciprocal.rev(
// CHECK-SAME: %[[X:.*]]: f64, %[[DY:.*]]: f64) -> f64
// CHECK: %[[Y:.*]] = arith.divf %{{.*}}, %[[X]]
// CHECK-NOT: arith.divf
// CHECK: return
func.func @reciprocal(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = arith.divf %one, %x : f64
  return %0 : f64
}
func.func @request_reciprocal(%x: f64, %dy: f64) -> f64 {
  %dx = diff.rev @reciprocal(%x)(%dy) : (f64, f64) -> f64
  return %dx : f64
}

// The branch that is not taken contributes zero, even if its derivative is infinite.
// CHECK-LABEL: func.func private @selected_product.rev(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[C:.*]]: i1, %[[DZ:.*]]: f64) -> f64
// CHECK: %[[P:.*]] = arith.mulf %[[DZ]], %[[Y]]
// CHECK: %[[DX:.*]] = arith.select %[[C]], %[[P]], %{{.*}} : f64
// CHECK: return %[[DX]]
func.func @selected_product(%x: f64, %y: f64, %c: i1) -> f64 {
  %zero = arith.constant 0.0 : f64
  %0 = arith.mulf %x, %y : f64
  %1 = arith.select %c, %0, %zero : f64
  return %1 : f64
}
func.func @request_selected_product(%x: f64, %y: f64, %c: i1, %dz: f64) -> f64 {
  %dx = diff.rev @selected_product(%x, %y, %c)(%dz) {wrt = [0]} : (f64, f64, i1, f64) -> f64
  return %dx : f64
}

// The cotangent of a tensor of which only a part is used is zero around that of the part: nothing is added to zeros.
// CHECK-LABEL: func.func private @part.rev(
// CHECK: %[[Z:.*]] = tensor.splat
// CHECK-NOT: arith.addf
// CHECK: tensor.insert_slice %arg1 into %[[Z]][2] [4] [1]
// CHECK: return
func.func @part(%x: tensor<?xf64>) -> tensor<4xf64> {
  %0 = math.exp %x : tensor<?xf64>
  %1 = tensor.extract_slice %0[2] [4] [1] : tensor<?xf64> to tensor<4xf64>
  return %1 : tensor<4xf64>
}
func.func @request_part(%x: tensor<?xf64>, %dy: tensor<4xf64>) -> tensor<?xf64> {
  %dx = diff.rev @part(%x)(%dy) : (tensor<?xf64>, tensor<4xf64>) -> tensor<?xf64>
  return %dx : tensor<?xf64>
}
