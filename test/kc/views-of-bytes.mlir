// Views of a buffer of bytes have elements of other types, in the interpreter as in machine code.
// RUN: %kc run %s --entry main --inputs '[1.5, -2]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[1.5, -2]' --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[1.5, -2]' | FileCheck %s
// The bits of the float, its upper half, the sum of both numbers of a matrix, and a byte of the integer.
// CHECK: (1069547520, 16320, -0.5, -1)
func.func @main(%x: f32, %n: i16) -> (i32, i16, f32, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %bytes = memref.alloc() : memref<24xi8>
  %matrix = memref.view %bytes[%c4][%c2] : memref<24xi8> to memref<?x2xf32>
  %column = memref.subview %matrix[0, 0] [2, 1] [1, 1] : memref<?x2xf32> to memref<2xf32, strided<[2]>>
  %y = arith.sitofp %n : i16 to f32
  memref.store %x, %column[%c0] : memref<2xf32, strided<[2]>>
  memref.store %y, %column[%c1] : memref<2xf32, strided<[2]>>
  %a = memref.load %matrix[%c0, %c0] : memref<?x2xf32>
  %b = memref.load %matrix[%c1, %c0] : memref<?x2xf32>
  %sum = arith.addf %a, %b : f32
  %word = memref.view %bytes[%c4][] : memref<24xi8> to memref<i32>
  %bits = memref.load %word[] : memref<i32>
  %halves = memref.view %bytes[%c4][] : memref<24xi8> to memref<2xi16>
  %half = memref.load %halves[%c1] : memref<2xi16>
  %short = memref.view %bytes[%c8][] : memref<24xi8> to memref<1xi16>
  memref.store %n, %short[%c0] : memref<1xi16>
  %byte = memref.load %bytes[%c9] : memref<24xi8>
  memref.dealloc %bytes : memref<24xi8>
  return %bits, %half, %sum, %byte : i32, i16, f32, i8
}
