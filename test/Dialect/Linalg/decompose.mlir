// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=linalg-decompose})' | FileCheck %s

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[TILES:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2)>

// The maximum is subtracted, so that no exponential overflows.
// CHECK-LABEL: @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[INIT:.*]]: tensor<2x3xf32>)
// CHECK: %[[MAX:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK: arith.maximumf
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : {{.*}}) outs(%[[INIT]]
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[POWERS]]
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[POWERS]], %[[SUM]]
// CHECK: arith.divf
func.func @softmax(%x: tensor<2x3xf32>, %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// An array that ends within a tile is padded.
// CHECK-LABEL: @pack
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 1]
// CHECK: linalg.generic {indexing_maps = [#[[TILES]], {{.*}} ins(%[[PADDED]] : tensor<2x8xf32>)
func.func @pack(%a: tensor<2x7xf32>, %dest: tensor<2x2x4xf32>, %value: f32) -> tensor<2x2x4xf32> {
  %0 = linalg.pack %a padding_value(%value : f32) inner_dims_pos = [1] inner_tiles = [4] into %dest : tensor<2x7xf32> -> tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}

// CHECK-LABEL: @pack_full
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {indexing_maps = [#[[TILES]],
func.func @pack_full(%a: tensor<2x8xf32>, %dest: tensor<2x2x4xf32>, %value: f32) -> tensor<2x2x4xf32> {
  %0 = linalg.pack %a padding_value(%value : f32) inner_dims_pos = [1] inner_tiles = [4] into %dest : tensor<2x8xf32> -> tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}

// CHECK-LABEL: @unpack
// CHECK: %[[ORDERED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x2xf32>)
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[ORDERED]] {{\[\[}}0, 1], [2]] : tensor<2x4x2xf32> into tensor<8x2xf32>
// CHECK: tensor.extract_slice %[[WHOLE]][0, 0] [7, 2] [1, 1]
func.func @unpack(%a: tensor<2x2x4xf32>, %dest: tensor<7x2xf32>) -> tensor<7x2xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %dest : tensor<2x2x4xf32> -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}

// If a tile size is only known at run time, the padded array is expanded.
// CHECK-LABEL: @dynamic_tile
// CHECK-SAME: %[[TILE:[a-z0-9]*]]: index
// CHECK: %[[WHOLE:.*]] = tensor.cast %{{.*}} : tensor<8xf32> to tensor<?xf32>
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[WHOLE]] {{\[\[}}0, 1]] output_shape [%{{.*}}, %[[TILE]]] : tensor<?xf32> into tensor<?x?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PARTS]] : tensor<?x?xf32>)
func.func @dynamic_tile(%a: tensor<8xf32>, %dest: tensor<?x?xf32>, %tile: index) -> tensor<?x?xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%tile] into %dest : tensor<8xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A contraction for each side of a filter.
// CHECK-LABEL: @winograd_filter
// CHECK-DAG: arith.constant dense<{{.*}}> : tensor<4x3xf32>
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x3xf32>, tensor<2x3x3x5xf32>) outs(%{{.*}} : tensor<4x3x5x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[ROWS]] : tensor<4x3xf32>, tensor<4x3x5x2xf32>) outs(%{{.*}} : tensor<4x4x5x2xf32>)
func.func @winograd_filter(%f: tensor<2x3x3x5xf32>, %dest: tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x3x3x5xf32>) outs(%dest : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>
  return %0 : tensor<4x4x5x2xf32>
}

// A side of extent 1 stays as it is; the tiles are put together and added to the output.
// CHECK-LABEL: @winograd_output
// CHECK-COUNT-1: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<1x?x2x4x1x3xf32> into tensor<1x?x4x3xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x?x4x3xf32>)
func.func @winograd_output(%v: tensor<4x1x?x4x1x3xf32>, %dest: tensor<1x?x4x3xf32>) -> tensor<1x?x4x3xf32> {
  %0 = linalg.winograd_output_transform fmr(F_2_3) ins(%v : tensor<4x1x?x4x1x3xf32>) outs(%dest : tensor<1x?x4x3xf32>) -> tensor<1x?x4x3xf32>
  return %0 : tensor<1x?x4x3xf32>
}
