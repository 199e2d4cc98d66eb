// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" | FileCheck %s --check-prefix=LOOPS
// Sums of products have lanes along the axis that is reduced if the last axis of the result has few elements and both factors are
// consecutive along the reduced one.

// The gradient of a convolution with respect to its weights: no lane is along the 3 columns of the window.
// CHECK-LABEL: func.func @weights
// CHECK: schedule.kernel
// CHECK-SAME: plan <par i/8 { for j { for k { for l/3 { for m { for n { for o/16 { sum[i:8u, l:3u, o:16v] } } } } } } }>
// LOOPS-LABEL: func.func @weights
// LOOPS-COUNT-24: vector.reduction <add>
#window = affine_map<(a, b, c, d, m, y, x) -> (a, b, c, d)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @weights(%x: tensor<8x16x30x30xf32>, %g: tensor<8x32x28x28xf32>) -> tensor<32x16x3x3xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<32x16x3x3xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x16x3x3xf32>) -> tensor<32x16x3x3xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d, m, y, x) -> (m, b, y + c, x + d)>, affine_map<(a, b, c, d, m, y, x) -> (m, a, y, x)>, #window],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%x, %g : tensor<8x16x30x30xf32>, tensor<8x32x28x28xf32>) outs(%filled : tensor<32x16x3x3xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %product = arith.mulf %in, %other : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<32x16x3x3xf32>
    return %sums : tensor<32x16x3x3xf32>
  }

  // Windows of one element: the last axes of the result have one element each.
  // CHECK-LABEL: func.func @pointwise
  // CHECK: plan <par j/4 { for i/4 { for m { for n/16 { sum[j:4u, i:4u, n:16v] } } } }>
  func.func @pointwise(%x: tensor<8x64x784xf32>, %g: tensor<8x64x784xf32>) -> tensor<64x64x1x1xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x64x1x1xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(a, b, m, n) -> (m, b, n)>, affine_map<(a, b, m, n) -> (m, a, n)>, affine_map<(a, b, m, n) -> (a, b, 0, 0)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
    } ins(%x, %g : tensor<8x64x784xf32>, tensor<8x64x784xf32>) outs(%filled : tensor<64x64x1x1xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %product = arith.mulf %in, %other : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<64x64x1x1xf32>
    return %sums : tensor<64x64x1x1xf32>
  }

  // The consumer is computed in tiles, too. The extents of these matrices are unknown: threads share strips of rows.
  // CHECK-LABEL: func.func @few_columns
  // CHECK: plan <par i/64 { for i/8 tail(scalar) { for j/3 { for k/16 { sum[i:8u, j:3u, k:16v] } mulf[i:8u, j:3u] } } }>
  func.func @few_columns(%x: tensor<?x?xf32>, %y: tensor<3x?xf32>, %rows: index) -> tensor<?x3xf32> {
    %zero = arith.constant 0.0 : f32
    %rate = arith.constant 0.5 : f32
    %empty = tensor.empty(%rows) : tensor<?x3xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(a, b, n) -> (a, n)>, affine_map<(a, b, n) -> (b, n)>, affine_map<(a, b, n) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%x, %y : tensor<?x?xf32>, tensor<3x?xf32>) outs(%filled : tensor<?x3xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %product = arith.mulf %in, %other : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<?x3xf32>
    %scaled = linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%sums : tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %half = arith.mulf %in, %rate : f32
      linalg.yield %half : f32
    } -> tensor<?x3xf32>
    return %scaled : tensor<?x3xf32>
  }

  // A small image: vectors have 8 lanes, of which one is empty.
  // CHECK-LABEL: func.func @small_image
  // CHECK: for o/8 { sum[i:8u, l:3u, o:8v] }
  func.func @small_image(%x: tensor<8x16x9x9xf32>, %g: tensor<8x32x7x7xf32>) -> tensor<32x16x3x3xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<32x16x3x3xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x16x3x3xf32>) -> tensor<32x16x3x3xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d, m, y, x) -> (m, b, y + c, x + d)>, affine_map<(a, b, c, d, m, y, x) -> (m, a, y, x)>, #window],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%x, %g : tensor<8x16x9x9xf32>, tensor<8x32x7x7xf32>) outs(%filled : tensor<32x16x3x3xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %product = arith.mulf %in, %other : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<32x16x3x3xf32>
    return %sums : tensor<32x16x3x3xf32>
  }

  // With as many columns as lanes, nothing is added up across lanes.
  // CHECK-LABEL: func.func @matmul
  // CHECK: pack sum.{{[01]}}[k, j]
  func.func @matmul(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<256x256xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%x, %y : tensor<256x256xf32>, tensor<256x256xf32>) outs(%filled : tensor<256x256xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %product = arith.mulf %in, %other : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<256x256xf32>
    return %sums : tensor<256x256xf32>
  }
}
