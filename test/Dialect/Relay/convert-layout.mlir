// RUN: %kopt %s --relay-convert-layout | FileCheck %s

// The image is transformed once before both convolutions, and back once.
// CHECK-LABEL: relay.func @two
// CHECK: layout_transform {{.*}} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// CHECK-NOT: layout_transform
// CHECK: relay.nn.conv2d {{.*}}data_layout = "NHWC"{{.*}}kernel_layout = "HWIO"{{.*}} (tensor<1x8x8x3xf32>, tensor<1x1x3x16xf32>) -> tensor<1x8x8x16xf32>
// CHECK: relay.nn.relu {{.*}} -> tensor<1x8x8x16xf32>
// CHECK: relay.nn.max_pool2d {{.*}} -> tensor<1x4x4x16xf32>
// CHECK: relay.nn.conv2d
// CHECK: layout_transform {{.*}} -> tensor<1x16x4x4xf32>
// CHECK-NEXT: return
relay.func @two(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %a = relay.constant dense<1.0> : tensor<16x3x1x1xf32>
  %b = relay.constant dense<1.0> : tensor<16x16x1x1xf32>
  %0 = relay.nn.conv2d %x, %a {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.relu %0 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %2 = relay.nn.max_pool2d %1 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  %3 = relay.nn.conv2d %2, %b {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  relay.return %3 : tensor<1x16x4x4xf32>
}

// Weights that are arguments keep their layout. A transformation sinks through the addition of a bias.
// CHECK-LABEL: relay.func @arguments
// CHECK: layout_transform {{.*}} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// CHECK-NOT: layout_transform
// CHECK: relay.nn.conv2d {{.*}}data_layout = "NHWC"{{.*}} (tensor<1x8x8x3xf32>, tensor<16x3x1x1xf32>) -> tensor<1x8x8x16xf32>
// CHECK: relay.nn.bias_add {{.*}} -> tensor<1x8x8x16xf32>
// CHECK: relay.nn.conv2d
// CHECK: layout_transform {{.*}} -> tensor<1x16x8x8xf32>
// CHECK-NEXT: return
relay.func @arguments(%x: tensor<1x3x8x8xf32>, %a: tensor<16x3x1x1xf32>, %bias: tensor<16xf32>, %b: tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %0 = relay.nn.conv2d %x, %a {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.bias_add %0, %bias : (tensor<1x16x8x8xf32>, tensor<16xf32>) -> tensor<1x16x8x8xf32>
  %2 = relay.nn.conv2d %1, %b {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  relay.return %2 : tensor<1x16x8x8xf32>
}

// A single convolution by weights that are arguments keeps its layout.
// CHECK-LABEL: relay.func @single
// CHECK-NOT: layout_transform
// CHECK: return
relay.func @single(%x: tensor<1x3x8x8xf32>, %a: tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %0 = relay.nn.conv2d %x, %a {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  relay.return %0 : tensor<1x16x8x8xf32>
}

// A transposed convolution by constant weights.
// CHECK-LABEL: relay.func @transposed
// CHECK: layout_transform {{.*}} : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
// CHECK-NOT: layout_transform
// CHECK: relay.nn.conv2d_transpose {{.*}}data_layout = "NHWC"{{.*}}kernel_layout = "HWIO"{{.*}} (tensor<1x4x4x8xf32>, tensor<2x3x8x16xf32>) -> tensor<1x8x8x16xf32>
// CHECK: relay.nn.relu {{.*}} -> tensor<1x8x8x16xf32>
// CHECK: layout_transform {{.*}} -> tensor<1x16x8x8xf32>
// CHECK-NEXT: return
relay.func @transposed(%x: tensor<1x8x4x4xf32>) -> tensor<1x16x8x8xf32> {
  %a = relay.constant dense<1.0> : tensor<8x16x2x3xf32>
  %0 = relay.nn.conv2d_transpose %x, %a {channels = 16 : i64, kernel_size = array<i64: 2, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 0>} : (tensor<1x8x4x4xf32>, tensor<8x16x2x3xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.relu %0 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  relay.return %1 : tensor<1x16x8x8xf32>
}
