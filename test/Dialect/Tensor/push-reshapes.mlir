// RUN: %kopt %s --apply-patterns='sets=tensor-push-reshapes' --split-input-file | FileCheck %s

// The channels are split before the image is padded, so that the padding joins the computation that reads it.
// CHECK-LABEL: func.func @image
// CHECK: %[[S:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [1, 2, 4, 9] : tensor<1x8x9xf32> into tensor<1x2x4x9xf32>
// CHECK: %[[P:.*]] = tensor.pad %[[S]] low[0, 0, 0, 1] high[0, 0, 0, 2] {
// CHECK: tensor.yield %arg1
// CHECK: return %[[P]] : tensor<1x2x4x12xf32>
func.func @image(%x: tensor<1x8x9xf32>, %v: f32) -> tensor<1x2x4x12xf32> {
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v : f32
  } : tensor<1x8x9xf32> to tensor<1x8x12xf32>
  %y = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [1, 2, 4, 12] : tensor<1x8x12xf32> into tensor<1x2x4x12xf32>
  return %y : tensor<1x2x4x12xf32>
}

// -----

// A dimension that is padded and split, a padding that is used otherwise, and one that depends on the indices stay.
// CHECK-LABEL: func.func @kept
// CHECK: tensor.pad %arg0
// CHECK: tensor.expand_shape
// CHECK: tensor.pad %arg0
// CHECK: tensor.expand_shape
// CHECK: tensor.pad %arg0
// CHECK: tensor.expand_shape
func.func @kept(%x: tensor<7x9xf32>, %v: f32) -> (tensor<2x4x9xf32>, tensor<7x12xf32>, tensor<7x3x4xf32>, tensor<1x7x10xf32>) {
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<8x9xf32>
  %a = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 4, 9] : tensor<8x9xf32> into tensor<2x4x9xf32>
  %q = tensor.pad %x low[0, 3] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<7x12xf32>
  %b = tensor.expand_shape %q [[0], [1, 2]] output_shape [7, 3, 4] : tensor<7x12xf32> into tensor<7x3x4xf32>
  %r = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %s = arith.index_cast %j : index to i32
    %f = arith.sitofp %s : i32 to f32
    tensor.yield %f : f32
  } : tensor<7x9xf32> to tensor<7x10xf32>
  %c = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 7, 10] : tensor<7x10xf32> into tensor<1x7x10xf32>
  return %a, %q, %b, %c : tensor<2x4x9xf32>, tensor<7x12xf32>, tensor<7x3x4xf32>, tensor<1x7x10xf32>
}
