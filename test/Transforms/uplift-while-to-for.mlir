// RUN: %kopt %s --uplift-while-to-for --canonicalize --split-input-file | FileCheck %s

// Up from a constant to a bound that only the first region computes: the induction variable is the number of the iteration.
// CHECK-LABEL: func.func @up
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[A:.*]]: f32
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %c0 to %[[D]] step %c1 iter_args(%[[S:.*]] = %[[A]]) -> (f32)
// CHECK-NEXT: %[[E:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[S]], %[[E]]
// CHECK-NEXT: scf.yield %[[N]] : f32
// CHECK: %[[L:.*]] = arith.index_cast %[[D]] : index to i64
// CHECK: return %[[R]], %[[L]]
func.func @up(%x: tensor<?xf32>, %a: f32) -> (f32, i64) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %0, %s = %a) : (i64, f32) -> (f32, i64) {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %n = arith.index_cast %d : index to i64
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %s, %i : f32, i64
  } do {
  ^bb0(%s: f32, %i: i64):
    %k = arith.index_cast %i : i64 to index
    %e = tensor.extract %x[%k] : tensor<?xf32>
    %t = arith.addf %s, %e : f32
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %t : i64, f32
  }
  return %r#0, %r#1 : f32, i64
}

// -----

// From an argument on, the induction variable is the compared number.
// CHECK-LABEL: func.func @from
// CHECK-SAME: %[[S:.*]]: i64, %[[N:.*]]: i64
// CHECK: %[[LOWER:.*]] = arith.index_cast %[[S]]
// CHECK: %[[UPPER:.*]] = arith.index_cast %[[N]]
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c1
func.func @from(%s: i64, %n: i64) -> i64 {
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %s, %a = %1) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi sgt, %n, %i : i64
    scf.condition(%more) %i, %a : i64, i64
  } do {
  ^bb0(%i: i64, %a: i64):
    %b = arith.muli %a, %i : i64
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %b : i64, i64
  }
  return %r#1 : i64
}

// -----

// A function that calls itself for the number before, until it is 0, would not end for a negative one.
// CHECK-LABEL: func.func @down
// CHECK-SAME: %[[N:.*]]: i64
// CHECK: %[[UPPER:.*]] = arith.index_cast %[[N]]
// CHECK: %[[ENDS:.*]] = arith.cmpi sge, %[[UPPER]], %c0
// CHECK-NEXT: cf.assert %[[ENDS]], "infinite loop: the induction variable never equals the bound"
// CHECK: scf.for %[[T:.*]] = %c0 to %[[UPPER]] step %c1
// CHECK-NEXT: %[[K:.*]] = arith.index_cast %[[T]]
// CHECK-NEXT: arith.subi %[[N]], %[[K]]
func.func @down(%n: i64) -> i64 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %n, %a = %0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %i, %0 : i64
    scf.condition(%more) %i, %a : i64, i64
  } do {
  ^bb0(%i: i64, %a: i64):
    %b = arith.addi %a, %i : i64
    %j = arith.subi %i, %1 : i64
    scf.yield %j, %b : i64, i64
  }
  return %r#1 : i64
}

// -----

// The compared number is a multiple, and meets the bound if that is one, too.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[D:.*]] = tensor.dim
// CHECK: %[[REST:.*]] = arith.remui %[[D]], %c2
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: cf.assert %[[EVEN]], "infinite loop: the induction variable never equals the bound"
// CHECK: %[[PAIRS:.*]] = arith.divui %[[D]], %c2
// CHECK: scf.for %{{.*}} = %c0 to %[[PAIRS]] step %c1
func.func @pairs(%x: tensor<?xf32>, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.index_cast %d : index to i64
  %r:3 = scf.while (%i = %0, %s = %a) : (i64, f32) -> (i64, f32, i64) {
    %k = arith.muli %i, %2 : i64
    %more = arith.cmpi ne, %k, %n : i64
    scf.condition(%more) %i, %s, %k : i64, f32, i64
  } do {
  ^bb0(%i: i64, %s: f32, %k: i64):
    %at = arith.index_cast %k : i64 to index
    %e = tensor.extract %x[%at] : tensor<?xf32>
    %t = arith.addf %s, %e : f32
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %t : i64, f32
  }
  return %r#1 : f32
}

// -----

func.func private @show(i64)

// The output of an endless loop is not lost.
// CHECK-LABEL: func.func @printing
// CHECK: scf.while
// CHECK-LABEL: func.func @two_conditions
// CHECK: scf.while
// CHECK-LABEL: func.func @changing_bound
// CHECK: scf.while
// CHECK-LABEL: func.func @growing_step
// CHECK: scf.while
// CHECK-LABEL: func.func @past_the_end
// CHECK: scf.while
// CHECK-LABEL: func.func @bound_in_memory
// CHECK: scf.while
func.func @printing(%n: i64) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.while (%i = %n) : (i64) -> i64 {
    %more = arith.cmpi ne, %i, %0 : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    func.call @show(%i) : (i64) -> ()
    %j = arith.subi %i, %1 : i64
    scf.yield %j : i64
  }
  return
}

func.func @two_conditions(%n: i64, %x: f32) -> f32 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %0, %s = %x) : (i64, f32) -> (i64, f32) {
    %below = arith.cmpi slt, %i, %n : i64
    %small = arith.cmpf olt, %s, %x : f32
    %more = arith.andi %below, %small : i1
    scf.condition(%more) %i, %s : i64, f32
  } do {
  ^bb0(%i: i64, %s: f32):
    %t = arith.addf %s, %x : f32
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %t : i64, f32
  }
  return %r#1 : f32
}

func.func @changing_bound(%n: i64) -> i64 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %0, %b = %n) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi slt, %i, %b : i64
    scf.condition(%more) %i, %b : i64, i64
  } do {
  ^bb0(%i: i64, %b: i64):
    %c = arith.shrsi %b, %1 : i64
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %c : i64, i64
  }
  return %r#1 : i64
}

func.func @growing_step(%n: i64) -> i64 {
  %1 = arith.constant 1 : i64
  %r = scf.while (%i = %1) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %j = arith.addi %i, %i : i64
    scf.yield %j : i64
  }
  return %r : i64
}

// In steps of 2 the number may pass the largest integer before it passes the bound.
func.func @past_the_end(%n: i64) -> i64 {
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %r = scf.while (%i = %0) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %j = arith.addi %i, %2 : i64
    scf.yield %j : i64
  }
  return %r : i64
}

func.func @bound_in_memory(%m: memref<i64>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.while (%i = %0) : (i64) -> i64 {
    %n = memref.load %m[] : memref<i64>
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %n = memref.load %m[] : memref<i64>
    %fewer = arith.subi %n, %1 : i64
    memref.store %fewer, %m[] : memref<i64>
    %j = arith.addi %i, %1 : i64
    scf.yield %j : i64
  }
  return
}

// -----

// Attributes are kept.
// CHECK-LABEL: func.func @marked
// CHECK: scf.for
// CHECK: } {my.mark}
func.func @marked(%n: i64, %x: f32) -> f32 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %0, %s = %x) : (i64, f32) -> (i64, f32) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %s : i64, f32
  } do {
  ^bb0(%i: i64, %s: f32):
    %t = arith.mulf %s, %x : f32
    %j = arith.addi %i, %1 : i64
    scf.yield %j, %t : i64, f32
  } attributes {my.mark}
  return %r#1 : f32
}
