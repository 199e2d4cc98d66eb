// RUN: %kopt %s --split-input-file --pass-pipeline="builtin.module(remove-dead-values)" | FileCheck %s
// RUN: not %mlir-opt %s --split-input-file --remove-dead-values | FileCheck %s --check-prefix=UPSTREAM
// RUN: %kopt %s --split-input-file --pass-pipeline="builtin.module(func.func(remove-dead-values))" | FileCheck %s --check-prefix=LOCAL

// Removes dead arguments and results of a private function from the function and its calls.
// CHECK-LABEL: func.func private @partly
// CHECK-SAME: (%[[A:.*]]: i32 {test.first}) -> i32
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: return %[[S]] : i32
// CHECK-LABEL: func.func @calls
// CHECK-NEXT: %[[R:.*]] = call @partly(%arg0) : (i32) -> i32
// CHECK-NEXT: return %[[R]]
// UPSTREAM-LABEL: func.func private @partly
// UPSTREAM-SAME: (%[[A:.*]]: i32 {test.first}) -> i32
// UPSTREAM-LABEL: func.func @calls
// UPSTREAM-NEXT: %[[R:.*]] = call @partly(%arg0) : (i32) -> i32
// LOCAL-LABEL: func.func private @partly
// LOCAL-SAME: (%{{.*}}: i32 {test.first}, %{{.*}}: i32) -> (i32, i32)
func.func private @partly(%a: i32 {test.first}, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %b, %b : i32
  return %0, %1 : i32, i32
}
func.func @calls(%x: i32) -> i32 {
  %r:2 = func.call @partly(%x, %x) : (i32, i32) -> (i32, i32)
  return %r#0 : i32
}

// -----

// Values that a function only passes to itself are dead. Upstream keeps such cycles.
// CHECK-LABEL: func.func private @circle
// CHECK-SAME: (%{{.*}}: i32) -> i32
// CHECK: call @circle(%{{.*}}) : (i32) -> i32
func.func private @circle(%a: i32, %only_passed: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %end = arith.cmpi eq, %a, %c0 : i32
  cf.cond_br %end, ^end, ^again
^again:
  %next = arith.addi %a, %a : i32
  %r = func.call @circle(%next, %only_passed) : (i32, i32) -> i32
  return %r : i32
^end:
  return %a : i32
}
func.func @main(%x: i32) -> i32 {
  %r = func.call @circle(%x, %x) : (i32, i32) -> i32
  return %r : i32
}

// -----

// Public functions keep their types, and so do those whose name stands elsewhere than in a call; upstream changes the
// latter too, and its module is not valid then.
// CHECK-LABEL: func.func @public(%arg0: i32)
// CHECK-LABEL: func.func private @named(%arg0: i32)
func.func @public(%unused: i32) {
  return
}
func.func private @named(%unused: i32) {
  return
}
func.func @uses(%x: i32) -> ((i32) -> ()) {
  func.call @named(%x) : (i32) -> ()
  %f = func.constant @named : (i32) -> ()
  return %f : (i32) -> ()
}

// -----

// Removes dead loop-carried values, with their computations.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (i32)
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[P]]
// CHECK-NEXT: memref.store
// CHECK-NEXT: scf.yield %[[S]] : i32
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (i32) -> i32
// CHECK: scf.condition(%{{.*}}) %[[A]] : i32
// UPSTREAM-LABEL: func.func @loops
// UPSTREAM: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (i32)
// LOCAL-LABEL: func.func @loops
// LOCAL: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (i32)
func.func @loops(%x: i32, %n: index, %m: memref<i32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %s = %x) -> (i32, i32) {
    %pp = arith.addi %p, %p : i32
    %ss = arith.muli %s, %s : i32
    memref.store %pp, %m[] : memref<i32>
    scf.yield %pp, %ss : i32, i32
  }
  %w:2 = scf.while (%a = %x, %b = %x) : (i32, i32) -> (i32, i32) {
    memref.store %a, %m[] : memref<i32>
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%d: i32, %e: i32):
    scf.yield %d, %e : i32, i32
  }
  return
}

// -----

// Results of a condition; upstream applies canonical patterns as well, which make a select of it.
// CHECK-LABEL: func.func @conditions
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK: scf.yield %arg1 : i32
// CHECK: } else {
// CHECK-NEXT: scf.yield %arg2 : i32
// CHECK: return %[[R]]
// UPSTREAM-LABEL: func.func @conditions
// UPSTREAM: arith.select
func.func @conditions(%c: i1, %x: i32, %y: i32, %m: memref<i32>) -> i32 {
  %z:2 = scf.if %c -> (i32, i32) {
    memref.store %x, %m[] : memref<i32>
    %d = arith.muli %x, %x : i32
    scf.yield %x, %d : i32, i32
  } else {
    scf.yield %y, %y : i32, i32
  }
  return %z#0 : i32
}

// -----

// A branch with the same successor twice; upstream removes only the first operand, and its module is invalid.
// CHECK-LABEL: func.func @twice
// CHECK: cf.cond_br %{{.*}}, ^[[END:.*]](%arg1 : i32), ^[[END]](%arg2 : i32)
// CHECK: ^[[END]](%[[R:.*]]: i32):
// CHECK: return %[[R]]
func.func @twice(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x, %x : i32, i32), ^end(%x, %y : i32, i32)
^end(%unused: i32, %r: i32):
  return %r : i32
}

// -----

// A function that never returns.
// CHECK-LABEL: func.func private @forever()
// CHECK: call @forever() : () -> i32
func.func private @forever(%unused: i32) -> i32 {
  cf.br ^again
^again:
  cf.br ^again
}
func.func @wait(%x: i32) -> i32 {
  %r = func.call @forever(%x) : (i32) -> i32
  return %r : i32
}
