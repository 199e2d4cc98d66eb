// RUN: %kopt %s --pass-pipeline="builtin.module(outline-parallel{grain=4})" | FileCheck %s

// The body becomes a function of a range of iterations; inner dimensions are loops.
// CHECK-LABEL: func.func @scale(%arg0: memref<?x?xf32>, %arg1: f32, %arg2: index, %arg3: index)
// CHECK: %[[N:.*]] = arith.divui
// CHECK: call @scale_parallel_0.parallel(%[[N]], %c4, %{{.*}}) :
// CHECK-NOT: scf.parallel
// CHECK: func.func private @scale_parallel_0.parallel(index, index, {{.*}}memref<?x?xf32>
// CHECK: func.func private @scale_parallel_0(%arg0: index, %arg1: index, %arg2{{.*}}) {
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step
// CHECK: scf.for
// CHECK: memref.load
// CHECK: arith.mulf
// CHECK: memref.store
// CHECK: return
func.func @scale(%m: memref<?x?xf32>, %x: f32, %rows: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%rows, %c2) step (%step, %c1) {
    %v = memref.load %m[%i, %j] : memref<?x?xf32>
    %s = arith.mulf %v, %x : f32
    memref.store %s, %m[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// Reductions, and loops inside of parallel loops, are kept.
// CHECK-LABEL: func.func @kept
// CHECK: scf.parallel {{.*}} init
func.func @kept(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
