// RUN: %kopt %s --apply-patterns=sets=relay-winograd | FileCheck %s
// RUN: %kopt %s --apply-patterns=fast | FileCheck %s
// RUN: %kopt %s --apply-patterns | FileCheck %s --check-prefix=PRECISE
// PRECISE-NOT: winograd

// Constant weights are transformed.
// CHECK-LABEL: relay.func @constant
// CHECK-NOT: weight_transform
// CHECK: %[[W:.*]] = {{.*}}constant dense<{{.*}}> : tensor<6x6x16x16xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform %arg0, %[[W]] {
// CHECK-SAME: data_layout = "NHWC"
// CHECK-SAME: tile_size = 4
relay.func @constant(%x: tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32> {
  %w = relay.constant dense<0.5> : tensor<3x3x16x16xf32>
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, channels = 16 : i64, kernel_size = array<i64: 3, 3>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x12x12x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x12x12x16xf32>
  relay.return %0 : tensor<1x12x12x16xf32>
}

// A small image has small tiles.
// CHECK-LABEL: relay.func @small
// CHECK: %[[W:.*]] = {{.*}}constant dense<{{.*}}> : tensor<4x4x16x16xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform %arg0, %[[W]] {
// CHECK-SAME: tile_size = 2
relay.func @small(%x: tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32> {
  %w = relay.constant dense<0.5> : tensor<3x3x16x16xf32>
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, channels = 16 : i64, kernel_size = array<i64: 3, 3>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x7x7x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x7x7x16xf32>
  relay.return %0 : tensor<1x7x7x16xf32>
}

// CHECK-LABEL: relay.func @argument
// CHECK: %[[W:.*]] = relay.nn.contrib_conv2d_winograd_weight_transform %arg1
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform %arg0, %[[W]]
relay.func @argument(%x: tensor<1x16x32x32xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x30x30xf32> {
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (tensor<1x16x32x32xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x30x30xf32>
  relay.return %0 : tensor<1x16x30x30xf32>
}

// With strides, few channels, or few tiles for weights that are transformed at each call, convolutions are direct.
// CHECK-LABEL: relay.func @strided
// CHECK-NOT: winograd
// CHECK: return
relay.func @strided(%x: tensor<1x16x64x64xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x31x31xf32> {
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x16x64x64xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x31x31xf32>
  relay.return %0 : tensor<1x16x31x31xf32>
}

// CHECK-LABEL: relay.func @narrow
// CHECK-NOT: winograd
// CHECK: return
relay.func @narrow(%x: tensor<1x3x64x64xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x62x62xf32> {
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (tensor<1x3x64x64xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x62x62xf32>
  relay.return %0 : tensor<1x16x62x62xf32>
}

// CHECK-LABEL: relay.func @few_tiles
// CHECK-NOT: winograd
// CHECK: return
relay.func @few_tiles(%x: tensor<1x16x14x14xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32> {
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (tensor<1x16x14x14xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32>
  relay.return %0 : tensor<1x16x12x12xf32>
}
