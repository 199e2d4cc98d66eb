// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

// CHECK: memref.global "private" constant @table : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = memref.alloc(%arg0) : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  // CHECK: memref.store %arg1, %[[A]][%c0] : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  // CHECK: memref.load %[[A]][%c0] : memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  // CHECK: memref.dealloc %[[A]] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  // CHECK: %[[S:.*]] = memref.alloca() : memref<2xf32>
  %s = memref.alloca() : memref<2xf32>
  // CHECK: %[[G:.*]] = memref.get_global @table : memref<2xf32>
  %g = memref.get_global @table : memref<2xf32>
  // CHECK: memref.copy %[[G]], %[[S]] : memref<2xf32> to memref<2xf32>
  memref.copy %g, %s : memref<2xf32> to memref<2xf32>
  // CHECK: memref.cast %[[S]] : memref<2xf32> to memref<?xf32>
  %c = memref.cast %s : memref<2xf32> to memref<?xf32>
  // CHECK: memref.dim %{{.*}}, %c0 : memref<?xf32>
  %d = memref.dim %c, %c0 : memref<?xf32>
  return %y : f32
}
