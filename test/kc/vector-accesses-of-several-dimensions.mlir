// MLIR converts loads and stores of vectors of one dimension only.
// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=vector-expansions})' | FileCheck %s --check-prefix=IR
// RUN: %kc run %s --entry main --backend jit --inputs '[[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], 1]' | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret --inputs '[[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], 1]' | FileCheck %s
// CHECK: {{^}}{{\[\[}}8, 9], [11, 12]]
// IR: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true, true]} : memref<2x2x3xf32>, vector<2x2xf32>
// IR: vector.transfer_write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
func.func @main(%m: memref<2x2x3xf32>, %i: index) -> memref<2x2xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%i, %c0, %i] : memref<2x2x3xf32>, vector<2x2xf32>
  %0 = memref.alloc() : memref<2x2xf32>
  vector.store %v, %0[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  return %0 : memref<2x2xf32>
}
