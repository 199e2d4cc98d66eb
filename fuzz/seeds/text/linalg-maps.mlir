#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#same = affine_map<(i, j) -> (i, j)>

func.func @contract(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %m: memref<?x?xi8>, %n: memref<?x?xi32>) -> tensor<4x16xf32> {
  %0 = linalg.contract indexing_maps = [#rows, #columns, #result] ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  linalg.contract indexing_maps = [#rows, #columns, #result] {cast = #linalg.type_fn<cast_unsigned>, note} ins(%m, %m : memref<?x?xi8>, memref<?x?xi8>) outs(%n : memref<?x?xi32>)
  linalg.contract indexing_maps = [affine_map<(b, i, k) -> (b, k)>, affine_map<(b, i, k) -> (k, i)>, affine_map<(b, i, k) -> (i, b)>] {cast = #linalg.type_fn<cast_signed>} ins(%m, %m : memref<?x?xi8>, memref<?x?xi8>) outs(%n : memref<?x?xi32>)
  return %0 : tensor<4x16xf32>
}

#row = affine_map<(i, j) -> (j)>
#none = affine_map<(i, j) -> ()>

func.func @elementwise(%a: tensor<4x8xf32>, %t: tensor<8x4xf32>, %v: tensor<8xf32>, %s: f32, %c: tensor<4x8xi1>, %m: memref<?x?xi32>, %w: tensor<?xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#swapped, #row, #same] ins(%t, %v : tensor<8x4xf32>, tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.elementwise kind=#linalg.elementwise_kind<sub> indexing_maps = [#same, #none, #same] {note = "scalar"} ins(%a, %s : tensor<4x8xf32>, f32) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%c, %a, %a : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [#same, #same] ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = linalg.elementwise kind=#linalg.elementwise_kind<powf> {note} ins(%w, %w : tensor<?xf32>, tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<div_unsigned> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  linalg.elementwise kind=#linalg.elementwise_kind<min_unsigned> ins(%m, %m : memref<?x?xi32>, memref<?x?xi32>) outs(%m : memref<?x?xi32>)
  %log = linalg.elementwise kind=#linalg.elementwise_kind<log> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %abs = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %ceil = linalg.elementwise kind=#linalg.elementwise_kind<ceil> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %floor = linalg.elementwise kind=#linalg.elementwise_kind<floor> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %negf = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %reciprocal = linalg.elementwise kind=#linalg.elementwise_kind<reciprocal> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %round = linalg.elementwise kind=#linalg.elementwise_kind<round> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %sqrt = linalg.elementwise kind=#linalg.elementwise_kind<sqrt> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %rsqrt = linalg.elementwise kind=#linalg.elementwise_kind<rsqrt> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %square = linalg.elementwise kind=#linalg.elementwise_kind<square> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %tanh = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %erf = linalg.elementwise kind=#linalg.elementwise_kind<erf> ins(%w : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  return
}

// Products of matrices whose maps transpose or repeat an input.
func.func @matmuls(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %v: tensor<8xf32>, %x: tensor<2x5x3xf32>, %y: tensor<2x5x7xf32>, %z: tensor<2x3x7xf32>, %r: tensor<3x7xf32>) {
  %0 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%a, %b : tensor<8x4xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%v, %b : tensor<8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, k) -> (b, k, i)>, affine_map<(b, i, j, k) -> (b, k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>] ins(%x, %y : tensor<2x5x3xf32>, tensor<2x5x7xf32>) outs(%z : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %3 = linalg.batch_reduce_matmul indexing_maps = [affine_map<(b, i, j, k) -> (b, k, i)>, affine_map<(b, i, j, k) -> (b, k, j)>, affine_map<(b, i, j, k) -> (i, j)>] ins(%x, %y : tensor<2x5x3xf32>, tensor<2x5x7xf32>) outs(%r : tensor<3x7xf32>) -> tensor<3x7xf32>
  return
}
