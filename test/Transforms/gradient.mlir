// RUN: %kopt %s --gradient=functions=f | FileCheck %s
// RUN: not %kopt %s --gradient=functions=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: there is no function 'missing' to differentiate

// The results, then a gradient for each argument: that of an integer is zero.
// CHECK-LABEL: func.func @f.gradient(
// CHECK-SAME: %[[X:.*]]: f64, %[[N:.*]]: i64, %[[A:.*]]: tensor<?xf64>) -> (tensor<?xf64>, f64, i64, tensor<?xf64>)
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[G:.*]]:3 = call @f.rev(%[[X]], %[[N]], %[[A]], %[[ZEROS]])
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: return %[[G]]#0, %[[G]]#1, %[[ZERO]], %[[G]]#2

// The derivative computes the value once, and the cotangent of the result, ones, from it.
// CHECK-LABEL: func.func private @f.rev(
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: tensor.splat
// CHECK-NOT: math.exp
// CHECK: return
func.func @f(%x: f64, %n: i64, %a: tensor<?xf64>) -> tensor<?xf64> {
  %0 = math.exp %a : tensor<?xf64>
  return %0 : tensor<?xf64>
}
