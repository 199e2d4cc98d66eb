// RUN: %kopt %s --pass-pipeline="builtin.module(sccp)" | FileCheck %s
// RUN: %mlir-opt %s --sccp | FileCheck %s --check-prefixes=CHECK
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(sccp))" | FileCheck %s --check-prefix=LOCAL

// The branch that is not taken does not count.
// CHECK-LABEL: func.func @one_way
// CHECK: %[[C:.*]] = arith.constant 7 : i32
// CHECK: return %[[C]]
func.func @one_way(%x: i32) -> i32 {
  %true = arith.constant true
  %c7 = arith.constant 7 : i32
  cf.cond_br %true, ^then, ^else
^then:
  cf.br ^end(%c7 : i32)
^else:
  cf.br ^end(%x : i32)
^end(%r: i32):
  return %r : i32
}

// A value that a loop carries without changing it.
// CHECK-LABEL: func.func @around_a_loop
// CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK: return %[[C]]
func.func @around_a_loop(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c1 : i32)
^head(%v: i32):
  %p = arith.muli %v, %v : i32
  cf.cond_br %c, ^head(%p : i32), ^end
^end:
  return %v : i32
}

// Through regions: the result of a condition whose ways agree.
// CHECK-LABEL: func.func @regions
// CHECK: %[[C:.*]] = arith.constant 6 : i32
// CHECK: return %[[C]]
func.func @regions(%c: i1) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.if %c -> (i32) {
    %a = arith.muli %c2, %c3 : i32
    scf.yield %a : i32
  } else {
    %b = arith.addi %c3, %c3 : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// A loop that changes its value, and one whose value depends on the argument.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[R:.*]] = scf.for
// CHECK: return %[[R]]
func.func @unknown(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %s = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %s iter_args(%a = %c1) -> (i32) {
    %b = arith.addi %a, %c1 : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// Arguments and results of a private function, where all calls agree; alone, a function knows nothing of them.
// CHECK-LABEL: func.func private @same
// CHECK: %[[C:.*]] = arith.constant 5 : i32
// CHECK: return %[[C]]
// LOCAL-LABEL: func.func private @same
// LOCAL: return %arg0
func.func private @same(%x: i32) -> i32 {
  return %x : i32
}
// CHECK-LABEL: func.func private @differ
// CHECK: return %arg0
func.func private @differ(%x: i32) -> i32 {
  return %x : i32
}
// CHECK-LABEL: func.func @calls
// CHECK-DAG: %[[C10:.*]] = arith.constant 10 : i32
// CHECK: call @differ
// CHECK: %[[D:.*]] = call @differ
// CHECK: return %[[C10]], %[[D]]
func.func @calls() -> (i32, i32) {
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %0 = call @same(%c5) : (i32) -> i32
  %1 = call @same(%c5) : (i32) -> i32
  %sum = arith.addi %0, %1 : i32
  %2 = call @differ(%c5) : (i32) -> i32
  %3 = call @differ(%c6) : (i32) -> i32
  return %sum, %3 : i32, i32
}

// Erases an operation all of whose results are constant, with its regions, if it has no effects; a constant at
// the start of the block is reused.
// CHECK-LABEL: func.func @with_regions
// CHECK: %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-NOT: arith.constant 5
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK-NEXT: memref.store
// CHECK: return %[[FIVE]], %[[FIVE]]
func.func @with_regions(%n: index, %c: i1, %m: memref<i32>) -> (i32, i32) {
  %x = arith.constant 5 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %b = arith.addi %a, %z : i32
    scf.yield %b : i32
  }
  %s = scf.if %c -> i32 {
    memref.store %x, %m[] : memref<i32>
    scf.yield %r : i32
  } else {
    scf.yield %x : i32
  }
  return %r, %s : i32, i32
}
