// Transfers and gathers in the region of a mask.
// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=vector-masked-accesses})' | FileCheck %s --check-prefix=IR
// RUN: %kc run %s --entry main --backend jit --inputs '[[[1, 2, 3], [4, 5, 6]], true, 9]' | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret --inputs '[[[1, 2, 3], [4, 5, 6]], true, 9]' | FileCheck %s
// CHECK: {{^}}([1, 9, 3], [1, -1, -1, -1, 5, -1], [0, 2, 0, 4, 5, 6], [3, 9, 9])
func.func @main(%m: memref<2x3xf32>, %c: i1, %p: f32) -> (memref<3xf32>, memref<6xf32>, memref<6xf32>, memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %zero = arith.constant 0.0 : f32
  %some = vector.from_elements %c, %no, %c : vector<3xi1>
  // IR: %[[READ:.*]] = vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, %[[SOME:.*]] {in_bounds = [true]}
  // IR-NOT: vector.mask
  %x = vector.mask %some { vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true]} : memref<2x3xf32>, vector<3xf32> } : vector<3xi1> -> vector<3xf32>
  // Transposed, with other elements in place of those that are not active.
  %mask = vector.from_elements %c, %no, %no, %no, %c, %no : vector<2x3xi1>
  %others = arith.constant dense<-1.0> : vector<3x2xf32>
  %y = vector.mask %mask, %others { vector.transfer_read %m[%c0, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<2x3xf32>, vector<3x2xf32> } : vector<2x3xi1> -> vector<3x2xf32>
  // Both masks of a write.
  %flat = memref.collapse_shape %m [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  %2 = memref.alloc() : memref<6xf32>
  memref.copy %flat, %2 : memref<6xf32> to memref<6xf32>
  %last = vector.constant_mask [3] : vector<3xi1>
  %zeros = vector.broadcast %zero : f32 to vector<3xf32>
  vector.mask %some { vector.transfer_write %zeros, %2[%c0], %last {in_bounds = [true]} : vector<3xf32>, memref<6xf32> } : vector<3xi1>
  %at = arith.constant dense<[2, 1, 0]> : vector<3xi32>
  %two = vector.constant_mask [2] : vector<3xi1>
  %q = vector.broadcast %p : f32 to vector<3xf32>
  %g = vector.mask %some { vector.gather %m[%c0, %c0] [%at], %two, %q : memref<2x3xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32> } : vector<3xi1> -> vector<3xf32>
  %0 = memref.alloc() : memref<3xf32>
  %1 = memref.alloc() : memref<6xf32>
  %3 = memref.alloc() : memref<3xf32>
  %rows = vector.transpose %y, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %all = vector.shape_cast %rows : vector<2x3xf32> to vector<6xf32>
  vector.store %x, %0[%c0] : memref<3xf32>, vector<3xf32>
  vector.store %all, %1[%c0] : memref<6xf32>, vector<6xf32>
  vector.store %g, %3[%c0] : memref<3xf32>, vector<3xf32>
  return %0, %1, %2, %3 : memref<3xf32>, memref<6xf32>, memref<6xf32>, memref<3xf32>
}
