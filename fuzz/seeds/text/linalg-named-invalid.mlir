func.func @extents(%a: tensor<4x8xf32>, %b: tensor<9x16xf32>, %c: tensor<4x16xf32>, %i: tensor<1x3x7x8xf32>,
                   %k: tensor<3x3xf32>, %o: tensor<1x3x6x6xf32>, %v: tensor<4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<9x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.pooling_nchw_max ins(%i, %k : tensor<1x3x7x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %2 = linalg.add ins(%a, %v : tensor<4x8xf32>, tensor<4xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
