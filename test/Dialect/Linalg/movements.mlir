// The forms that mlir-opt gives them.
// REQUIRES: mlir-opt
// RUN: %kopt --canonicalize %s > %t.kopt && %mlir-opt --canonicalize %s > %t.mlir && diff %t.mlir %t.kopt

func.func @pack_and_unpack(%a: tensor<128x256xf32>, %t: tensor<16x8x8x32xf32>, %b: tensor<128x256xf32>, %u: tensor<16x8x8x32xf32>) -> (tensor<128x256xf32>, tensor<16x8x8x32xf32>) {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %t : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %b : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  %2 = linalg.unpack %u inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %b : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  %3 = linalg.pack %2 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %t : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  return %1, %3 : tensor<128x256xf32>, tensor<16x8x8x32xf32>
}

func.func @other_tiles(%a: tensor<128x128xf32>, %t: tensor<16x16x8x8xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %t : tensor<128x128xf32> -> tensor<16x16x8x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %b : tensor<16x16x8x8xf32> -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

func.func @padding(%a: tensor<128x256xf32>, %t: tensor<16x8x8x32xf32>, %p: f32, %odd: tensor<13x15xf32>, %padded: tensor<2x8x8x2xf32>) -> (tensor<16x8x8x32xf32>, tensor<2x8x8x2xf32>, tensor<13x15xf32>) {
  %0 = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %t : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  %1 = linalg.pack %odd padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %padded : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %odd : tensor<2x8x8x2xf32> -> tensor<13x15xf32>
  return %0, %1, %2 : tensor<16x8x8x32xf32>, tensor<2x8x8x2xf32>, tensor<13x15xf32>
}

func.func @transposes(%a: tensor<3x4x5xf32>, %b: tensor<4x5x3xf32>, %c: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<3x4x5xf32>, tensor<3x4x5xf32>) {
  %0 = linalg.transpose ins(%a : tensor<3x4x5xf32>) outs(%b : tensor<4x5x3xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<4x5x3xf32>) outs(%c : tensor<5x4x3xf32>) permutation = [1, 0, 2]
  %2 = linalg.transpose ins(%0 : tensor<4x5x3xf32>) outs(%a : tensor<3x4x5xf32>) permutation = [2, 0, 1]
  %3 = linalg.transpose ins(%a : tensor<3x4x5xf32>) outs(%a : tensor<3x4x5xf32>) permutation = [0, 1, 2]
  return %1, %2, %3 : tensor<5x4x3xf32>, tensor<3x4x5xf32>, tensor<3x4x5xf32>
}

func.func @broadcasts(%a: tensor<4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x2x4xf32>) -> (tensor<3x2x4xf32>, tensor<4xf32>) {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<3x4xf32>) dimensions = [0]
  %1 = linalg.broadcast ins(%0 : tensor<3x4xf32>) outs(%c : tensor<3x2x4xf32>) dimensions = [1]
  %2 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) dimensions = []
  return %1, %2 : tensor<3x2x4xf32>, tensor<4xf32>
}

func.func @copies(%m: memref<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  %0 = linalg.copy ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

#id = affine_map<(i) -> (i)>
func.func @identity(%a: tensor<4xf32>, %b: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return %0 : tensor<4xf32>
}
