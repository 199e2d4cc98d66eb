#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @copy_generic(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @unused_input(%t: tensor<4xf32>, %u: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32, %y: f32):
    %a = arith.addf %x, %x : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @same_input(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32, %y: f32):
    %a = arith.addf %x, %z : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @unused_result(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%o, %o : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %a = arith.addf %x, %x : f32
    %b = arith.mulf %x, %x : f32
    linalg.yield %a, %b : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0 : tensor<4xf32>
}
func.func @dead(%t: tensor<4xf32>, %o: tensor<4xf32>) {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %a = arith.addf %x, %x : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return
}
func.func @cast_operand(%t: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %a = arith.addf %x, %x : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @dim_of_result(%t: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %o = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %a = arith.addf %x, %x : f32
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}
func.func @fill_extract(%x: f32, %i: index) -> f32 {
  %o = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.extract %f[%i] : tensor<4xf32>
  return %e : f32
}
func.func @fill_reshaped(%x: f32) -> tensor<2x2xf32> {
  %o = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}
func.func @copy_to_itself(%m: memref<4xf32>) {
  linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  return
}
func.func @copy_tensors(%t: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.copy ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @transpose_twice(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a = tensor.empty() : tensor<4x3xf32>
  %b = linalg.transpose ins(%t : tensor<3x4xf32>) outs(%a : tensor<4x3xf32>) permutation = [1, 0]
  %c = tensor.empty() : tensor<3x4xf32>
  %d = linalg.transpose ins(%b : tensor<4x3xf32>) outs(%c : tensor<3x4xf32>) permutation = [1, 0]
  return %d : tensor<3x4xf32>
}
func.func @transpose_identity(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a = tensor.empty() : tensor<3x4xf32>
  %b = linalg.transpose ins(%t : tensor<3x4xf32>) outs(%a : tensor<3x4xf32>) permutation = [0, 1]
  return %b : tensor<3x4xf32>
}
func.func @broadcast_nothing(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a = tensor.empty() : tensor<3x4xf32>
  %b = linalg.broadcast ins(%t : tensor<3x4xf32>) outs(%a : tensor<3x4xf32>) dimensions = []
  return %b : tensor<3x4xf32>
}
func.func @fill_transposed(%x: f32) -> tensor<3x4xf32> {
  %a = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<4x3xf32>) -> tensor<4x3xf32>
  %c = tensor.empty() : tensor<3x4xf32>
  %d = linalg.transpose ins(%f : tensor<4x3xf32>) outs(%c : tensor<3x4xf32>) permutation = [1, 0]
  return %d : tensor<3x4xf32>
}
func.func @fill_constant() -> tensor<4xf32> {
  %x = arith.constant 2.0 : f32
  %a = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%x : f32) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @empty_buffers(%m: memref<0xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<0xf32>)
  return
}
func.func @constant_index_dimension(%o: tensor<1x4xindex>) -> tensor<1x4xindex> {
  %r = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xindex>) {
  ^bb0(%y: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x4xindex>
  return %r : tensor<1x4xindex>
}
