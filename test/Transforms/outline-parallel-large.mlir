// RUN: %kopt %s --pass-pipeline="builtin.module(outline-parallel)" | FileCheck %s
// The estimated number of operations of an iteration is the largest number, to which nothing can be added: that was an overflow.
// CHECK-LABEL: func.func @large
// CHECK: call @large_parallel_0.parallel(%{{[^,]*}}, %c1{{(_[0-9]+)?}}, %{{.*}}) :
func.func @large(%m: memref<?xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 4611686018427387904 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %many step %c1 {
      scf.for %k = %c0 to %many step %c1 {
        memref.store %x, %m[%i] : memref<?xf32>
      }
    }
    scf.reduce
  }
  return
}
