// Known extents reach structured operations, and casts that forget extents move behind their users.
#id = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @a(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#t, #map2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x4xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @b(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>, %c : tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<4x8xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @c(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.add ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @d(%a: tensor<4x8xf32>, %n : index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.add ins(%a, %f : tensor<4x8xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @e(%a: tensor<4xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<?xf32>) outs(%b : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %d = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<?xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %e = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %e : tensor<4xf32>
}
func.func @g(%a: tensor<1x?xf32>, %b: tensor<?x4xf32>, %i : tensor<1x?x4xf32>) -> (tensor<4x?xf32>, tensor<?xf32>) {
  %z = tensor.empty() : tensor<4x7xf32>
  %zz = tensor.cast %z : tensor<4x7xf32> to tensor<4x?xf32>
  %0 = linalg.transpose ins(%b : tensor<?x4xf32>) outs(%zz : tensor<4x?xf32>) permutation = [1, 0]
  %q = tensor.empty() : tensor<7xf32>
  %qq = tensor.cast %q : tensor<7xf32> to tensor<?xf32>
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<4x?xf32>) outs(%qq : tensor<?xf32>) dimensions = [0]
  return %0, %1 : tensor<4x?xf32>, tensor<?xf32>
}
func.func @h(%a: tensor<4xf32>, %s: tensor<?xf32>, %i : index) -> (tensor<?xf32>, tensor<?xf32>, index, f32, tensor<2xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %0 = tensor.extract_slice %c[%i] [2] [1] : tensor<?xf32> to tensor<2xf32>
  %1 = tensor.insert_slice %0 into %c[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
  %cs = tensor.cast %s : tensor<?xf32> to tensor<2xf32>
  %2 = tensor.insert_slice %cs into %c[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
  %d = tensor.dim %c, %c0 : tensor<?xf32>
  %e = tensor.extract %c[%i] : tensor<?xf32>
  %f = tensor.insert %e into %c[%i] : tensor<?xf32>
  return %1, %2, %d, %e, %0, %f : tensor<?xf32>, tensor<?xf32>, index, f32, tensor<2xf32>, tensor<?xf32>
}
func.func @i(%m: memref<4xf32>, %i : index, %x: f32) -> (f32, index, memref<2xf32, strided<[1], offset: ?>>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %0 = memref.load %c[%i] : memref<?xf32>
  memref.store %x, %c[%i] : memref<?xf32>
  %d = memref.dim %c, %c0 : memref<?xf32>
  %s = memref.subview %c[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  %cc = memref.cast %c : memref<?xf32> to memref<4xf32>
  %ccc = memref.cast %cc : memref<4xf32> to memref<?xf32>
  memref.copy %c, %ccc : memref<?xf32> to memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return %0, %d, %s, %ccc : f32, index, memref<2xf32, strided<[1], offset: ?>>, memref<?xf32>
}
func.func @j(%a: tensor<4x6xf32>, %n : index, %p: f32) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>) {
  %c = tensor.cast %a : tensor<4x6xf32> to tensor<?x?xf32>
  %0 = tensor.pad %c low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.collapse_shape %c [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %c [[0], [1, 2]] output_shape [%n, %n, %n] : tensor<?x?xf32> into tensor<?x?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>
}
