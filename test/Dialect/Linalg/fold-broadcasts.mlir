// RUN: %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets=linalg-fold-broadcasts},dce)" | FileCheck %s
// A computation reads the source of a broadcast, or of an expansion of dimensions.
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i, 0)>
#row = affine_map<(i, j) -> (j)>
#first = affine_map<(i, j) -> (i)>
#swapped = affine_map<(i, j) -> (j, i)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @expanded
// CHECK-COUNT-1: linalg.generic {indexing_maps = [#[[ID]], #[[FIRST]], #[[ID]]], {{.*}} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4xf32>)
// CHECK-NOT: linalg.generic
func.func @expanded(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x1xf32>
  %1 = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4xf32>) outs(%0 : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x1xf32>
  %2 = tensor.empty() : tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %1 : tensor<4x8xf32>, tensor<4x1xf32>) outs(%2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %4 = arith.subf %in, %other : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @repeated
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]], {{.*}} ins(%arg0 : tensor<?xf32>)
func.func @repeated(%x: tensor<?xf32>, %to: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?xf32>) outs(%to : tensor<?x?xf32>) {
  ^bb0(%in: f32, %old: f32):
    linalg.yield %in : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%in: f32, %old: f32):
    %2 = math.exp %in : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// The extent of the reduced dimension is that of the broadcast.
// CHECK-LABEL: func.func @needed
// CHECK-COUNT-2: linalg.generic
func.func @needed(%x: tensor<4xf32>, %sum: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x8xf32>) outs(%sum : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A transposition is not a broadcast: its source would be read across rows.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: linalg.generic
func.func @transposed(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.exp %in : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
