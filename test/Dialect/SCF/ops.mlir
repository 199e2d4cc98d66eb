// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s | %kopt - | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

// CHECK-LABEL: func.func @loops(
func.func @loops(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %arg0 step %c1 iter_args(%[[A:.*]] = %arg1) -> (f32) {
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    // CHECK: %[[NEXT:.*]] = arith.addf %[[A]], %[[A]] : f32
    %next = arith.addf %a, %a : f32
    // CHECK: scf.yield %[[NEXT]] : f32
    scf.yield %next : f32
  }
  // CHECK: scf.for %{{.*}} = %c0 to %arg0 step %c1 {
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 {
  }
  return %sum : f32
}

// CHECK-LABEL: func.func @branches(
func.func @branches(%c: i1, %x: f32, %y: f32) -> f32 {
  // CHECK: %[[R:.*]] = scf.if %arg0 -> (f32) {
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  // CHECK: } else {
  } else {
    scf.yield %y : f32
  }
  // CHECK: scf.if %arg0 {
  // CHECK-NEXT: }
  scf.if %c {
  }
  // CHECK: return %[[R]]
  return %r : f32
}

// CHECK-LABEL: func.func @while(
func.func @while(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  // CHECK: scf.while (%[[A:.*]] = %arg0) : (i64) -> i64 {
  %r = scf.while (%a = %n) : (i64) -> i64 {
    %go = arith.cmpi sgt, %a, %one : i64
    // CHECK: scf.condition(%{{.*}}) %[[A]] : i64
    scf.condition(%go) %a : i64
  // CHECK: } do {
  } do {
  // CHECK-NEXT: ^bb0(%[[B:.*]]: i64):
  ^bb0(%b: i64):
    %next = arith.subi %b, %one : i64
    scf.yield %next : i64
  }
  return %r : i64
}
