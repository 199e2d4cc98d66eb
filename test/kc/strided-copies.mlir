// Copies between buffers that are not contiguous, of static, dynamic and unknown rank, also without elements.
// RUN: %kc run %s --entry main --inputs '[3]' | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[3]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[3]' --backend interpret-buffers | FileCheck %s
// CHECK: (0, 1, 2, 4, 5, 6, 9)
// RUN: %kc build %s --entry main --emit=so -o %t.so
func.func @main(%n: index) -> (i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%n) : memref<?x4xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = arith.muli %i, %n : index
      %t = arith.addi %s, %j : index
      %x = arith.index_cast %t : index to i32
      memref.store %x, %m[%i, %j] : memref<?x4xi32>
    }
  }
  %view = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<?x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 1>>
  %row = memref.subview %m[0, 0] [1, 3] [1, 1] : memref<?x4xi32> to memref<3xi32, strided<[1]>>
  %empty = memref.subview %m[%n, 0] [0, 2] [1, 1] : memref<?x4xi32> to memref<0x2xi32, strided<[4, 1], offset: ?>>
  %square = memref.alloc() : memref<2x2xi32>
  %line = memref.alloc() : memref<3xi32>
  %none = memref.alloc() : memref<0x2xi32>
  memref.copy %view, %square : memref<2x2xi32, strided<[4, 1], offset: 1>> to memref<2x2xi32>
  memref.copy %row, %line : memref<3xi32, strided<[1]>> to memref<3xi32>
  memref.copy %empty, %none : memref<0x2xi32, strided<[4, 1], offset: ?>> to memref<0x2xi32>
  %c9 = arith.constant 9 : i32
  memref.store %c9, %m[%c2, %c2] : memref<?x4xi32>
  %corner = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<?x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 5>>
  %any = memref.cast %corner : memref<2x2xi32, strided<[4, 1], offset: 5>> to memref<*xi32>
  %last = memref.alloc() : memref<2x2xi32>
  %whole = memref.cast %last : memref<2x2xi32> to memref<*xi32>
  memref.copy %any, %whole : memref<*xi32> to memref<*xi32>
  %0 = memref.load %line[%c0] : memref<3xi32>
  %1 = memref.load %square[%c0, %c0] : memref<2x2xi32>
  %2 = memref.load %line[%c2] : memref<3xi32>
  %3 = memref.load %square[%c1, %c0] : memref<2x2xi32>
  %4 = memref.load %square[%c1, %c1] : memref<2x2xi32>
  %5 = memref.load %m[%c2, %c0] : memref<?x4xi32>
  %6 = memref.load %last[%c1, %c1] : memref<2x2xi32>
  memref.dealloc %square : memref<2x2xi32>
  memref.dealloc %line : memref<3xi32>
  memref.dealloc %none : memref<0x2xi32>
  memref.dealloc %last : memref<2x2xi32>
  memref.dealloc %m : memref<?x4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i32
}
