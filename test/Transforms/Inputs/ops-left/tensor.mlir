func.func @cast_back(%t: tensor<4xf32>) -> tensor<4xf32> {
  %a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %b = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @cast_of_cast(%t: tensor<4x?xf32>) -> tensor<?x4xf32> {
  %a = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %b = tensor.cast %a : tensor<?x?xf32> to tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}
func.func @extract_of_cast(%t: tensor<4xf32>, %i: index) -> f32 {
  %a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %x = tensor.extract %a[%i] : tensor<?xf32>
  return %x : f32
}
func.func @extract_of_elements(%x: f32, %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %t = tensor.from_elements %x, %y : tensor<2xf32>
  %e = tensor.extract %t[%c1] : tensor<2xf32>
  return %e : f32
}
func.func @extract_of_constant() -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<3.0> : tensor<2xf32>
  %e = tensor.extract %t[%c1] : tensor<2xf32>
  %f = tensor.extract %s[%c1] : tensor<2xf32>
  return %e, %f : f32, f32
}
func.func @extract_of_splat(%x: f32, %i: index) -> f32 {
  %t = tensor.splat %x : tensor<8xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %e : f32
}
func.func @extract_of_generate(%i: index) -> index {
  %t = tensor.generate {
  ^bb0(%j: index):
    %v = arith.muli %j, %j : index
    tensor.yield %v : index
  } : tensor<8xindex>
  %e = tensor.extract %t[%i] : tensor<8xindex>
  return %e : index
}
func.func @splat_constant() -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %t = tensor.splat %c : tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func @elements_constant() -> tensor<2xf32> {
  %c = arith.constant 1.0 : f32
  %d = arith.constant 2.0 : f32
  %t = tensor.from_elements %c, %d : tensor<2xf32>
  return %t : tensor<2xf32>
}
func.func @dim(%t: tensor<4x?xf32>, %n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %t, %c0 : tensor<4x?xf32>
  %b = tensor.dim %t, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %c = tensor.dim %e, %c0 : tensor<?xf32>
  %k = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %d = tensor.dim %k, %c0 : tensor<?x?xf32>
  return %a, %b, %c, %d : index, index, index, index
}
func.func @dim_of_generate(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %t = tensor.generate %n {
  ^bb0(%j: index):
    tensor.yield %j : index
  } : tensor<?xindex>
  %d = tensor.dim %t, %c0 : tensor<?xindex>
  return %d : index
}
func.func @dim_of_insert(%t: tensor<?xf32>, %x: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %x into %t[%i] : tensor<?xf32>
  %d = tensor.dim %u, %c0 : tensor<?xf32>
  return %d : index
}
func.func @empty_constant_size() -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %t = tensor.empty(%c4) : tensor<?xf32>
  return %t : tensor<?xf32>
}
func.func @generate_constant_size() -> tensor<?xindex> {
  %c4 = arith.constant 4 : index
  %t = tensor.generate %c4 {
  ^bb0(%j: index):
    tensor.yield %j : index
  } : tensor<?xindex>
  return %t : tensor<?xindex>
}
func.func @insert_extract(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  %e = tensor.extract %u[%i] : tensor<4xf32>
  return %e : f32
}
func.func @slice_whole(%t: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %s = tensor.extract_slice %t[0, 0] [4, 5] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
func.func @slice_constant_operands(%t: tensor<8x8xf32>) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[%c1, %c1] [%c2, %c2] [%c1, %c1] : tensor<8x8xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
func.func @slice_inserted(%t: tensor<8xf32>, %p: tensor<2xf32>) -> tensor<2xf32> {
  %u = tensor.insert_slice %p into %t[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %s = tensor.extract_slice %u[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func @insert_whole(%t: tensor<8xf32>, %p: tensor<8xf32>) -> tensor<8xf32> {
  %u = tensor.insert_slice %p into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  return %u : tensor<8xf32>
}
func.func @insert_what_was_extracted(%t: tensor<8xf32>) -> tensor<8xf32> {
  %p = tensor.extract_slice %t[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %u = tensor.insert_slice %p into %t[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %u : tensor<8xf32>
}
func.func @reshapes(%t: tensor<12xf32>) -> tensor<12xf32> {
  %a = tensor.expand_shape %t [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  return %b : tensor<12xf32>
}
func.func @collapse_collapse(%t: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  return %b : tensor<24xf32>
}
func.func @reshape_of_constant() -> tensor<2x2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %a = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
func.func @pad_nothing(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %p = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %p : tensor<4xf32>
}
func.func @rank(%t: tensor<4x5xf32>) -> index {
  %r = tensor.rank %t : tensor<4x5xf32>
  return %r : index
}
func.func @concat_one(%t: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.concat dim(0) %t : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @dead(%n: index, %x: f32) {
  %a = tensor.splat %x[%n] : tensor<?xf32>
  %b = tensor.empty(%n) : tensor<?xf32>
  %c = tensor.from_elements %x, %x : tensor<2xf32>
  return
}
func.func @call_of_cast(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %i = arith.subi %d, %d : index
  %x = tensor.extract %a[%i] : tensor<?xf32>
  return %x : f32
}
