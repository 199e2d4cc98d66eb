// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @extents(%a: tensor<4x8xf32>, %b: tensor<9x16xf32>, %c: tensor<4x16xf32>, %i: tensor<1x3x7x8xf32>,
                   %k: tensor<3x3xf32>, %o: tensor<1x3x6x6xf32>, %v: tensor<4xf32>) {
  // CHECK: error: 'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 9
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<9x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  // CHECK: error: 'linalg.pooling_nchw_max' op inferred input/output operand #0 has shape's dimension #2 to be greater than or equal to 8, but found 7
  %1 = linalg.pooling_nchw_max ins(%i, %k : tensor<1x3x7x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  // CHECK: error: 'linalg.add' op expected operand #1 rank (1) to match the result rank of indexing_map (2)
  %2 = linalg.add ins(%a, %v : tensor<4x8xf32>, tensor<4xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
