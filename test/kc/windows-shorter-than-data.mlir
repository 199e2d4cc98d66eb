// The window of a convolution with a single output position may be shorter than the data, also if its extent is known at run time only.
// RUN: %kc run %s --entry conv --inputs "[[[[1],[1],[1],[10],[100]]], [[[1,2,3,4]],[[1,2,3,4]],[[1,2,3,4]]], [[[0,0,0,0]]]]" | FileCheck %s --check-prefix=CONV
// RUN: %kc run %s --entry conv --backend interpret --inputs "[[[[1],[1],[1],[10],[100]]], [[[1,2,3,4]],[[1,2,3,4]],[[1,2,3,4]]], [[[0,0,0,0]]]]" | FileCheck %s --check-prefix=CONV
// RUN: %kc run %s --entry pool --inputs "[[[[1,1,1,1],[2,2,2,2],[3,3,3,3],[100,100,100,100]]],[0,0,0],[[[0,0,0,0]]]]" | FileCheck %s --check-prefix=POOL
// RUN: %kc run %s --entry pool_of_static_data --inputs "[[[[1,1,1,1],[2,2,2,2],[3,3,3,3],[100,100,100,100]]],[0,0,0],[[[0,0,0,0]]]]" | FileCheck %s --check-prefix=POOL

// CONV: 3, 6, 9, 12
func.func @conv(%x: tensor<1x?x1xf32>, %w: tensor<?x1x4xf32>, %c: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<3> : tensor<1xi64>}
      ins(%x, %w : tensor<1x?x1xf32>, tensor<?x1x4xf32>) outs(%c : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// POOL: 3, 3, 3, 3
func.func @pool(%a: tensor<1x?x4xf32>, %b: tensor<?xf32>, %c: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<1x?x4xf32>, tensor<?xf32>) outs(%c : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
func.func @pool_of_static_data(%a: tensor<1x4x4xf32>, %b: tensor<?xf32>, %c: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<1x4x4xf32>, tensor<?xf32>) outs(%c : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
