// RUN: %kopt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// Constants of one value and type become one, in front of the entry block.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[C:.*]] = arith.constant 4 : i32
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.store %[[C]]
// CHECK: memref.store %[[C]]
func.func @constants(%p: i1, %m: memref<i32>) {
  scf.if %p {
    %a = arith.constant 4 : i32
    memref.store %a, %m[] : memref<i32>
  }
  %b = arith.constant 4 : i32
  memref.store %b, %m[] : memref<i32>
  return
}

// Erases unused operations transitively.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%x: i32, %p: i1) {
  %a = arith.muli %x, %x : i32
  %b = arith.muli %a, %a : i32
  %c = scf.if %p -> (i32) {
    %d = arith.addi %b, %a : i32
    scf.yield %d : i32
  } else {
    scf.yield %b : i32
  }
  return
}

// Unreachable blocks are erased, even if they use values of each other.
// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable() {
  return
^a(%x: i32):
  %y = arith.addi %x, %x : i32
  cf.br ^b(%y : i32)
^b(%z: i32):
  cf.br ^a(%z : i32)
}

// Block arguments that only each other's computation uses are dead.
// CHECK-LABEL: func.func @dead_cycle
// CHECK: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
func.func @dead_cycle(%c: i1, %x: i32) {
  cf.br ^loop(%x : i32)
^loop(%p: i32):
  %q = arith.addi %p, %p : i32
  cf.cond_br %c, ^loop(%q : i32), ^end
^end:
  return
}
