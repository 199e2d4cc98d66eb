// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @elementwise(%a: tensor<4x?xf32>, %m: memref<4x8xi32>, %b: memref<4x8xi1>) {
  %abs = linalg.abs ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  %log = linalg.log ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  %negf = linalg.negf ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  %sqrt = linalg.sqrt ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  %tanh = linalg.tanh ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  linalg.sub ins(%m, %m : memref<4x8xi32>, memref<4x8xi32>) outs(%m : memref<4x8xi32>)
  linalg.mul ins(%m, %m : memref<4x8xi32>, memref<4x8xi32>) outs(%m : memref<4x8xi32>)
  linalg.div ins(%m, %m : memref<4x8xi32>, memref<4x8xi32>) outs(%m : memref<4x8xi32>)
  linalg.min ins(%m, %m : memref<4x8xi32>, memref<4x8xi32>) outs(%m : memref<4x8xi32>)
  linalg.max ins(%m, %m : memref<4x8xi32>, memref<4x8xi32>) outs(%m : memref<4x8xi32>)
  linalg.add ins(%b, %b : memref<4x8xi1>, memref<4x8xi1>) outs(%b : memref<4x8xi1>)
  linalg.mul ins(%b, %b : memref<4x8xi1>, memref<4x8xi1>) outs(%b : memref<4x8xi1>)
  linalg.max ins(%b, %b : memref<4x8xi1>, memref<4x8xi1>) outs(%b : memref<4x8xi1>)
  linalg.min ins(%b, %b : memref<4x8xi1>, memref<4x8xi1>) outs(%b : memref<4x8xi1>)
  return
}

func.func @windows(%c: tensor<1x3x8x8xf32>, %l: tensor<1x8x8x3xi32>, %k: tensor<3x3xf32>, %co: tensor<1x3x6x6xf32>, %lo: tensor<1x3x3x3xi32>) {
  %0 = linalg.pooling_nchw_sum ins(%c, %k : tensor<1x3x8x8xf32>, tensor<3x3xf32>) outs(%co : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  %sum = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%l, %k : tensor<1x8x8x3xi32>, tensor<3x3xf32>) outs(%lo : tensor<1x3x3x3xi32>) -> tensor<1x3x3x3xi32>
  %max = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%l, %k : tensor<1x8x8x3xi32>, tensor<3x3xf32>) outs(%lo : tensor<1x3x3x3xi32>) -> tensor<1x3x3x3xi32>
  %min = linalg.pooling_nhwc_min {strides = dense<2> : tensor<2xi64>} ins(%l, %k : tensor<1x8x8x3xi32>, tensor<3x3xf32>) outs(%lo : tensor<1x3x3x3xi32>) -> tensor<1x3x3x3xi32>
  return
}

#same = affine_map<(i, j) -> (i, j)>
func.func @generic(%a: tensor<4x?xindex>, %m: memref<4x8xf32>, %s: f32) -> tensor<4x?xindex> {
  %0 = linalg.generic {doc = "indices", indexing_maps = [#same], iterator_types = ["parallel", "parallel"], library_call = "count"}
    outs(%a : tensor<4x?xindex>) attrs = {note} {
  ^bb0(%x: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    linalg.yield %k : index
  } -> tensor<4x?xindex>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #same], iterator_types = ["parallel", "parallel"]} ins(%s : f32) outs(%m : memref<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return %0 : tensor<4x?xindex>
}
