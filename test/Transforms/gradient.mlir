// RUN: %kopt %s --gradient=functions=f | FileCheck %s
// RUN: not %kopt %s --gradient=functions=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: there is no function 'missing' to differentiate

// The results, then a gradient for each argument: that of an integer is zero.
// CHECK-LABEL: func.func @f.gradient(
// CHECK-SAME: %[[X:.*]]: f64, %[[N:.*]]: i64, %[[A:.*]]: tensor<?xf64>) -> (tensor<?xf64>, f64, i64, tensor<?xf64>)
// CHECK: %[[Y:.*]] = call @f(%[[X]], %[[N]], %[[A]])
// CHECK: %[[ONES:.*]] = tensor.splat
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[G:.*]]:2 = call @f.rev(%[[X]], %[[N]], %[[A]], %[[ONES]], %[[ZEROS]])
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: return %[[Y]], %[[G]]#0, %[[ZERO]], %[[G]]#1
func.func @f(%x: f64, %n: i64, %a: tensor<?xf64>) -> tensor<?xf64> {
  %0 = math.exp %a : tensor<?xf64>
  return %0 : tensor<?xf64>
}
