// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,merge-axes,canonicalize,schedule-kernels)" | FileCheck %s

// A convolution by windows of one element is a product of matrices: its rows and columns are one axis.
// CHECK-LABEL: func.func @pointwise_convolution
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<7x7x32xf32> into tensor<49x32xf32>
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<49x64xf32>
// CHECK: %[[SUM:.*]] = schedule.kernel ins(%[[X]], %{{.*}}, %{{.*}} : tensor<49x32xf32>, tensor<1x1x32x64xf32>, tensor<64xf32>) outs(%[[OUT]] : tensor<49x64xf32>)
// CHECK-SAME: plan <par j/{{[0-9]+}} { for i/
// CHECK: tensor.expand_shape %[[SUM]] {{\[\[}}0, 1], [2]] output_shape [7, 7, 64]
module {
  func.func @pointwise_convolution(%x: tensor<7x7x32xf32>, %w: tensor<1x1x32x64xf32>, %bias: tensor<64xf32>) -> tensor<7x7x64xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<7x7x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x7x64xf32>) -> tensor<7x7x64xf32>
    %sums = linalg.generic {
        indexing_maps = [affine_map<(h, w, o, p, q, c) -> (h + p, w + q, c)>, affine_map<(h, w, o, p, q, c) -> (p, q, c, o)>, affine_map<(h, w, o, p, q, c) -> (h, w, o)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%x, %w : tensor<7x7x32xf32>, tensor<1x1x32x64xf32>) outs(%filled : tensor<7x7x64xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<7x7x64xf32>
    %biased = linalg.generic {
        indexing_maps = [affine_map<(h, w, o) -> (h, w, o)>, affine_map<(h, w, o) -> (o)>, affine_map<(h, w, o) -> (h, w, o)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums, %bias : tensor<7x7x64xf32>, tensor<64xf32>) outs(%empty : tensor<7x7x64xf32>) {
    ^bb0(%in: f32, %b: f32, %out: f32):
      %sum = arith.addf %in, %b : f32
      linalg.yield %sum : f32
    } -> tensor<7x7x64xf32>
    return %biased : tensor<7x7x64xf32>
  }

  // A computation of whole tensors has one axis.
  // CHECK-LABEL: func.func @whole
  // CHECK: schedule.kernel ins(%{{.*}} : tensor<1960xf32>) outs(%{{.*}} : tensor<1960xf32>)
  func.func @whole(%x: tensor<5x8x49xf32>) -> tensor<5x8x49xf32> {
    %empty = tensor.empty() : tensor<5x8x49xf32>
    %squares = linalg.generic {
        indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<5x8x49xf32>) outs(%empty : tensor<5x8x49xf32>) {
    ^bb0(%in: f32, %out: f32):
      %square = arith.mulf %in, %in : f32
      linalg.yield %square : f32
    } -> tensor<5x8x49xf32>
    return %squares : tensor<5x8x49xf32>
  }

  // The computation needs the index of a row, and the rows of a part of a tensor are not one after the other.
  // CHECK-LABEL: func.func @index
  // CHECK: schedule.kernel ins(%{{.*}} : tensor<16x32xf32>)
  // CHECK-LABEL: func.func @part
  // CHECK: schedule.kernel ins(%{{.*}} : tensor<16x32xf32>)
  func.func @index(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %empty = tensor.empty() : tensor<16x32xf32>
    %sums = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%empty : tensor<16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %row = linalg.index 0 : index
      %integer = arith.index_cast %row : index to i32
      %float = arith.sitofp %integer : i32 to f32
      %sum = arith.addf %in, %float : f32
      linalg.yield %sum : f32
    } -> tensor<16x32xf32>
    return %sums : tensor<16x32xf32>
  }

  func.func @part(%x: tensor<16x64xf32>) -> tensor<16x32xf32> {
    %part = tensor.extract_slice %x[0, 8] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
    %empty = tensor.empty() : tensor<16x32xf32>
    %squares = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%part : tensor<16x32xf32>) outs(%empty : tensor<16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %square = arith.mulf %in, %in : f32
      linalg.yield %square : f32
    } -> tensor<16x32xf32>
    return %squares : tensor<16x32xf32>
  }

  // The extent of an axis may be known at run time.
  // CHECK-LABEL: func.func @dynamic
  // CHECK-SAME: (%[[X:.*]]: tensor<?x16x32xf32>, %[[N:.*]]: index)
  // CHECK: %[[ALL:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2]] : tensor<?x16x32xf32> into tensor<?xf32>
  // CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %c512
  // CHECK: %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<?xf32>
  // CHECK: %[[FLAT:.*]] = schedule.kernel ins(%[[ALL]] : tensor<?xf32>) outs(%[[EMPTY]] : tensor<?xf32>)
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1, 2]] output_shape [%[[N]], 16, 32] : tensor<?xf32> into tensor<?x16x32xf32>
  func.func @dynamic(%x: tensor<?x16x32xf32>, %n: index) -> tensor<?x16x32xf32> {
    %empty = tensor.empty(%n) : tensor<?x16x32xf32>
    %squares = linalg.generic {
        indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x16x32xf32>) outs(%empty : tensor<?x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %square = arith.mulf %in, %in : f32
      linalg.yield %square : f32
    } -> tensor<?x16x32xf32>
    return %squares : tensor<?x16x32xf32>
  }

  // The two dimensions of an image of unknown size are one axis; the channels are not, since the bias has them alone.
  // CHECK-LABEL: func.func @image
  // CHECK-SAME: (%[[X:.*]]: tensor<8x?x?xf32>, %[[BIAS:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8x?x?xf32>)
  // CHECK-DAG: %[[IN:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<8x?x?xf32> into tensor<8x?xf32>
  // CHECK-DAG: %[[OUT:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2]] : tensor<8x?x?xf32> into tensor<8x?xf32>
  // CHECK-DAG: %[[H:.*]] = tensor.dim %[[Y]], %c1
  // CHECK-DAG: %[[W:.*]] = tensor.dim %[[Y]], %c2
  // CHECK: %[[FLAT:.*]] = schedule.kernel ins(%[[IN]], %[[BIAS]] : tensor<8x?xf32>, tensor<8xf32>) outs(%[[OUT]] : tensor<8x?xf32>)
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0], [1, 2]] output_shape [8, %[[H]], %[[W]]]
  func.func @image(%x: tensor<8x?x?xf32>, %bias: tensor<8xf32>, %y: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
    %sums = linalg.generic {
        indexing_maps = [affine_map<(c, i, j) -> (c, i, j)>, affine_map<(c, i, j) -> (c)>, affine_map<(c, i, j) -> (c, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x, %bias : tensor<8x?x?xf32>, tensor<8xf32>) outs(%y : tensor<8x?x?xf32>) {
    ^bb0(%in: f32, %b: f32, %out: f32):
      %sum = arith.addf %in, %b : f32
      linalg.yield %sum : f32
    } -> tensor<8x?x?xf32>
    return %sums : tensor<8x?x?xf32>
  }
}
