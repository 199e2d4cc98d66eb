// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s

// Storage that is written and freed, and never read.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: %[[M:.*]] = memref.alloc() : memref<memref<f32>>
// CHECK-NEXT: %[[K:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT: memref.store %[[K]], %[[M]][]
// CHECK-NEXT: return %[[M]]
func.func @unused(%n: index, %x: f32) -> memref<memref<f32>> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloca() : memref<f32>
  memref.store %x, %m[%c0] : memref<?xf32>
  memref.store %x, %a[] : memref<f32>
  memref.dealloc %m : memref<?xf32>
  %k = memref.alloc() : memref<memref<f32>>
  %i = memref.alloc() : memref<f32>
  memref.store %i, %k[] : memref<memref<f32>>
  return %k : memref<memref<f32>>
}

// Copies of nothing; copies of casts.
// CHECK-LABEL: func.func @copies
// CHECK-NEXT: memref.copy %arg0, %arg1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: return
func.func @copies(%m: memref<4xf32>, %n: memref<4xf32>, %e: memref<0xf32>, %f: memref<0xf32>) {
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %b = memref.cast %n : memref<4xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.copy %e, %f : memref<0xf32> to memref<0xf32>
  return
}

// A part that is all; the extent of a part.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT: return %arg0, %arg2
func.func @parts(%m: memref<8xf32>, %w: memref<4x?xf32>, %n: index) -> (memref<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  %c = memref.cast %s : memref<8xf32, strided<[1]>> to memref<8xf32>
  %p = memref.subview %w[1, 0] [1, %n] [1, 1] : memref<4x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %d = memref.dim %p, %c0 : memref<?xf32, strided<[1], offset: ?>>
  return %c, %d : memref<8xf32>, index
}

// Reshapes of reshapes.
// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: %[[A:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
// CHECK-NEXT: %[[B:.*]] = memref.expand_shape %[[A]] {{\[}}[0, 1, 2]] output_shape [4, 3, 2] : memref<24xf32> into memref<4x3x2xf32>
// CHECK-NEXT: return %[[B]]
func.func @reshapes(%m: memref<2x3x4xf32>) -> memref<4x3x2xf32> {
  %a = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<6x4xf32> into memref<24xf32>
  %c = memref.expand_shape %b [[0, 1]] output_shape [12, 2] : memref<24xf32> into memref<12x2xf32>
  %d = memref.expand_shape %c [[0, 1], [2]] output_shape [4, 3, 2] : memref<12x2xf32> into memref<4x3x2xf32>
  return %d : memref<4x3x2xf32>
}
