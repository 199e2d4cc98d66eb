// RUN: not %kopt --pass-pipeline='builtin.module(lower)' %s 2>&1 | FileCheck %s

relay.func @types(%y: tensor<2xi32>, %z: tensor<1x8xi32>) -> tensor<2xi32> {
  // CHECK: error: no lowering yet for this exp: it is not defined for elements of type int32
  %0 = relay.exp %y : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: error: no lowering yet for this nn.l2_normalize: it is not defined for elements of type int32
  %1 = relay.nn.l2_normalize %z {eps = 1.0, axis = array<i64: 1>} : (tensor<1x8xi32>) -> tensor<1x8xi32>
  relay.return %0 : tensor<2xi32>
}
