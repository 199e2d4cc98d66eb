// RUN: %kopt %s --relay-dynamic-to-static | FileCheck %s

// CHECK-LABEL: relay.func @reshape
// CHECK: reshape %arg0 {newshape = array<i64: 3, 2>}
relay.func @reshape(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %shape = relay.constant dense<[3, 2]> : tensor<2xi64>
  %0 = relay.dyn.reshape %x, %shape {newshape = array<i64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  relay.return %0 : tensor<?x?xf32>
}
