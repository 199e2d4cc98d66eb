func.func @casts(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %x = memref.load %a[%c0] : memref<?xf32>
  return %x : f32
}
func.func @cast_back(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %b = memref.cast %a : memref<?xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
func.func @dim_static(%m: memref<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<4x?xf32>
  %b = memref.dim %m, %c1 : memref<4x?xf32>
  return %a, %b : index, index
}
func.func @dim_of_alloc(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %a = memref.dim %m, %c0 : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %a : index
}
func.func @dim_of_cast(%m: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %a = memref.dim %c, %c0 : memref<?xf32>
  return %a : index
}
func.func @alloc_unused(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}
func.func @alloc_freed() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @alloc_constant_size() -> memref<?xf32> {
  %c4 = arith.constant 4 : index
  %m = memref.alloc(%c4) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func @alloca_constant_size(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloca(%c4) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %y = memref.load %m[%c0] : memref<?xf32>
  return %y : f32
}
func.func @copy_to_itself(%m: memref<4xf32>) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  return
}
func.func @copy_empty(%m: memref<0xf32>, %n: memref<0xf32>) {
  memref.copy %m, %n : memref<0xf32> to memref<0xf32>
  return
}
func.func @copy_of_cast(%m: memref<4xf32>, %n: memref<4xf32>) {
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %b = memref.cast %n : memref<4xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
func.func @subview_static(%m: memref<8x8xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.subview %m[%c0, %c1] [%c4, %c4] [%c1, %c1] : memref<8x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %s : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
func.func @subview_identity(%m: memref<8xf32>) -> memref<8xf32> {
  %s = memref.subview %m[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  %c = memref.cast %s : memref<8xf32, strided<[1]>> to memref<8xf32>
  return %c : memref<8xf32>
}
func.func @subview_of_subview(%m: memref<16xf32>) -> memref<4xf32, strided<[1], offset: 3>> {
  %s = memref.subview %m[1] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 1>>
  %t = memref.subview %s[2] [4] [1] : memref<8xf32, strided<[1], offset: 1>> to memref<4xf32, strided<[1], offset: 3>>
  return %t : memref<4xf32, strided<[1], offset: 3>>
}
func.func @dim_of_subview(%m: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %a = memref.dim %s, %c0 : memref<?xf32, strided<[1]>>
  return %a : index
}
func.func @store_then_dead_load(%m: memref<f32>, %x: f32) {
  memref.store %x, %m[] : memref<f32>
  %y = memref.load %m[] : memref<f32>
  return
}
func.func @expand_collapse(%m: memref<12xf32>) -> memref<12xf32> {
  %a = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  return %b : memref<12xf32>
}
func.func @collapse_collapse(%m: memref<2x3x4xf32>) -> memref<24xf32> {
  %a = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<6x4xf32> into memref<24xf32>
  return %b : memref<24xf32>
}
func.func @transpose_identity(%m: memref<2x3xf32>) -> memref<2x3xf32> {
  %a = memref.transpose %m (i, j) -> (i, j) : memref<2x3xf32> to memref<2x3xf32>
  return %a : memref<2x3xf32>
}
func.func @rank(%m: memref<2x3xf32>) -> index {
  %a = memref.rank %m : memref<2x3xf32>
  return %a : index
}
func.func @reinterpret(%m: memref<8xf32>) -> memref<8xf32> {
  %a = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>
  return %a : memref<8xf32>
}
