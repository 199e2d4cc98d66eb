// REQUIRES: mlir-opt
// RUN: %kopt --allow-unregistered-dialect --canonicalize %s > %t.kopt && %mlir-opt --allow-unregistered-dialect --canonicalize %s > %t.mlir && diff %t.mlir %t.kopt

func.func @casts(%m: memref<4xf32>, %i: index, %x: f32) -> (f32, memref<?xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  memref.store %x, %0[%i] : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  %2 = memref.cast %0 : memref<?xf32> to memref<4xf32>
  %3 = memref.cast %2 : memref<4xf32> to memref<?xf32>
  return %1, %3 : f32, memref<?xf32>
}

func.func @sizes(%n: index, %d: memref<4x?xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<3x?xf32>
  "test.use"(%a) : (memref<3x?xf32>) -> ()
  %0 = memref.dim %a, %c1 : memref<3x?xf32>
  %1 = memref.dim %d, %c0 : memref<4x?xf32>
  %2 = memref.dim %d, %c1 : memref<4x?xf32>
  %3 = memref.rank %d : memref<4x?xf32>
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @constant_alloc() -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc(%c4, %c5) {alignment = 64 : i64} : memref<?x?xf32>
  return %a : memref<?x?xf32>
}

func.func @static_subview(%m: memref<8x16xf32>, %n: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = memref.subview %m[%c1, %n] [%c4, %n] [%c1, %c1] : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

func.func @reduced_subview(%m: memref<8x16xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %0 = memref.subview %m[%c2, 0] [1, %c4] [1, %c2] : memref<8x16xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %0 : memref<?xf32, strided<[?], offset: ?>>
}

func.func @whole_subview(%m: memref<8x16xf32, strided<[16, 1]>>) -> memref<8x16xf32, strided<[16, 1]>> {
  %0 = memref.subview %m[0, 0] [8, 16] [1, 1] : memref<8x16xf32, strided<[16, 1]>> to memref<8x16xf32, strided<[16, 1]>>
  return %0 : memref<8x16xf32, strided<[16, 1]>>
}

func.func @reshapes(%m: memref<4x6xf32>) -> memref<4x6xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
  return %1 : memref<4x6xf32>
}

func.func @identities(%m: memref<4x6xf32>) -> (memref<4x6xf32>, memref<24xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 6], strides: [6, 1] : memref<4x6xf32> to memref<4x6xf32>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [24], strides: [1] : memref<4x6xf32> to memref<24xf32>
  return %0, %1 : memref<4x6xf32>, memref<24xf32>
}

func.func @spaces(%m: memref<4xf32, 1>) -> memref<4xf32, 3> {
  %0 = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32, 2>
  %1 = memref.memory_space_cast %0 : memref<4xf32, 2> to memref<4xf32, 3>
  return %1 : memref<4xf32, 3>
}

// Offsets, sizes and strides that are static in the type are constants.
// CHECK-LABEL: func.func @known_metadata
func.func @known_metadata(%m: memref<2x?xf32, strided<[?, 1], offset: 3>>) -> (index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<2x?xf32, strided<[?, 1], offset: 3>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}

func.func @expand_to_other_extents(%x: memref<?x?xf32>, %a: index, %b: index) -> memref<?x?xf32> {
  %0 = memref.collapse_shape %x [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>
  return %1 : memref<?x?xf32>
}
