// The maximum of zeros of both signs is the positive one and their minimum the negative one: of scalars, also in loops that are left
// to MLIR, of vectors with several dimensions, and with a constant zero.
// RUN: %kc run %s --entry scalars --backend jit --inputs '[0.0, -0.0]' | FileCheck %s --check-prefix=SCALARS
// RUN: %kc run %s --entry scalars --backend interpret --inputs '[0.0, -0.0]' | FileCheck %s --check-prefix=SCALARS
// SCALARS: (inf, inf, -inf, -inf)
// RUN: %kc run %s --entry constants --backend jit --inputs '[0.0, -0.0]' | FileCheck %s --check-prefix=CONSTANTS
// RUN: %kc run %s --entry constants --backend interpret --inputs '[0.0, -0.0]' | FileCheck %s --check-prefix=CONSTANTS
// CONSTANTS: (inf, inf, -inf, -inf)
// RUN: %kc run %s --entry vectors --backend jit --inputs '[[0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0]]' | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry vectors --backend interpret --inputs '[[0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0]]' | FileCheck %s --check-prefix=VECTORS
// VECTORS: [inf, inf, inf, -inf]
// RUN: %kc run %s --entry named --schedule=off --backend jit --inputs '[[0.0, -0.0, 0.0], [-0.0, 0.0, -0.0]]' | FileCheck %s --check-prefix=NAMED
// NAMED: [inf, inf, inf]
module {
  func.func @scalars(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
    %one = arith.constant 1.0 : f32
    %max0 = arith.maximumf %a, %b : f32
    %max1 = arith.maximumf %b, %a : f32
    %min0 = arith.minimumf %a, %b : f32
    %min1 = arith.minimumf %b, %a : f32
    %r0 = arith.divf %one, %max0 : f32
    %r1 = arith.divf %one, %max1 : f32
    %r2 = arith.divf %one, %min0 : f32
    %r3 = arith.divf %one, %min1 : f32
    return %r0, %r1, %r2, %r3 : f32, f32, f32, f32
  }
  func.func @constants(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
    %one = arith.constant 1.0 : f64
    %plus = arith.constant 0.0 : f64
    %minus = arith.constant -0.0 : f64
    %max0 = arith.maximumf %a, %minus : f64
    %max1 = arith.maximumf %b, %plus : f64
    %min0 = arith.minimumf %a, %minus : f64
    %min1 = arith.minimumf %b, %plus : f64
    %r0 = arith.divf %one, %max0 : f64
    %r1 = arith.divf %one, %max1 : f64
    %r2 = arith.divf %one, %min0 : f64
    %r3 = arith.divf %one, %min1 : f64
    return %r0, %r1, %r2, %r3 : f64, f64, f64, f64
  }
  func.func @vectors(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
    %zero = arith.constant 0 : index
    %ones = arith.constant dense<1.0> : vector<2x2xf32>
    %x = vector.load %a[%zero] : memref<4xf32>, vector<4xf32>
    %y = vector.load %b[%zero] : memref<4xf32>, vector<4xf32>
    %x2 = vector.shape_cast %x : vector<4xf32> to vector<2x2xf32>
    %y2 = vector.shape_cast %y : vector<4xf32> to vector<2x2xf32>
    %max = arith.maximumf %x2, %y2 : vector<2x2xf32>
    %inverse = arith.divf %ones, %max : vector<2x2xf32>
    %flat = vector.shape_cast %inverse : vector<2x2xf32> to vector<4xf32>
    %out = memref.alloc() : memref<4xf32>
    vector.store %flat, %out[%zero] : memref<4xf32>, vector<4xf32>
    return %out : memref<4xf32>
  }
  func.func @named(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
    %empty = tensor.empty() : tensor<3xf32>
    %max = linalg.max ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
    %inverse = linalg.reciprocal ins(%max : tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
    return %inverse : tensor<3xf32>
  }
}
