// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @views(%m: memref<4x?xf32>, %s: memref<2xindex>, %u: memref<*xf32>, %v: memref<?xf32>) {
  %0 = memref.rank %m : memref<4x?xf32>
  %1 = memref.rank %u : memref<*xf32>
  %2 = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 1>
  %3 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  %4 = memref.reshape %v(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  return
}

// An offset of zero is zero whatever the stride is.
// CHECK-LABEL: func.func @zero_offset
func.func @zero_offset(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32, strided<[?, 1]>> {
  // CHECK: memref.subview %arg0[0, 0] [%arg1, %arg1] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %0 = memref.subview %m[0, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  return %0 : memref<?x?xf32, strided<[?, 1]>>
}
