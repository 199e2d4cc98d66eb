// MLIR lowers contractions only if they are sums of products of the accumulator's type.
// RUN: %kc run %s --entry maximum --inputs '[[[1], [2], [-3], [4]]]' | FileCheck %s --check-prefix=MAXIMUM
// RUN: %kc run %s --entry maximum --inputs '[[[1], [2], [-3], [4]]]' --backend interpret | FileCheck %s --check-prefix=MAXIMUM
// MAXIMUM: {{^}}[2, 3, 4, 6, 0, 0, 8, 12]
func.func @maximum(%m: memref<4x1xi32>) -> memref<8xi32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x1xi32>, vector<4x1xi32>
  %y = arith.constant dense<[[2, 3]]> : vector<1x2xi32>
  %z = arith.constant dense<0> : vector<4x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxsi>} %x, %y, %z : vector<4x1xi32>, vector<1x2xi32> into vector<4x2xi32>
  %o = memref.alloc() : memref<8xi32>
  %f = vector.shape_cast %r : vector<4x2xi32> to vector<8xi32>
  vector.store %f, %o[%c0] : memref<8xi32>, vector<8xi32>
  return %o : memref<8xi32>
}
// A transposed accumulator, a mask, a scalar accumulator, narrower factors.
// RUN: %kc run %s --entry others --inputs '[[[1, 2, 3], [4, 5, 6]], 2]' | FileCheck %s --check-prefix=OTHERS
// RUN: %kc run %s --entry others --inputs '[[[1, 2, 3], [4, 5, 6]], 2]' --backend interpret | FileCheck %s --check-prefix=OTHERS
// OTHERS: {{^}}([-1, -4, -2, -8], [-2, -5, -4, -10], -36, [14, 32])
func.func @others(%m: memref<2x3xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>, f32, memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
  %y = arith.constant dense<[[-1.0, -2.0], [-1.0, -2.0], [-1.0, -2.0]]> : vector<3x2xf32>
  %z = arith.constant dense<-9.0e9> : vector<2x2xf32>
  %high = arith.constant dense<9.0e9> : vector<2x2xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %x, %y, %z : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %mask = vector.create_mask %c2, %c2, %n : vector<2x2x3xi1>
  %1 = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<minimumf>} %x, %y, %high : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32> } : vector<2x2x3xi1> -> vector<2x2xf32>
  %w = arith.constant dense<[-4.0, -5.0, -6.0]> : vector<3xf32>
  %row = vector.extract %x[1] : vector<3xf32> from vector<2x3xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<minnumf>} %row, %w, %p : vector<3xf32>, vector<3xf32> into f32
  %one = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %zero = arith.constant dense<0.0> : vector<2xf64>
  %3 = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %one, %zero : vector<2x3xf32>, vector<3xf32> into vector<2xf64>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<2xf64>
  %f0 = vector.shape_cast %0 : vector<2x2xf32> to vector<4xf32>
  %f1 = vector.shape_cast %1 : vector<2x2xf32> to vector<4xf32>
  vector.store %f0, %a[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %f1, %b[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %3, %d[%c0] : memref<2xf64>, vector<2xf64>
  return %a, %b, %2, %d : memref<4xf32>, memref<4xf32>, f32, memref<2xf64>
}
