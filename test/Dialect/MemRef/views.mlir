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
