// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | grep . > %t.ours
// RUN: %mlir-opt %s --canonicalize | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: FileCheck %s < %t.ours
// RUN: %kopt %s --pass-pipeline="builtin.module(sccp,canonicalize)" | FileCheck %s --check-prefixes=CHECK,SCCP

// An invariant loop-carried value is replaced by its initial value.
// CHECK-LABEL: func.func @handed_around
// CHECK: scf.while : () -> () {
// CHECK: scf.condition(%{{.*}})
// CHECK: memref.store %c1_i32
// CHECK: return %c1_i32, %arg0
func.func @handed_around(%x: i32, %m: memref<i32>) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %c1, %b = %x) : (i32, i32) -> (i32, i32) {
    %l = memref.load %m[] : memref<i32>
    %g = arith.cmpi slt, %l, %b : i32
    scf.condition(%g) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    memref.store %a, %m[] : memref<i32>
    scf.yield %a, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// One value passed on at two places.
// CHECK-LABEL: func.func @twice
// CHECK: scf.while : () -> i32 {
// CHECK: scf.condition(%{{.*}}) %[[L:.*]] : i32
// CHECK: ^bb0(%[[A:.*]]: i32):
// CHECK: arith.muli %[[A]], %[[A]]
func.func @twice(%x: i32, %m: memref<i32>) -> (i32, i32) {
  %r:2 = scf.while : () -> (i32, i32) {
    %l = memref.load %m[] : memref<i32>
    %g = arith.cmpi slt, %l, %x : i32
    scf.condition(%g) %l, %l : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %p = arith.muli %a, %b : i32
    memref.store %p, %m[] : memref<i32>
    scf.yield
  }
  return %r#0, %r#1 : i32, i32
}

// The result of a private function, and of a condition whose ways give the same: known after propagation.
// CHECK-LABEL: func.func @known
// SCCP: %[[C:.*]] = arith.constant 7 : i32
// SCCP-NOT: scf.if
// SCCP: return %[[C]]
func.func private @seven(%a: i32) -> (i32, i32) {
  %c = arith.constant 7 : i32
  return %c, %a : i32, i32
}
func.func @known(%x: i32, %c: i1) -> i32 {
  %r:2 = func.call @seven(%x) : (i32) -> (i32, i32)
  %k = arith.constant 7 : i32
  %q = scf.if %c -> (i32) {
    scf.yield %k : i32
  } else {
    scf.yield %r#0 : i32
  }
  return %q : i32
}
