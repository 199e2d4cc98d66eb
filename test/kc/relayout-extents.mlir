// Packing and unpacking check extents that their types leave open, in compiled code as in the interpreter. In compiled code
// they read and wrote out of bounds; the interpreter cut off what a destination had no room for.

// RUN: %kc run %s --entry packed --backend jit --inputs '[[[1,2],[3,4],[5,6]], 2]' | FileCheck %s --check-prefix=FITS
// RUN: %kc run %s --entry packed --backend interpret --inputs '[[[1,2],[3,4],[5,6]], 2]' | FileCheck %s --check-prefix=FITS
// FITS: {{\[\[\[}}1, 3], [2, 4]], {{\[\[}}5, -1], [6, -1]]]

// RUN: not %kc run %s --entry packed --backend jit --inputs '[[[1,2],[3,4],[5,6]], 1]' 2>&1 | FileCheck %s --check-prefix=COVERED
// RUN: not %kc run %s --entry packed --backend interpret --inputs '[[[1,2],[3,4],[5,6]], 1]' 2>&1 | FileCheck %s --check-prefix=COVERED
// RUN: not %kc run %s --entry packed --backend interpret-buffers --inputs '[[[1,2],[3,4],[5,6]], 1]' 2>&1 | FileCheck %s --check-prefix=COVERED
// RUN: not %kc run %s --entry packed --backend jit --inputs '[[[1,2],[3,4],[5,6]], 3]' 2>&1 | FileCheck %s --check-prefix=COVERED
// RUN: not %kc run %s --entry packed --backend interpret --inputs '[[[1,2],[3,4],[5,6]], 3]' 2>&1 | FileCheck %s --check-prefix=COVERED
// COVERED: error: linalg.pack: dimension 0 of the packed array must have the number of tiles that cover dimension 0 of the array
// COVERED-NEXT: relayout-extents.mlir:[[# @LINE + 4]]:
func.func @packed(%a: tensor<?x2xf32>, %m: index) -> tensor<?x2x2xf32> {
  %c = arith.constant -1.0 : f32
  %d = tensor.empty(%m) : tensor<?x2x2xf32>
  %p = linalg.pack %a padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?x2xf32> -> tensor<?x2x2xf32>
  return %p : tensor<?x2x2xf32>
}

// RUN: not %kc run %s --entry full --backend jit --inputs '[[[1,2],[3,4],[5,6]], 2, 2]' 2>&1 | FileCheck %s --check-prefix=COMPLETE
// RUN: not %kc run %s --entry full --backend interpret --inputs '[[[1,2],[3,4],[5,6]], 2, 2]' 2>&1 | FileCheck %s --check-prefix=COMPLETE
// COMPLETE: error: linalg.pack: dimension 0 of the array ends within a tile, and there is no padding value
// COMPLETE-NEXT: relayout-extents.mlir:[[# @LINE + 7]]:
// RUN: not %kc run %s --entry full --backend jit --inputs '[[[1,2],[3,4]], 1, 3]' 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not %kc run %s --entry full --backend interpret --inputs '[[[1,2],[3,4]], 1, 3]' 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: linalg.pack: dimension 1 of the array and dimension 1 of the packed array must have the same extent
// SAME-NEXT: relayout-extents.mlir:[[# @LINE + 3]]:
func.func @full(%a: tensor<?x2xf32>, %m: index, %n: index) -> tensor<?x?x2xf32> {
  %d = tensor.empty(%m, %n) : tensor<?x?x2xf32>
  %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?x2xf32> -> tensor<?x?x2xf32>
  return %p : tensor<?x?x2xf32>
}

// The size of a tile that is a constant, but not part of the type.
// RUN: not %kc run %s --entry tile_size --backend jit --inputs '[[1,2,3,4], 3]' 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %kc run %s --entry tile_size --backend interpret --inputs '[[1,2,3,4], 3]' 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: linalg.pack: the size of tile 0 must be positive and equal to the extent of its dimension
// TILE-NEXT: relayout-extents.mlir:[[# @LINE + 4]]:
func.func @tile_size(%a: tensor<4xf32>, %t: index) -> tensor<2x?xf32> {
  %c2 = arith.constant 2 : index
  %d = tensor.empty(%t) : tensor<2x?xf32>
  %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%c2] into %d : tensor<4xf32> -> tensor<2x?xf32>
  return %p : tensor<2x?xf32>
}

// RUN: not %kc run %s --entry unpacked --backend jit --inputs '[[[1,2],[3,4]], 5]' 2>&1 | FileCheck %s --check-prefix=UNPACK
// RUN: not %kc run %s --entry unpacked --backend interpret --inputs '[[[1,2],[3,4]], 5]' 2>&1 | FileCheck %s --check-prefix=UNPACK
// RUN: not %kc run %s --entry unpacked --backend interpret-buffers --inputs '[[[1,2],[3,4]], 5]' 2>&1 | FileCheck %s --check-prefix=UNPACK
// UNPACK: error: linalg.unpack: dimension 0 of the packed array must have the number of tiles that cover dimension 0 of the array
// UNPACK-NEXT: relayout-extents.mlir:[[# @LINE + 3]]:
func.func @unpacked(%t: tensor<?x2xf32>, %n: index) -> tensor<?xf32> {
  %d = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?x2xf32> -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// An array that is packed and unpacked to a shorter one, which 'canonicalize' replaced by the former.
// RUN: %kc run %s --entry shorter --backend jit --inputs '[[1,2,3,4], 2, 3]' | FileCheck %s --check-prefix=SHORTER
// RUN: %kc run %s --entry shorter --backend interpret --inputs '[[1,2,3,4], 2, 3]' | FileCheck %s --check-prefix=SHORTER
// SHORTER: {{^}}[1, 2, 3]
func.func @shorter(%a: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %t = tensor.empty(%m) : tensor<?x2xf32>
  %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %t : tensor<?xf32> -> tensor<?x2xf32>
  %d = tensor.empty(%n) : tensor<?xf32>
  %u = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?x2xf32> -> tensor<?xf32>
  return %u : tensor<?xf32>
}
