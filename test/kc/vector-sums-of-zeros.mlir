// Sums of negative zeros are negative zeros, in contractions and in reductions without an accumulator.
// RUN: %kc run %s --entry main --backend jit --inputs '[[[-0.0, -0.0, -0.0], [0.0, 0.0, 0.0]], [[1, -1], [1, -1], [1, -1]], -0.0]' | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret --inputs '[[[-0.0, -0.0, -0.0], [0.0, 0.0, 0.0]], [[1, -1], [1, -1], [1, -1]], -0.0]' | FileCheck %s
// CHECK: {{^}}([-0, 0, 0, -0], [-0, 0, 0, -0], -0, -0, 0, [-0, 0], -0, -0)
func.func @main(%m: memref<2x3xf32>, %n: memref<3x2xf32>, %z: f32) -> (memref<4xf32>, memref<4xf32>, f32, f32, f32, memref<2xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
  %y = vector.transfer_read %n[%c0, %c0], %p {in_bounds = [true, true]} : memref<3x2xf32>, vector<3x2xf32>
  %acc = vector.broadcast %z : f32 to vector<2x2xf32>
  %pair = vector.broadcast %z : f32 to vector<2xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %1 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %first = vector.extract %x[0] : vector<3xf32> from vector<2x3xf32>
  %second = vector.extract %x[1] : vector<3xf32> from vector<2x3xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %first, %second, %z : vector<3xf32>, vector<3xf32> into f32
  %columns = vector.transpose %y, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> ()>], iterator_types = ["reduction", "reduction"], kind = #vector.kind<add>} %x, %columns, %z : vector<2x3xf32>, vector<2x3xf32> into f32
  %4 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %first, %second, %p : vector<3xf32>, vector<3xf32> into f32
  %5 = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %second, %pair : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %6 = vector.reduction <add>, %first : vector<3xf32> into f32
  %7 = vector.reduction <add>, %first fastmath<reassoc> : vector<3xf32> into f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<2xf32>
  %f0 = vector.shape_cast %0 : vector<2x2xf32> to vector<4xf32>
  %f1 = vector.shape_cast %1 : vector<2x2xf32> to vector<4xf32>
  vector.store %f0, %a[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %f1, %b[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %5, %d[%c0] : memref<2xf32>, vector<2xf32>
  return %a, %b, %2, %3, %4, %d, %6, %7 : memref<4xf32>, memref<4xf32>, f32, f32, f32, memref<2xf32>, f32, f32
}
