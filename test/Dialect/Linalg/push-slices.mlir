// RUN: %kopt %s --apply-patterns="after-differentiation" --split-input-file | FileCheck %s
// A slice of a computed or padded tensor is computed from slices, so that nothing is computed without a use.

// The index of the padded tensor is a difference of indices. Padding 2 and removing 1 is padding 1.
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2) -> (d0 - d1 + 2)>
// CHECK-LABEL: func.func @window
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0 low[1] high[1] {
// CHECK: tensor<8xf32> to tensor<10xf32>
// CHECK: %[[OUT:.*]] = tensor.extract_slice %arg2[1, 0] [8, 4] [1, 1] : tensor<10x4xf32> to tensor<8x4xf32>
// CHECK: %[[RESULT:.*]] = linalg.generic {indexing_maps = [#[[WINDOW]],
// CHECK-SAME: ins(%[[PADDED]], %arg1 : tensor<10xf32>, tensor<3x4xf32>) outs(%[[OUT]] : tensor<8x4xf32>)
// CHECK: return %[[RESULT]] : tensor<8x4xf32>
func.func @window(%x: tensor<8xf32>, %w: tensor<3x4xf32>, %sums: tensor<10x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<12xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, k, c) -> (i - k + 2)>, affine_map<(i, k, c) -> (k, c)>, affine_map<(i, k, c) -> (i, c)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } ins(%padded, %w : tensor<12xf32>, tensor<3x4xf32>) outs(%sums : tensor<10x4xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %1 = arith.mulf %in, %weight : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<10x4xf32>
  %slice = tensor.extract_slice %0[1, 0] [8, 4] [1, 1] : tensor<10x4xf32> to tensor<8x4xf32>
  return %slice : tensor<8x4xf32>
}

// -----

// Strides multiply the offset.
// CHECK-LABEL: func.func @strided
// CHECK: tensor.extract_slice %arg0[4] [5] [1] : tensor<9xf32> to tensor<5xf32>
// CHECK: linalg.generic
// CHECK: -> tensor<2xf32>
// CHECK-NEXT: return
func.func @strided(%x: tensor<9xf32>, %w: tensor<3xf32>, %sums: tensor<4xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (2 * i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x, %w : tensor<9xf32>, tensor<3xf32>) outs(%sums : tensor<4xf32>) {
  ^bb0(%in: f32, %weight: f32, %out: f32):
    %1 = arith.mulf %in, %weight : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %slice = tensor.extract_slice %0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %slice : tensor<2xf32>
}

// -----

// A tensor with another use is computed whole, and so is one that depends on the indices.
// CHECK-LABEL: func.func @used
// CHECK: linalg.generic
// CHECK: -> tensor<4xf32>
// CHECK: tensor.extract_slice
func.func @used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %slice = tensor.extract_slice %0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0, %slice : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @indices
// CHECK: linalg.generic
// CHECK: -> tensor<4xindex>
// CHECK: tensor.extract_slice
func.func @indices(%x: tensor<4xindex>) -> tensor<2xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xindex>) {
  ^bb0(%out: index):
    %1 = linalg.index 0 : index
    linalg.yield %1 : index
  } -> tensor<4xindex>
  %slice = tensor.extract_slice %0[2] [2] [1] : tensor<4xindex> to tensor<2xindex>
  return %slice : tensor<2xindex>
}

// -----

// A part of the source is padded on one side.
// CHECK-LABEL: func.func @part_of_padding
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[0, 1] [2, 3] [1, 1] : tensor<4x4xf32> to tensor<2x3xf32>
// CHECK: tensor.pad %[[PART]] low[1, 0] high[0, 1] {
// CHECK: tensor<2x3xf32> to tensor<3x4xf32>
func.func @part_of_padding(%x: tensor<4x4xf32>, %value: f32) -> tensor<3x4xf32> {
  %padded = tensor.pad %x low[2, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  %slice = tensor.extract_slice %padded[1, 1] [3, 4] [1, 1] : tensor<6x6xf32> to tensor<3x4xf32>
  return %slice : tensor<3x4xf32>
}

// A slice in the padding alone is left as it is.
// CHECK-LABEL: func.func @only_padding
// CHECK: tensor.pad
// CHECK: tensor.extract_slice
func.func @only_padding(%x: tensor<4xf32>, %value: f32) -> tensor<1xf32> {
  %padded = tensor.pad %x low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<4xf32> to tensor<6xf32>
  %slice = tensor.extract_slice %padded[1] [1] [1] : tensor<6xf32> to tensor<1xf32>
  return %slice : tensor<1xf32>
}
