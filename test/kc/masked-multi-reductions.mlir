// Elements that are not active have no influence. MLIR's canonicalizer drops the mask of a reduction of dimensions of extent 1.
// RUN: %kc run %s --entry unit --inputs '[[[1, 2, 3, 4]], 2]' | FileCheck %s --check-prefix=UNIT
// RUN: %kc run %s --entry unit --inputs '[[[1, 2, 3, 4]], 2]' --backend interpret | FileCheck %s --check-prefix=UNIT
// UNIT: {{^}}[11, 22, 30, 40]
func.func @unit(%m: memref<1x4xi32>, %k: index) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0 : i32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<1x4xi32>, vector<1x4xi32>
  %acc = arith.constant dense<[10, 20, 30, 40]> : vector<4xi32>
  %mask = vector.create_mask %c1, %k : vector<1x4xi1>
  %r = vector.mask %mask { vector.multi_reduction <add>, %x, %acc [0] : vector<1x4xi32> to vector<4xi32> } : vector<1x4xi1> -> vector<4xi32>
  %o = memref.alloc() : memref<4xi32>
  vector.store %r, %o[%c0] : memref<4xi32>, vector<4xi32>
  return %o : memref<4xi32>
}
// RUN: %kc run %s --entry maximum --inputs '[[[-1, -2], [-3, -4], [-5, -6]], 2]' | FileCheck %s --check-prefix=MAXIMUM
// RUN: %kc run %s --entry maximum --inputs '[[[-1, -2], [-3, -4], [-5, -6]], 2]' --backend interpret | FileCheck %s --check-prefix=MAXIMUM
// MAXIMUM: {{^}}([-1, -2], -1)
func.func @maximum(%m: memref<3x2xf32>, %k: index) -> (memref<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<3x2xf32>, vector<3x2xf32>
  %acc = arith.constant dense<-9.0> : vector<2xf32>
  %low = arith.constant -9.0 : f32
  %mask = vector.create_mask %k, %c2 : vector<3x2xi1>
  %r = vector.mask %mask { vector.multi_reduction <maximumf>, %x, %acc [0] : vector<3x2xf32> to vector<2xf32> } : vector<3x2xi1> -> vector<2xf32>
  %s = vector.mask %mask { vector.multi_reduction <maxnumf>, %x, %low [0, 1] : vector<3x2xf32> to f32 } : vector<3x2xi1> -> f32
  %o = memref.alloc() : memref<2xf32>
  vector.store %r, %o[%c0] : memref<2xf32>, vector<2xf32>
  return %o, %s : memref<2xf32>, f32
}
