// RUN: %kopt %s --differentiate --inline --symbol-dce --canonicalize --cse | FileCheck %s

// The cotangent of the padding is the sum over the padding, in which the elements of the source are zeros.
// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %{{[^:]*}}: f64, %[[D:[^:]*]]: tensor<?xf64>)
// CHECK: %[[ZEROS:.*]] = tensor.splat %{{.*}}[%[[N:.*]]]
// CHECK: tensor.extract_slice %[[D]][1] [%[[N]]] [1]
// CHECK: %[[OUTSIDE:.*]] = tensor.insert_slice %[[ZEROS]] into %[[D]][1] [%[[N]]] [1]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[OUTSIDE]] : tensor<?xf64>)
// CHECK: return
func.func @reverse(%x: tensor<?xf64>, %p: f64, %d: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %0:2 = diff.rev @f(%x, %p)(%d) : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %0#0, %0#1 : tensor<?xf64>, f64
}

// The tangent is padded with the tangent of the padding.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %{{[^:]*}}: tensor<?xf64>, %{{[^:]*}}: f64, %[[DX:[^:]*]]: tensor<?xf64>, %[[DP:[^:]*]]: f64)
// CHECK: %[[PADDING:.*]] = linalg.generic
// CHECK: linalg.yield %[[DP]] : f64
// CHECK: tensor.insert_slice %[[DX]] into %[[PADDING]][1]
// CHECK-NEXT: return
func.func @forward(%x: tensor<?xf64>, %p: f64, %dx: tensor<?xf64>, %dp: f64) -> tensor<?xf64> {
  %0 = diff.fwd @f(%x, %p)(%dx, %dp) : (tensor<?xf64>, f64, tensor<?xf64>, f64) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @f(%x: tensor<?xf64>, %p: f64) -> tensor<?xf64> {
  %y = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %p : f64
  } : tensor<?xf64> to tensor<?xf64>
  return %y : tensor<?xf64>
}
