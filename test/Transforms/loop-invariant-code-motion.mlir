// RUN: %kopt %s --pass-pipeline="builtin.module(loop-invariant-code-motion)" | grep . > %t.ours
// RUN: %mlir-opt %s --loop-invariant-code-motion | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: FileCheck %s < %t.ours

// An operation on values from outside is hoisted out of both loops.
// CHECK-LABEL: func.func @nested
// CHECK: %[[PRODUCT:.*]] = arith.muli %arg1, %arg1
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[PRODUCT]], %arg{{[0-9]+}}
// CHECK-NEXT: scf.for
func.func @nested(%n: index, %x: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %p = arith.muli %x, %x : index
      %s = arith.addi %p, %i : index
      memref.store %s, %m[%j] : memref<?xindex>
    }
  }
  return
}

// Operations that may trap or read memory are not moved.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK: arith.divsi
// CHECK: memref.load
func.func @kept(%n: index, %x: i32, %y: i32, %m: memref<i32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %d = arith.divsi %x, %y : i32
    %l = memref.load %m[] : memref<i32>
    %s = arith.addi %d, %l : i32
    %t = arith.addi %s, %a : i32
    scf.yield %t : i32
  }
  return %r : i32
}

// A pure condition is moved as a whole; a loop that may not terminate is not.
// CHECK-LABEL: func.func @regions
// CHECK: scf.if
// CHECK: scf.while
// CHECK: scf.while
func.func @regions(%c: i1, %x: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %choice = scf.if %c -> (i32) {
      %two = arith.addi %x, %x : i32
      scf.yield %two : i32
    } else {
      scf.yield %x : i32
    }
    %more = arith.cmpi slt, %a, %choice : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    }
    %next = arith.addi %b, %x : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// An operation in a conditional may use a value of the loop although the condition does not.
// CHECK-LABEL: func.func @captured
// CHECK: scf.for
// CHECK: scf.if
func.func @captured(%n: index, %c: i1, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = scf.if %c -> (index) {
      %two = arith.addi %i, %i : index
      scf.yield %two : index
    } else {
      scf.yield %c0 : index
    }
    memref.store %v, %m[%i] : memref<?xindex>
  }
  return
}
