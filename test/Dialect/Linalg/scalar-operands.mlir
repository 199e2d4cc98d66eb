// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

// An element may stand in the place of an array.
func.func @elements(%x: f32, %c: memref<4xi1>, %t: memref<?x4xf32>, %u: memref<4xf32>, %v: tensor<4xf32>) -> tensor<4xf32> {
  linalg.exp ins(%x : f32) outs(%t : memref<?x4xf32>)
  linalg.add ins(%x, %t : f32, memref<?x4xf32>) outs(%t : memref<?x4xf32>)
  linalg.copy ins(%x : f32) outs(%t : memref<?x4xf32>)
  linalg.select ins(%c, %x, %u : memref<4xi1>, f32, memref<4xf32>) outs(%u : memref<4xf32>)
  %0 = linalg.max ins(%v, %x : tensor<4xf32>, f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Attributes stand in front of the operands or behind them, and indices are converted.
func.func @forms(%x: f32, %t: memref<?x4xf32>, %i: memref<?x?xindex>, %o: memref<?x?xi32>) {
  linalg.fill {a} ins(%x : f32) outs(%t : memref<?x4xf32>)
  linalg.matmul ins(%i, %i : memref<?x?xindex>, memref<?x?xindex>) outs(%o : memref<?x?xi32>)
  return
}
