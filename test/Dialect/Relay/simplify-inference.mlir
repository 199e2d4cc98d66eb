// RUN: %kopt %s --relay-simplify-inference | FileCheck %s

// Known statistics become a scale and an offset, and no square root is left.
// CHECK-LABEL: relay.func @norm
// CHECK-NOT: sqrt
// CHECK: relay.nn.conv2d
// CHECK: multiply
// CHECK: add
relay.func @norm(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = relay.constant dense<[[[[2.0]]], [[[1.5]]]]> : tensor<2x1x1x1xf32>
  %gamma = relay.constant dense<[2.0, 8.0]> : tensor<2xf32>
  %beta = relay.constant dense<[-0.5, 0.5]> : tensor<2xf32>
  %mean = relay.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %var = relay.constant dense<[3.0, 15.0]> : tensor<2xf32>
  %y = relay.nn.conv2d %x, %w {channels = 2 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %n = relay.nn.batch_norm %y, %gamma, %beta, %mean, %var {epsilon = 1.0 : f64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tuple<tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>>
  %r = relay.get %n[0] : tuple<tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>>
  relay.return %r : tensor<1x2x4x4xf32>
}

// Statistics that are arguments are combined once for each channel.
// CHECK-LABEL: relay.func @arguments
// CHECK: sqrt {{.*}} -> tensor<2xf32>
// CHECK-NOT: batch_norm
// CHECK: multiply {{.*}} -> tensor<1x2x4x4xf32>
// CHECK: add {{.*}} -> tensor<1x2x4x4xf32>
relay.func @arguments(%x: tensor<1x2x4x4xf32>, %gamma: tensor<2xf32>, %beta: tensor<2xf32>, %mean: tensor<2xf32>, %var: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %n = relay.nn.batch_norm %x, %gamma, %beta, %mean, %var {epsilon = 1.0 : f64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tuple<tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>>
  %r = relay.get %n[0] : tuple<tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>>
  relay.return %r : tensor<1x2x4x4xf32>
}
