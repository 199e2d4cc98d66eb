// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @map(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>, %m: memref<64xf32>, %t: tensor<16x32x64xf32>, %r: tensor<16x64xf32>, %bc: tensor<64x16xf32>, %i1: tensor<64xi32>) {
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>)
  %1 = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) {x}
  %2 = linalg.map ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) {y = 1 : i32} (%x: f32, %z: f32, %out: f32) {
    %3 = arith.mulf %x, %z : f32
    %4 = arith.mulf %3, %z : f32
    linalg.yield %4 : f32
  }
  %5 = linalg.map ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) (%x: f32, %z: f32, %out: f32) {
    %3 = arith.mulf %x, %z : f32
    linalg.yield %3 : f32
  }
  %6 = linalg.map outs(%c : tensor<64xf32>) (%out: f32) {
    linalg.yield %out : f32
  }
  linalg.map { math.absf } ins(%m : memref<64xf32>) outs(%m : memref<64xf32>)
  %7 = linalg.reduce { arith.addf } ins(%t : tensor<16x32x64xf32>) outs(%r : tensor<16x64xf32>) dimensions = [1]
  %8 = linalg.reduce ins(%t : tensor<16x32x64xf32>) outs(%r : tensor<16x64xf32>) dimensions = [1] {x} (%in: f32, %out: f32) {
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  }
  %9 = linalg.reduce ins(%t : tensor<16x32x64xf32>) outs(%r : tensor<16x64xf32>) dimensions = [1] (%in: f32, %out: f32) {
    %9 = arith.addf %in, %out : f32
    linalg.yield %9 : f32
  }
  %10 = linalg.broadcast ins(%a : tensor<64xf32>) outs(%bc : tensor<64x16xf32>) dimensions = [1] {z}
  %11 = linalg.transpose ins(%bc : tensor<64x16xf32>) outs(%r : tensor<16x64xf32>) permutation = [1, 0] {z}
  linalg.broadcast ins(%m : memref<64xf32>) outs(%m : memref<64xf32>) dimensions = []
  %12:2 = linalg.reduce ins(%t, %t : tensor<16x32x64xf32>, tensor<16x32x64xf32>) outs(%r, %r : tensor<16x64xf32>, tensor<16x64xf32>) dimensions = [1] (%in: f32, %in2: f32, %out: f32, %out2: f32) {
    %13 = arith.addf %out, %in : f32
    %14 = arith.addf %out2, %in2 : f32
    linalg.yield %13, %14 : f32, f32
  }
  %15 = linalg.map { arith.negf } ins(%a : tensor<64xf32>) outs(%c : tensor<64xf32>)
  %16 = linalg.map { arith.addi {overflowFlags = #arith.overflow<nsw>} } ins(%i1, %i1 : tensor<64xi32>, tensor<64xi32>) outs(%i1 : tensor<64xi32>)
  return
}
