// RUN: %kopt %s --pass-pipeline="builtin.module(loop-unroll{unroll-factor=3})" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(loop-unroll{unroll-full},canonicalize)" | FileCheck %s --check-prefix=FULL
// RUN: %kopt %s --pass-pipeline="builtin.module(loop-unroll{unroll-full max-operations=8})" | FileCheck %s --check-prefix=BOUND
// RUN: %mlir-opt %s --test-loop-unrolling="unroll-factor=3 loop-depth=0" | FileCheck %s --check-prefix=UPSTREAM
// Upstream has the transformation, and a test pass for loops of one depth. It makes the bounds of a loop that is not
// constant with divisions that take the number of iterations to be positive.

// Ten iterations are three groups and one more.
// CHECK-LABEL: func.func @constant
// CHECK-DAG: %[[STEP:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 9 : index
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %[[STEP]] iter_args(%[[A:.*]] = %c0)
// CHECK-NEXT: %[[A1:.*]] = arith.addi %[[A]], %[[I]]
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[I1:.*]] = arith.addi %[[I]], %[[ONE]]
// CHECK-NEXT: %[[A2:.*]] = arith.addi %[[A1]], %[[I1]]
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[I2:.*]] = arith.addi %[[I]], %[[TWO]]
// CHECK-NEXT: %[[A3:.*]] = arith.addi %[[A2]], %[[I2]]
// CHECK-NEXT: scf.yield %[[A3]]
// CHECK: %[[S:.*]] = scf.for %[[J:.*]] = %[[END]] to %c10 step %c1 iter_args(%[[B:.*]] = %[[R]])
// CHECK-NEXT: arith.addi %[[B]], %[[J]]
// CHECK: return %[[S]]
// FULL-LABEL: func.func @constant
// FULL-NEXT: %[[SUM:.*]] = arith.constant 45 : index
// FULL-NEXT: return %[[SUM]]
// BOUND-LABEL: func.func @constant
// BOUND: scf.for
// UPSTREAM-LABEL: func.func @constant
// UPSTREAM: scf.for {{.*}} iter_args
// UPSTREAM-COUNT-3: arith.addi %arg{{.*}} : index
// UPSTREAM: scf.for {{.*}} iter_args
func.func @constant() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %c0) -> (index) {
    %s = arith.addi %a, %i : index
    scf.yield %s : index
  }
  return %r : index
}

// Without a remainder.
// CHECK-LABEL: func.func @divisible
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @divisible(%m: memref<?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c11 = arith.constant 11 : index
  scf.for %i = %c0 to %c11 step %c2 {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}

// Where the bounds are not known, as many groups as fit; none if the loop does not run at all.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[STEP:.*]] = arith.constant 6 : index
// CHECK-NEXT: %[[MOST:.*]] = arith.maxsi %arg0, %arg1
// CHECK-NEXT: %[[D:.*]] = arith.subi %[[MOST]], %arg0
// CHECK-NEXT: %[[G:.*]] = arith.divui %[[D]], %[[STEP]]
// CHECK-NEXT: %[[C:.*]] = arith.muli %[[G]], %[[STEP]]
// CHECK-NEXT: %[[END:.*]] = arith.addi %arg0, %[[C]]
// CHECK-NEXT: scf.for %{{.*}} = %arg0 to %[[END]] step %[[STEP]]
// CHECK: scf.for %{{.*}} = %[[END]] to %arg1 step %c2
// FULL-LABEL: func.func @dynamic
// FULL: scf.for
func.func @dynamic(%a: index, %b: index, %m: memref<?xi32>, %x: i32) {
  %c2 = arith.constant 2 : index
  scf.for %i = %a to %b step %c2 {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}

// A step that is not known: as many whole steps as fit. Where that is not one group, the product of step and factor may be
// anything, and is not used.
// CHECK-LABEL: func.func @step
// CHECK: %[[MOST:.*]] = arith.maxsi %arg0, %arg1
// CHECK: %[[DISTANCE:.*]] = arith.subi %[[MOST]], %arg0
// CHECK: %[[POSITIVE:.*]] = arith.maxsi %arg2, %{{.*}} : index
// CHECK: %[[STEPS:.*]] = arith.divui %[[DISTANCE]], %[[POSITIVE]]
// CHECK: %[[GROUPS:.*]] = arith.divui %[[STEPS]], %c3
// CHECK: %[[WIDE:.*]] = arith.muli %arg2, %c3
// CHECK: %[[COVERED:.*]] = arith.muli %[[GROUPS]], %[[WIDE]]
// CHECK: %[[END:.*]] = arith.addi %arg0, %[[COVERED]]
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[GROUPS]], %c0
// CHECK: %[[STEP:.*]] = arith.select %[[SOME]], %[[WIDE]], %arg2
// CHECK: scf.for %{{.*}} = %arg0 to %[[END]] step %[[STEP]]
// CHECK-COUNT-3: memref.store
// CHECK: scf.for %{{.*}} = %[[END]] to %arg1 step %arg2
// CHECK-NEXT: memref.store
func.func @step(%a: index, %b: index, %step: index, %m: memref<?xi32>, %x: i32) {
  scf.for %i = %a to %b step %step {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}

// A step whose multiple has no place in its type, and fewer iterations than the factor.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %c50_i8
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-NOT: scf.for
// CHECK: return
func.func @kept(%l: i8, %u: i8, %m: memref<?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : i8
  scf.for %i = %l to %u step %c50 : i8 {
    memref.store %x, %m[%c0] : memref<?xi32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}

// The last dimension of a box of indices.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%arg0, %c9{{.*}}) step (%c1, %c3{{.*}})
// CHECK-NEXT: memref.store %arg2, %arg1[%[[I]], %[[J]]]
// CHECK-COUNT-2: memref.store
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c9{{.*}}) to (%arg0, %c10) step (%c1, %c1)
func.func @parallel(%n: index, %m: memref<?x?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c10) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  return
}

// Inner loops first: the outer loop is unrolled with the unrolled inner one.
// FULL-LABEL: func.func @nested
// FULL-NOT: scf.for
// FULL: arith.constant 18 : index
// FULL-NOT: scf.for
// FULL: return
func.func @nested() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %c0) -> (index) {
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (index) {
      %t = arith.addi %b, %i : index
      %u = arith.addi %t, %j : index
      scf.yield %u : index
    }
    scf.yield %s : index
  }
  return %r : index
}
