// RUN: %kc run %s --entry grown --inputs '[2, 4, 1]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry grown --inputs '[2, 4, 1]' --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry grown --inputs '[2, 4, 1]' --backend jit | FileCheck %s

// A buffer keeps its elements when it grows or shrinks.
// CHECK: {{^}}(11, 12, 11){{$}}
func.func @grown(%n: index, %more: index, %less: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = arith.constant 11 : i32
  %second = arith.constant 12 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  memref.store %first, %m[%c0] : memref<?xi32>
  %r = memref.realloc %m(%more) : memref<?xi32> to memref<?xi32>
  memref.store %second, %r[%c3] : memref<?xi32>
  %a = memref.load %r[%c0] : memref<?xi32>
  %b = memref.load %r[%c3] : memref<?xi32>
  %s = memref.realloc %r(%less) : memref<?xi32> to memref<?xi32>
  %c = memref.load %s[%c0] : memref<?xi32>
  memref.dealloc %s : memref<?xi32>
  return %a, %b, %c : i32, i32, i32
}
