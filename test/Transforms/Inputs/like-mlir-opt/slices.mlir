// Constants are folded into a slice only if it stays in bounds: a program that fails at runtime must verify.
func.func @b(%m: memref<5xf32>) -> memref<?xf32, strided<[1]>> {
  %c10 = arith.constant 10 : index
  %r = memref.subview %m[0] [%c10] [1] : memref<5xf32> to memref<?xf32, strided<[1]>>
  return %r : memref<?xf32, strided<[1]>>
}
func.func @c(%m: memref<5xf32>) -> memref<2xf32, strided<[1], offset: ?>> {
  %c10 = arith.constant 10 : index
  %r = memref.subview %m[%c10] [2] [1] : memref<5xf32> to memref<2xf32, strided<[1], offset: ?>>
  return %r : memref<2xf32, strided<[1], offset: ?>>
}
func.func @d(%v: vector<4xf32>) -> f32 {
  %c10 = arith.constant 10 : index
  %r = vector.extract %v[%c10] : f32 from vector<4xf32>
  return %r : f32
}
func.func @e(%v: vector<4xf32>, %x : f32) -> vector<4xf32> {
  %c10 = arith.constant 10 : index
  %r = vector.insert %x, %v[%c10] : f32 into vector<4xf32>
  return %r : vector<4xf32>
}
func.func @f(%t: tensor<4xf32>) -> tensor<?xf32> {
  %c10 = arith.constant 10 : index
  %d = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = tensor.extract_slice %d[8] [%c10] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @h(%t: tensor<5xf32>, %i : index) -> f32 {
  %c10 = arith.constant 10 : index
  %c9 = arith.constant 9 : index
  %r = tensor.extract_slice %t[%i] [%c10] [%c9] : tensor<5xf32> to tensor<?xf32>
  %c3 = arith.constant 3 : index
  %e = tensor.extract %r[%c3] : tensor<?xf32>
  return %e : f32
}
func.func @i(%t: tensor<5xf32>) -> tensor<?xf32> {
  %cm = arith.constant -1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tensor.extract_slice %t[%c4] [%c2] [%cm] : tensor<5xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @j(%t: tensor<5xf32>) -> tensor<?xf32> {
  %cm = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  %r = tensor.extract_slice %t[%c4] [%cm] [1] : tensor<5xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @k(%t: memref<5xf32>) -> index {
  %c4 = arith.constant 4 : index
  %r = memref.dim %t, %c4 : memref<5xf32>
  return %r : index
}
func.func @l(%t: tensor<5xf32>, %n : index) -> tensor<?xf32> {
  %c10 = arith.constant 10 : index
  %c2 = arith.constant 2 : index
  %r = tensor.extract_slice %t[%n] [%c10] [1] : tensor<5xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @m(%t: tensor<?x5xf32>, %n : index) -> tensor<?x?xf32> {
  %c10 = arith.constant 10 : index
  %c2 = arith.constant 2 : index
  %r = tensor.extract_slice %t[0, 0] [%c2, %c10] [1, 1] : tensor<?x5xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @zero_times_dynamic_stride(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32, strided<[?, 1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %0 = memref.subview %m[%c0, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
}
