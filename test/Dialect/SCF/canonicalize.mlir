// RUN: %kopt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @known_condition
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: %[[R:.*]] = arith.muli %[[X]], %[[X]] : i32
// CHECK-NEXT: return %[[R]]
func.func @known_condition(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.if %false -> (i32) {
    scf.yield %x : i32
  } else {
    %s = arith.muli %x, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @to_select
// CHECK: arith.select
// CHECK-NEXT: return
func.func @to_select(%c: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @unused_result
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK-NOT: arith.muli
// CHECK: } else {
func.func @unused_result(%c: i1, %x: i32, %y: f32) -> f32 {
  %r:2 = scf.if %c -> (i32, f32) {
    %a = arith.muli %x, %x : i32
    %b = arith.mulf %y, %y : f32
    scf.yield %a, %b : i32, f32
  } else {
    scf.yield %x, %y : i32, f32
  }
  return %r#1 : f32
}

// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[A:.*]]: i1, %[[B:.*]]: i1
// CHECK-NEXT: %[[C:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK-NEXT: scf.if %[[C]] {
// CHECK-NEXT: memref.store
func.func @nested(%a: i1, %b: i1, %m: memref<i32>, %x: i32) {
  scf.if %a {
    scf.if %b {
      memref.store %x, %m[] : memref<i32>
    }
  }
  return
}

// CHECK-LABEL: func.func @trips
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: %[[R:.*]] = arith.muli %[[X]], %[[X]] : i32
// CHECK-NEXT: return %[[X]], %[[R]]
func.func @trips(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = scf.for %i = %c1 to %c0 step %c1 iter_args(%p = %x) -> (i32) {
    %s = arith.muli %p, %p : i32
    scf.yield %s : i32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %x) -> (i32) {
    %s = arith.muli %p, %p : i32
    scf.yield %s : i32
  }
  return %none, %once : i32, i32
}

// CHECK-LABEL: func.func @carried
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: i32)
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[X]]) -> (i32) {
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[X]] : i32
// CHECK: return %[[R]], %[[X]]
func.func @carried(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x) -> (i32, i32) {
    %s = arith.addi %p, %q : i32
    scf.yield %s, %q : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// CHECK-LABEL: func.func @while_never
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: %[[S:.*]] = arith.muli %[[X]], %[[X]] : i32
// CHECK-NEXT: return %[[S]]
func.func @while_never(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.while (%p = %x) : (i32) -> i32 {
    %s = arith.muli %p, %p : i32
    scf.condition(%false) %s : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @while_unused
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i32) -> i32 {
func.func @while_unused(%x: i32, %y: f32) -> i32 {
  %r:2 = scf.while (%p = %x, %u = %y) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi slt, %p, %x : i32
    scf.condition(%c) %p, %y : i32, f32
  } do {
  ^bb0(%q: i32, %v: f32):
    %n = arith.addi %q, %x : i32
    scf.yield %n, %y : i32, f32
  }
  return %r#0 : i32
}

// -----

// The bounds of an unsigned loop are not compared as signed numbers, whatever their width.
// CHECK-LABEL: func.func @unsigned_of_128_bits
// CHECK: scf.for unsigned
func.func @unsigned_of_128_bits(%n: i64) -> i64 {
  %from = arith.constant 5 : i128
  %to = arith.constant -1 : i128
  %step = arith.constant 1 : i128
  %zero = arith.constant 0 : i64
  %r = scf.for unsigned %i = %from to %to step %step iter_args(%m = %n) -> (i64) : i128 {
    scf.yield %zero : i64
  }
  return %r : i64
}
