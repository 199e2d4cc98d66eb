// RUN: %kopt %s --relay-simplify-inference | FileCheck %s --check-prefix=INFERENCE
// RUN: %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets={relay-simplify-inference,relay-fold-scale-axis}})" | FileCheck %s --check-prefix=SCALE
// RUN: %kopt %s --relay-combine-parallel-dense | FileCheck %s --check-prefix=COMBINE
// RUN: %kopt %s --relay-combine-parallel-batch-matmul | FileCheck %s --check-prefix=COMBINE
// RUN: %kopt %s --relay-convert-layout | FileCheck %s --check-prefix=LAYOUT
// RUN: %kopt %s --relay-simplify-expr | FileCheck %s --check-prefix=EXPR
// RUN: %kopt %s --relay-fast-math | FileCheck %s --check-prefix=FAST
// RUN: %kopt %s --relay-dynamic-to-static | FileCheck %s --check-prefix=STATIC
// RUN: not %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets=relay-fold-scale})" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: there is no set of patterns 'relay-fold-scale'

// Known statistics become a scale and an offset, and no square root is left; then the scale becomes part of the weights.
// INFERENCE-LABEL: relay.func @norm
// INFERENCE-NOT: sqrt
// INFERENCE: relay.nn.conv2d
// INFERENCE: multiply
// INFERENCE: add
// SCALE-LABEL: relay.func @norm
// SCALE-DAG: constant dense<{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}> : tensor<2x1x1x1xf32>
// SCALE-DAG: constant dense<{{.*}}-1.500000e+00{{.*}}-5.500000e+00{{.*}}> : tensor<2x1x1xf32>
// SCALE-NOT: multiply
// SCALE: relay.nn.conv2d
// SCALE-NOT: multiply
// SCALE: add
// SCALE: return
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

// So are three products of batches, of which the weights are arguments; the rows of the weights are the columns of the result.
// COMBINE-LABEL: relay.func @batches
// COMBINE: concatenate {{.*}}axis = 1{{.*}} -> tensor<2x7x4xf32>
// COMBINE: relay.nn.batch_matmul {{.*}} -> tensor<2x3x7xf32>
// COMBINE-NOT: relay.nn.batch_matmul
// COMBINE: split {{.*}}axis = 2
// COMBINE: return
relay.func @batches(%x: tensor<2x3x4xf32>, %a: tensor<2x2x4xf32>, %b: tensor<2x2x4xf32>, %c: tensor<2x3x4xf32>) -> tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>> {
  %q = relay.nn.batch_matmul %x, %a {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x2x4xf32>) -> tensor<2x3x2xf32>
  %k = relay.nn.batch_matmul %x, %b {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x2x4xf32>) -> tensor<2x3x2xf32>
  %v = relay.nn.batch_matmul %x, %c {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
  %r = relay.tuple(%q, %k, %v) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>) -> tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>>
  relay.return %r : tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>>
}

// Three products of the same data are one.
// COMBINE-LABEL: relay.func @heads
// COMBINE: relay.nn.dense {{.*}} -> tensor<2x6xf32>
// COMBINE-NOT: relay.nn.dense
// COMBINE: split
// COMBINE: return
relay.func @heads(%x: tensor<2x3xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>> {
  %a = relay.constant dense<1.0> : tensor<2x3xf32>
  %b = relay.constant dense<2.0> : tensor<2x3xf32>
  %c = relay.constant dense<3.0> : tensor<2x3xf32>
  %q = relay.nn.dense %x, %a {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %k = relay.nn.dense %x, %b {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %v = relay.nn.dense %x, %c {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %t = relay.tuple(%q, %k, %v) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>>
  relay.return %t : tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>>
}

// The image is transformed once before both convolutions, and back once.
// LAYOUT-LABEL: relay.func @two
// LAYOUT: layout_transform {{.*}} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// LAYOUT-NOT: layout_transform
// LAYOUT: relay.nn.conv2d {{.*}}data_layout = "NHWC"{{.*}}kernel_layout = "HWIO"{{.*}} (tensor<1x8x8x3xf32>, tensor<1x1x3x16xf32>) -> tensor<1x8x8x16xf32>
// LAYOUT: relay.nn.relu {{.*}} -> tensor<1x8x8x16xf32>
// LAYOUT: relay.nn.max_pool2d {{.*}} -> tensor<1x4x4x16xf32>
// LAYOUT: relay.nn.conv2d
// LAYOUT: layout_transform {{.*}} -> tensor<1x16x4x4xf32>
// LAYOUT-NEXT: return
relay.func @two(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %a = relay.constant dense<1.0> : tensor<16x3x1x1xf32>
  %b = relay.constant dense<1.0> : tensor<16x16x1x1xf32>
  %0 = relay.nn.conv2d %x, %a {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.relu %0 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %2 = relay.nn.max_pool2d %1 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  %3 = relay.nn.conv2d %2, %b {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  relay.return %3 : tensor<1x16x4x4xf32>
}

// Two transposes are one, which is none here; `x * 1` and `x - 0` are `x`.
// EXPR-LABEL: relay.func @chain
// EXPR-NEXT: %[[E:.*]] = exp %arg0
// EXPR-NEXT: return %[[E]]
// FAST-LABEL: relay.func @chain
// FAST: fast_exp
relay.func @chain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = relay.multiply %0, %one : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %2 = relay.transpose %1 {axes = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = relay.subtract %2, %zero : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = relay.exp %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  relay.return %4 : tensor<2x3xf32>
}

// STATIC-LABEL: relay.func @reshape
// STATIC: reshape %arg0 {newshape = array<i64: 3, 2>}
relay.func @reshape(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %shape = relay.constant dense<[3, 2]> : tensor<2xi64>
  %0 = relay.dyn.reshape %x, %shape {newshape = array<i64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  relay.return %0 : tensor<?x?xf32>
}
