// RUN: %kopt %s --apply-patterns=sets=memref-expand-layouts | FileCheck %s

// The number of elements from the base to the last one is 2^64 + 1: an allocation of one element would be too small.
// CHECK-LABEL: @overflow
// CHECK: memref.alloc() : memref<4611686018427387905xf32, strided<[4]>>
func.func @overflow() -> memref<4611686018427387905xf32, strided<[4]>> {
  %m = memref.alloc() : memref<4611686018427387905xf32, strided<[4]>>
  return %m : memref<4611686018427387905xf32, strided<[4]>>
}

// CHECK-LABEL: @gaps
// CHECK: memref.alloc() : memref<9xf32>
func.func @gaps() -> memref<3xf32, strided<[4]>> {
  %m = memref.alloc() : memref<3xf32, strided<[4]>>
  return %m : memref<3xf32, strided<[4]>>
}
