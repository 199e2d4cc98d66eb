// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// Both derivatives read the result: the exponentials are not computed again, the maximum has no derivative, and no operation is a loop.
// CHECK-LABEL: func.func private @softmax.rev(
// CHECK-SAME: %{{[^:]*}}: tensor<?x8xf32>, %{{[^:]*}}: tensor<?x8xf32>, %[[SEED:[^:]*]]: tensor<?x8xf32>, %[[SO_FAR:[^:]*]]: tensor<?x8xf32>
// CHECK: %[[Y:.*]] = linalg.softmax
// CHECK-NOT: scf.for
// CHECK-NOT: math.exp
// CHECK: %[[DIRECT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[Y]], %[[SEED]] {{.*}} outs(%[[SO_FAR]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[Y]], %[[SEED]]
// CHECK: arith.negf
// CHECK: %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[SUM]] {{.*}} outs(%[[DIRECT]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[ALL]],
// CHECK-LABEL: func.func private @softmax.fwd(
// CHECK-SAME: %{{[^:]*}}: tensor<?x8xf32>, %{{[^:]*}}: tensor<?x8xf32>, %[[D:[^:]*]]: tensor<?x8xf32>
// CHECK: %[[Y:.*]] = linalg.softmax
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[Y]], %[[D]]
// CHECK: %[[DY:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[D]], %[[SUM]]
// CHECK: return %[[Y]], %[[DY]]
func.func @softmax(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x8xf32>) outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @requests(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = diff.fwd @softmax(%x, %y)(%x, %y) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %1:2 = diff.rev @softmax(%x, %y)(%x) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  return %0, %1#0 : tensor<?x8xf32>, tensor<?x8xf32>
}
