func.func @pack(%a: tensor<128x256xf32>, %t: tensor<16x8x8x32xf32>, %u: tensor<8x16x8x32xf32>, %odd: tensor<13x15xf32>, %padded: tensor<2x8x8x2xf32>, %p: f32) {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %t : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  %1 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %u : tensor<128x256xf32> -> tensor<8x16x8x32xf32>
  %2 = linalg.pack %odd padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %padded : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  %4 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %a : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  %5 = linalg.unpack %u outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %a {note} : tensor<8x16x8x32xf32> -> tensor<128x256xf32>
  %6 = linalg.unpack %padded inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %odd : tensor<2x8x8x2xf32> -> tensor<13x15xf32>
  return
}

func.func @sizes(%a: tensor<?x?xf32>, %t: tensor<?x?x8x?xf32>, %n: index, %p: f32) -> tensor<?x?xf32> {
  %0 = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [1, 0] inner_tiles = [8, %n] into %t : tensor<?x?xf32> -> tensor<?x?x8x?xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [1, 0] inner_tiles = [8, %n] into %a : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @softmax(%a: tensor<4x5xf32>, %d: tensor<?x5xf32>, %m: memref<?x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x5xf32>) outs(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.softmax {note} dimension(0) ins(%d : tensor<?x5xf32>) outs(%d : tensor<?x5xf32>) -> tensor<?x5xf32>
  linalg.softmax dimension(0) ins(%m : memref<?x5xf32>) outs(%m : memref<?x5xf32>)
  return %0 : tensor<4x5xf32>
}

func.func @winograd(%f: tensor<2x3x3x5xf32>, %tf: tensor<6x6x5x2xf32>, %i: tensor<2x10x10x5xf32>, %ti: tensor<6x6x2x2x2x5xf32>, %v: tensor<6x6x2x2x2x2xf32>, %o: tensor<2x8x8x2xf32>,
                    %row: tensor<2x1x3x5xf32>, %trow: tensor<1x4x5x2xf32>, %five: tensor<2x5x5x5xf32>, %d: tensor<?x?x?x?xf32>, %e: tensor<4x4x?x?x?x?xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%tf : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%ti : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %2 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  %3 = linalg.winograd_filter_transform {note} fmr(F_2_3) ins(%row : tensor<2x1x3x5xf32>) outs(%trow : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  %4 = linalg.winograd_filter_transform fmr(F_2_5) ins(%five : tensor<2x5x5x5xf32>) outs(%tf : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %5 = linalg.winograd_input_transform fmr(F_2_3) ins(%d : tensor<?x?x?x?xf32>) outs(%e : tensor<4x4x?x?x?x?xf32>) -> tensor<4x4x?x?x?x?xf32>
  %6 = linalg.winograd_output_transform fmr(F_2_3) ins(%e : tensor<4x4x?x?x?x?xf32>) outs(%d : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return
}
