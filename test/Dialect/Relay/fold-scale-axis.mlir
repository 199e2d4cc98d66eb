// RUN: %kopt %s --relay-simplify-inference --relay-fold-scale-axis | FileCheck %s
// RUN: %kopt %s --pass-pipeline='builtin.module(SimplifyInference,FoldScaleAxis)' | FileCheck %s

// The scale of the normalization becomes part of the weights.
// CHECK-LABEL: relay.func @norm
// CHECK-DAG: constant dense<{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}> : tensor<2x1x1x1xf32>
// CHECK-DAG: constant dense<{{.*}}-1.500000e+00{{.*}}-5.500000e+00{{.*}}> : tensor<2x1x1xf32>
// CHECK-NOT: multiply
// CHECK: relay.nn.conv2d
// CHECK-NOT: multiply
// CHECK: add
// CHECK: return
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
