// Masks with constant bounds stay vector.constant_mask, unless all or none of their elements are set.
func.func @a() -> (vector<4x4xi1>, vector<4xi1>, vector<[4]xi1>, vector<i1>, vector<4xi1>, vector<4xi1>) {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %cm = arith.constant -1 : index
  %0 = vector.create_mask %c2, %c9 : vector<4x4xi1>
  %1 = vector.constant_mask [4] : vector<4xi1>
  %2 = vector.constant_mask [0] : vector<[4]xi1>
  %3 = vector.create_mask %c2 : vector<i1>
  %4 = vector.create_mask %cm : vector<4xi1>
  %5 = vector.constant_mask [0] : vector<4xi1>
  return %0, %1, %2, %3, %4, %5 : vector<4x4xi1>, vector<4xi1>, vector<[4]xi1>, vector<i1>, vector<4xi1>, vector<4xi1>
}
func.func @b() -> (vector<4xi1>, i1, vector<4x4xi1>, vector<2xi1>) {
  %0 = vector.constant_mask [2, 4] : vector<4x4xi1>
  %1 = vector.extract %0[1] : vector<4xi1> from vector<4x4xi1>
  %2 = vector.extract %0[3, 1] : i1 from vector<4x4xi1>
  %3 = vector.transpose %0, [1, 0] : vector<4x4xi1> to vector<4x4xi1>
  %m = vector.constant_mask [3] : vector<4xi1>
  %4 = vector.extract_strided_slice %m {offsets = [2], sizes = [2], strides = [1]} : vector<4xi1> to vector<2xi1>
  return %1, %2, %3, %4 : vector<4xi1>, i1, vector<4x4xi1>, vector<2xi1>
}
func.func @c(%b: memref<4xf32>, %p: vector<4xf32>) -> (vector<4xf32>, vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [2] : vector<4xi1>
  %o = arith.andi %m, %n : vector<4xi1>
  %r = vector.maskedload %b[%c0], %m, %p : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %s = arith.select %m, %p, %r : vector<4xi1>, vector<4xf32>
  return %s, %o : vector<4xf32>, vector<4xi1>
}
func.func @d(%c: index) -> (vector<[4]xi1>, vector<4x[4]xi1>) {
  %vs = vector.vscale
  %c4 = arith.constant 4 : index
  %n = arith.muli %vs, %c4 : index
  %0 = vector.create_mask %n : vector<[4]xi1>
  %1 = vector.create_mask %c4, %n : vector<4x[4]xi1>
  return %0, %1 : vector<[4]xi1>, vector<4x[4]xi1>
}
