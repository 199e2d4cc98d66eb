// RUN: %kopt %s --apply-patterns='sets=linalg-push-reshapes' --split-input-file | FileCheck %s

// Bias and activation of sums by groups are computed before the groups are collapsed; so are those that read their results.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func.func @bias
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"]}
// CHECK: %[[B:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[CHANNEL]], #[[COLUMN]], #[[ID]]], {{.*}}} ins(%[[SUMS]], %[[B]], %arg2
// CHECK: arith.addf
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
// CHECK: return %[[R]]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#all = affine_map<(g, i, j, k) -> (g, i, j, k)>
#sum = affine_map<(g, i, j, k) -> (g, i, j)>
func.func @bias(%x: tensor<2x4x9x5xf32>, %b: tensor<8xf32>, %c: tensor<9xf32>, %init: tensor<2x4x9xf32>) -> tensor<8x9xf32> {
  %sums = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x9x5xf32>) outs(%init : tensor<2x4x9xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x4x9xf32>
  %whole = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
  %empty = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%whole, %b, %c : tensor<8x9xf32>, tensor<8xf32>, tensor<9xf32>) outs(%empty : tensor<8x9xf32>) {
  ^bb0(%s: f32, %d: f32, %e: f32, %o: f32):
    %t = arith.addf %s, %d : f32
    %u = arith.mulf %t, %e : f32
    linalg.yield %u : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A tensor of several dimensions would have to be expanded, the indices would differ, and without a reduction there is no kernel
// to join.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: tensor.expand_shape
// CHECK: return
#id_b = affine_map<(i, j) -> (i, j)>
#all_b = affine_map<(g, i, j, k) -> (g, i, j, k)>
#sum_b = affine_map<(g, i, j, k) -> (g, i, j)>
func.func @kept(%x: tensor<2x4x9x5xf32>, %b: tensor<8x9xf32>, %init: tensor<2x4x9xf32>, %z: tensor<2x4x9xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>) {
  %sums = linalg.generic {indexing_maps = [#all_b, #sum_b], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x9x5xf32>) outs(%init : tensor<2x4x9xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x4x9xf32>
  %whole = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
  %empty = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#id_b, #id_b, #id_b], iterator_types = ["parallel", "parallel"]}
      ins(%whole, %b : tensor<8x9xf32>, tensor<8x9xf32>) outs(%empty : tensor<8x9xf32>) {
  ^bb0(%s: f32, %d: f32, %o: f32):
    %t = arith.addf %s, %d : f32
    linalg.yield %t : f32
  } -> tensor<8x9xf32>
  %other = tensor.collapse_shape %z [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
  %w = linalg.generic {indexing_maps = [#id_b, #id_b], iterator_types = ["parallel", "parallel"]}
      ins(%other : tensor<8x9xf32>) outs(%empty : tensor<8x9xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 0 : index
    %t = arith.negf %s : f32
    linalg.yield %t : f32
  } -> tensor<8x9xf32>
  return %y, %w : tensor<8x9xf32>, tensor<8x9xf32>
}
