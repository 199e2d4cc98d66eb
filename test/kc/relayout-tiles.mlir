// Packing and unpacking with tile sizes that are only known at run time, in compiled code as in the interpreter.

// RUN: %kc run %s --entry packed --backend jit --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 2, 2, 2]' | FileCheck %s --check-prefix=PACKED
// RUN: %kc run %s --entry packed --backend interpret --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 2, 2, 2]' | FileCheck %s --check-prefix=PACKED
// RUN: %kc run %s --entry packed --backend interpret-buffers --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 2, 2, 2]' | FileCheck %s --check-prefix=PACKED
// PACKED: {{\[\[\[\[}}1, 4], [2, 5]], {{\[\[}}7, -1], [8, -1]]], {{\[\[\[}}3, 6], [-1, -1]], {{\[\[}}9, -1], [-1, -1]]]]
// RUN: %kc run %s --entry packed --backend jit --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 3]' | FileCheck %s --check-prefix=THREE
// RUN: %kc run %s --entry packed --backend interpret --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 3]' | FileCheck %s --check-prefix=THREE
// THREE: {{\[\[\[\[}}1, 4, 7], [2, 5, 8]]], {{\[\[\[}}3, 6, 9], [-1, -1, -1]]]]
// RUN: not %kc run %s --entry packed --backend jit --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 2]' 2>&1 | FileCheck %s --check-prefix=COVERED
// RUN: not %kc run %s --entry packed --backend interpret --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 2]' 2>&1 | FileCheck %s --check-prefix=COVERED
// COVERED: error: linalg.pack: dimension 1 of the packed array must have the number of tiles that cover dimension 0 of the array
// COVERED-NEXT: relayout-tiles.mlir:[[# @LINE + 7]]:
// RUN: not %kc run %s --entry packed --backend jit --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 0]' 2>&1 | FileCheck %s --check-prefix=POSITIVE
// RUN: not %kc run %s --entry packed --backend interpret --inputs '[[[1,2,3],[4,5,6],[7,8,9]], 1, 2, 0]' 2>&1 | FileCheck %s --check-prefix=POSITIVE
// POSITIVE: error: linalg.pack: the size of tile 1 must be positive and equal to the extent of its dimension
func.func @packed(%a: tensor<?x3xf32>, %m: index, %n: index, %t: index) -> tensor<2x?x2x?xf32> {
  %c = arith.constant -1.0 : f32
  %d = tensor.empty(%m, %t) : tensor<2x?x2x?xf32>
  %p = linalg.pack %a padding_value(%c : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, %t] into %d : tensor<?x3xf32> -> tensor<2x?x2x?xf32>
  return %p : tensor<2x?x2x?xf32>
}

// RUN: %kc run %s --entry there_and_back --backend jit --inputs '[[[1,2,3,4,5],[6,7,8,9,10]], 2, 3]' | FileCheck %s --check-prefix=BACK
// RUN: %kc run %s --entry there_and_back --backend interpret --inputs '[[[1,2,3,4,5],[6,7,8,9,10]], 2, 3]' | FileCheck %s --check-prefix=BACK
// RUN: %kc run %s --entry there_and_back --backend interpret-buffers --inputs '[[[1,2,3,4,5],[6,7,8,9,10]], 3, 2]' | FileCheck %s --check-prefix=BACK
// BACK: {{\[\[}}1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
func.func @there_and_back(%a: tensor<2x5xf32>, %m: index, %t: index) -> tensor<2x5xf32> {
  %c = arith.constant 0.0 : f32
  %d = tensor.empty(%m, %t) : tensor<2x?x?xf32>
  %p = linalg.pack %a padding_value(%c : f32) inner_dims_pos = [1] inner_tiles = [%t] into %d : tensor<2x5xf32> -> tensor<2x?x?xf32>
  %e = tensor.empty() : tensor<2x5xf32>
  %u = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [%t] into %e : tensor<2x?x?xf32> -> tensor<2x5xf32>
  return %u : tensor<2x5xf32>
}

// Whole tiles need no padding.
// RUN: %kc run %s --entry whole --backend jit --inputs '[[1,2,3,4], 2]' | FileCheck %s --check-prefix=WHOLE
// RUN: %kc run %s --entry whole --backend interpret --inputs '[[1,2,3,4], 2]' | FileCheck %s --check-prefix=WHOLE
// WHOLE: {{\[\[}}1, 2], [3, 4]]
// RUN: not %kc run %s --entry whole --backend jit --inputs '[[1,2,3,4], 3]' 2>&1 | FileCheck %s --check-prefix=COMPLETE
// RUN: not %kc run %s --entry whole --backend interpret --inputs '[[1,2,3,4], 3]' 2>&1 | FileCheck %s --check-prefix=COMPLETE
// COMPLETE: error: linalg.pack: dimension 0 of the array ends within a tile, and there is no padding value
func.func @whole(%a: tensor<4xf32>, %t: index) -> tensor<2x?xf32> {
  %d = tensor.empty(%t) : tensor<2x?xf32>
  %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<4xf32> -> tensor<2x?xf32>
  return %p : tensor<2x?xf32>
}
