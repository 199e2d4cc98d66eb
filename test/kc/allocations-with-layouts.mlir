// RUN: %kc run %s --entry allocate --inputs '[3]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry allocate --inputs '[3]' --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry allocate --inputs '[3]' --backend jit | FileCheck %s
// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=memref-expand-layouts})' | FileCheck %s --check-prefix=IR

// MLIR lowers allocations with the identity layout only.
// CHECK: {{^}}(7, 8, 7){{$}}
// IR-LABEL: func.func @allocate
// IR: %[[A:.*]] = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x3xi32>
// IR: memref.cast %[[A]] : memref<?x3xi32> to memref<?x3xi32, strided<[3, 1]>>
// IR: %[[B:.*]] = memref.alloca() : memref<12xi32>
// IR: memref.reinterpret_cast %[[B]] to offset: [5], sizes: [2, 3], strides: [4, 1]
// IR: %[[C:.*]] = memref.alloca() : memref<6xi32>
// IR: memref.reinterpret_cast %[[C]] to offset: [0], sizes: [2, 3], strides: [1, 2]
// IR: %[[D:.*]] = memref.alloca() : memref<8xi32>
// IR: memref.reinterpret_cast %[[D]] to offset: [1], sizes: [4], strides: [2]
func.func @allocate(%n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 7 : i32
  %w = arith.constant 8 : i32
  %a = memref.alloc(%n) {alignment = 64} : memref<?x3xi32, strided<[3, 1]>>
  linalg.fill ins(%v : i32) outs(%a : memref<?x3xi32, strided<[3, 1]>>)
  %b = memref.alloca() : memref<2x3xi32, strided<[4, 1], offset: 5>>
  linalg.fill ins(%w : i32) outs(%b : memref<2x3xi32, strided<[4, 1], offset: 5>>)
  %c = memref.alloca() : memref<2x3xi32, strided<[1, 2]>>
  memref.copy %b, %c : memref<2x3xi32, strided<[4, 1], offset: 5>> to memref<2x3xi32, strided<[1, 2]>>
  %d = memref.alloca() : memref<4xi32, affine_map<(i) -> (i * 2 + 1)>>
  memref.store %v, %d[%c2] : memref<4xi32, affine_map<(i) -> (i * 2 + 1)>>
  %x = memref.load %a[%c2, %c2] : memref<?x3xi32, strided<[3, 1]>>
  %y = memref.load %c[%c1, %c2] : memref<2x3xi32, strided<[1, 2]>>
  %z = memref.load %d[%c2] : memref<4xi32, affine_map<(i) -> (i * 2 + 1)>>
  memref.dealloc %a : memref<?x3xi32, strided<[3, 1]>>
  return %x, %y, %z : i32, i32, i32
}

// Allocations on the heap with gaps between their elements.
// RUN: %kc run %s --entry gaps --inputs '[2, 4]' --backend interpret | FileCheck %s --check-prefix=GAPS
// RUN: %kc run %s --entry gaps --inputs '[2, 4]' --backend jit | FileCheck %s --check-prefix=GAPS
// RUN: %kc run %s --entry gaps --inputs '[2, 4]' --backend interpret-buffers | FileCheck %s --check-prefix=GAPS
// GAPS: {{^}}(7, 8, 7){{$}}
// IR-LABEL: func.func @gaps
// IR: %[[A:.*]] = memref.alloc() : memref<12xi32>
// IR: memref.reinterpret_cast %[[A]] to offset: [5], sizes: [2, 3], strides: [4, 1]
// IR: %[[EMPTY:.*]] = arith.cmpi eq, %arg0
// IR: %[[SPAN:.*]] = arith.select %[[EMPTY]], %{{.*}}, %{{.*}} : index
// IR: %[[B:.*]] = memref.alloc(%[[SPAN]]) : memref<?xi32>
// IR: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%arg0, 3], strides: [%arg1, 1]
// IR: memref.dealloc %[[A]]
// IR: memref.dealloc %[[B]]
func.func @gaps(%n: index, %stride: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %w = arith.constant 8 : i32
  %a = memref.alloc() : memref<2x3xi32, strided<[4, 1], offset: 5>>
  linalg.fill ins(%v : i32) outs(%a : memref<2x3xi32, strided<[4, 1], offset: 5>>)
  %b = memref.alloc(%n)[%stride] : memref<?x3xi32, strided<[?, 1]>>
  linalg.fill ins(%w : i32) outs(%b : memref<?x3xi32, strided<[?, 1]>>)
  memref.store %v, %b[%c1, %c0] : memref<?x3xi32, strided<[?, 1]>>
  %x = memref.load %a[%c1, %c1] : memref<2x3xi32, strided<[4, 1], offset: 5>>
  %y = memref.load %b[%c1, %c1] : memref<?x3xi32, strided<[?, 1]>>
  %z = memref.load %b[%c1, %c0] : memref<?x3xi32, strided<[?, 1]>>
  memref.dealloc %a : memref<2x3xi32, strided<[4, 1], offset: 5>>
  memref.dealloc %b : memref<?x3xi32, strided<[?, 1]>>
  return %x, %y, %z : i32, i32, i32
}

// The number of elements up to the last one is 2^64 + 1: an allocation of one element would be too small.
// RUN: %kc run %s --entry fits --inputs '[3, 4]' | FileCheck %s --check-prefix=FITS
// RUN: %kc run %s --entry fits --inputs '[0, 4611686018427387904]' | FileCheck %s --check-prefix=NONE
// RUN: not %kc run %s --entry fits --inputs '[4611686018427387905, 4]' 2>&1 | FileCheck %s --check-prefix=OVERFLOWS
// RUN: not %kc run %s --entry fits --inputs '[5, 4611686018427387904]' 2>&1 | FileCheck %s --check-prefix=OVERFLOWS
// RUN: not %kc run %s --entry fits --inputs '[2, -1]' 2>&1 | FileCheck %s --check-prefix=OVERFLOWS
// FITS: {{^}}3{{$}}
// NONE: {{^}}0{{$}}
// OVERFLOWS: error: the size of a tensor overflows
// OVERFLOWS-NEXT: --> {{.*}}allocations-with-layouts.mlir:[[# @LINE + 2]]:8
func.func @fits(%n: index, %stride: index) -> index {
  %a = memref.alloc(%n)[%stride] : memref<?xi8, strided<[?]>>
  %c0 = arith.constant 0 : index
  %size = func.call @extent(%a) : (memref<?xi8, strided<[?]>>) -> index
  memref.dealloc %a : memref<?xi8, strided<[?]>>
  return %size : index
}
func.func private @extent(%a: memref<?xi8, strided<[?]>>) -> index attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : i8
  %size = memref.dim %a, %c0 : memref<?xi8, strided<[?]>>
  %is_empty = arith.cmpi eq, %size, %c0 : index
  scf.if %is_empty {
  } else {
    memref.store %c5, %a[%c0] : memref<?xi8, strided<[?]>>
  }
  return %size : index
}
