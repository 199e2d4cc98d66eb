// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @a(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>, %s: tensor<f32>, %ba: tensor<2x4x8xf32>, %bb: tensor<2x8x16xf32>, %bc: tensor<2x4x16xf32>,
  %ai: tensor<4x8xi32>, %bi: tensor<8x16xi32>, %ci: tensor<4x16xi32>, %m: memref<4x8xf32>, %v16: tensor<16xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.batch_matmul ins(%ba, %bb : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%bc : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %2 = linalg.matvec ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.vecmat ins(%v, %b : tensor<8xf32>, tensor<8x16xf32>) outs(%v16 : tensor<16xf32>) -> tensor<16xf32>
  %4 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %5 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%ai, %bi : tensor<4x8xi32>, tensor<8x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  %6 = linalg.copy ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.copy ins(%m : memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  %7 = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %i = tensor.empty() : tensor<1x3x8x8xf32>
  %f = tensor.empty() : tensor<5x3x3x3xf32>
  %o = tensor.empty() : tensor<1x5x6x6xf32>
  %15 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%i, %f : tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) outs(%o : tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
  %16 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) outs(%o : tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %po = tensor.empty() : tensor<1x3x6x6xf32>
  %17 = linalg.pooling_nchw_max ins(%i, %k : tensor<1x3x8x8xf32>, tensor<3x3xf32>) outs(%po : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %ii = tensor.empty() : tensor<1x9x9x3xi8>
  %kk = tensor.empty() : tensor<2x2x3x5xi8>
  %oo = tensor.empty() : tensor<1x4x7x5xi32>
  %20 = linalg.conv_2d_nhwc_hwcf {note, dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%ii, %kk : tensor<1x9x9x3xi8>, tensor<2x2x3x5xi8>) outs(%oo : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  linalg.max ins(%m, %m : memref<4x8xf32>, memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  return
}
