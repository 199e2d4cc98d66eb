// RUN: %kopt %s --prepare-derivatives | FileCheck %s

// CHECK: diff.rule @own "rev" by @own.rev

// The callee is inlined, the loop becomes a reduction, and a function with a derivative of its own remains a call.
// CHECK-LABEL: func.func @f(
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: call @own
// CHECK: return
func.func private @own(%x: f64) -> f64 {
  return %x : f64
}
func.func private @own.rev(%x: f64, %dy: f64) -> f64 {
  return %dy : f64
}
diff.rule @own "rev" by @own.rev
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @f(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %d = tensor.dim %x, %c0 : tensor<?xf64>
  %sum = scf.for %j = %c0 to %d step %c1 iter_args(%s = %zero) -> (f64) {
    %v = tensor.extract %x[%j] : tensor<?xf64>
    %w = func.call @square(%v) : (f64) -> f64
    %t = arith.addf %s, %w : f64
    scf.yield %t : f64
  }
  %y = func.call @own(%sum) : (f64) -> f64
  return %y : f64
}
// CHECK-LABEL: func.func @g(
// CHECK: diff.rev @f
func.func @g(%x: tensor<?xf64>, %dy: f64) -> tensor<?xf64> {
  %dx = diff.rev @f(%x)(%dy) : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %dx : tensor<?xf64>
}
