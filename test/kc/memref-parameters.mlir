// Every back end takes an array for a parameter that is a buffer, and the function may write to it.
// RUN: %kc run %s --entry main --inputs '[[1, 2], 3]' | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[[1, 2], 3]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[[1, 2], 3]' --backend interpret-buffers | FileCheck %s
// CHECK: {{^}}(1, 3)
func.func @main(%m: memref<2xf32>, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %m[%c1] : memref<2xf32>
  %v = memref.load %m[%c0] : memref<2xf32>
  %w = memref.load %m[%c1] : memref<2xf32>
  return %v, %w : f32, f32
}
