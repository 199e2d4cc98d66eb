func.func @extract_of_broadcast(%x: f32) -> f32 {
  %v = vector.broadcast %x : f32 to vector<4xf32>
  %e = vector.extract %v[2] : f32 from vector<4xf32>
  return %e : f32
}
func.func @extract_of_elements(%x: f32, %y: f32) -> f32 {
  %v = vector.from_elements %x, %y : vector<2xf32>
  %e = vector.extract %v[1] : f32 from vector<2xf32>
  return %e : f32
}
func.func @extract_of_constant() -> (f32, f32) {
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.constant dense<3.0> : vector<2xf32>
  %e = vector.extract %v[1] : f32 from vector<2xf32>
  %f = vector.extract %s[0] : f32 from vector<2xf32>
  return %e, %f : f32, f32
}
func.func @extract_of_insert(%v: vector<4xf32>, %x: f32) -> (f32, f32) {
  %i = vector.insert %x, %v[2] : f32 into vector<4xf32>
  %e = vector.extract %i[2] : f32 from vector<4xf32>
  %f = vector.extract %i[1] : f32 from vector<4xf32>
  return %e, %f : f32, f32
}
func.func @extract_of_extract(%v: vector<2x3x4xf32>) -> f32 {
  %a = vector.extract %v[1] : vector<3x4xf32> from vector<2x3x4xf32>
  %b = vector.extract %a[2, 3] : f32 from vector<3x4xf32>
  return %b : f32
}
func.func @broadcast_of_broadcast(%x: f32) -> vector<3x4xf32> {
  %a = vector.broadcast %x : f32 to vector<4xf32>
  %b = vector.broadcast %a : vector<4xf32> to vector<3x4xf32>
  return %b : vector<3x4xf32>
}
func.func @broadcast_same(%v: vector<4xf32>) -> vector<4xf32> {
  %b = vector.broadcast %v : vector<4xf32> to vector<4xf32>
  return %b : vector<4xf32>
}
func.func @broadcast_constant() -> vector<4xf32> {
  %c = arith.constant 1.0 : f32
  %b = vector.broadcast %c : f32 to vector<4xf32>
  return %b : vector<4xf32>
}
func.func @shape_cast_back(%v: vector<12xf32>) -> vector<12xf32> {
  %a = vector.shape_cast %v : vector<12xf32> to vector<3x4xf32>
  %b = vector.shape_cast %a : vector<3x4xf32> to vector<12xf32>
  return %b : vector<12xf32>
}
func.func @bitcast_back(%v: vector<4xf32>) -> vector<4xf32> {
  %a = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  %b = vector.bitcast %a : vector<4xi32> to vector<4xf32>
  return %b : vector<4xf32>
}
func.func @transpose_back(%v: vector<3x4xf32>) -> vector<3x4xf32> {
  %a = vector.transpose %v, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  %b = vector.transpose %a, [1, 0] : vector<4x3xf32> to vector<3x4xf32>
  return %b : vector<3x4xf32>
}
func.func @transpose_identity(%v: vector<3x4xf32>) -> vector<3x4xf32> {
  %a = vector.transpose %v, [0, 1] : vector<3x4xf32> to vector<3x4xf32>
  return %a : vector<3x4xf32>
}
func.func @shuffle_identity(%v: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %a = vector.shuffle %v, %w [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  %b = vector.shuffle %v, %w [4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  return %a, %b : vector<4xf32>, vector<4xf32>
}
func.func @slices(%v: vector<4xf32>) -> vector<4xf32> {
  %a = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
  return %a : vector<4xf32>
}
func.func @slice_of_slice(%v: vector<8xf32>) -> vector<2xf32> {
  %a = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %b = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return %b : vector<2xf32>
}
func.func @reduction_one(%v: vector<1xf32>) -> f32 {
  %r = vector.reduction <add>, %v : vector<1xf32> into f32
  return %r : f32
}
func.func @constant_mask() -> vector<4xi1> {
  %c4 = arith.constant 4 : index
  %m = vector.create_mask %c4 : vector<4xi1>
  return %m : vector<4xi1>
}
func.func @masked_all(%m: memref<?xf32>, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %t = vector.constant_mask [4] : vector<4xi1>
  %v = vector.maskedload %m[%c0], %t, %p : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
func.func @masked_none(%m: memref<?xf32>, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %t = vector.constant_mask [0] : vector<4xi1>
  %v = vector.maskedload %m[%c0], %t, %p : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
func.func @fma_dead(%v: vector<4xf32>) {
  %r = vector.fma %v, %v, %v : vector<4xf32>
  return
}
func.func @dynamic_position(%v: vector<4xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  %e = vector.extract %v[%c2] : f32 from vector<4xf32>
  return %e : f32
}
