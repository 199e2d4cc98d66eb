// RUN: %kopt %s --replay-assertions --split-input-file | FileCheck %s
// The copies stay as they are.
// RUN: %kopt %s --replay-assertions --split-input-file > %t.once
// RUN: %kopt %s --replay-assertions --replay-assertions --split-input-file | diff %t.once -

// The copy has all assertions. What follows is not reached.
// CHECK-LABEL: func.func @affine(
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I]], %arg2
// CHECK-NEXT: scf.if %[[IN]] {
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for %[[J:[a-z0-9]+]] = %arg1 to %arg2 step
// CHECK: %[[IN2:.*]] = arith.cmpi ult, %[[J]], %arg2
// CHECK-NEXT: data.assert %[[IN2]], "index {} of {}"(%[[J]], %arg2) : index, index
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK-NEXT: cf.assert %[[NEVER]], "index ? of ?"
func.func @affine(%m: memref<?xf32>, %low: index, %n: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %low to %n step %c1 iter_args(%acc = %x) -> (f32) {
    %in = arith.cmpi ult, %i, %n : index
    data.assert %in, "index {} of {}"(%i, %n) : index, index
    %e = memref.load %m[%i] : memref<?xf32>
    %s = arith.addf %acc, %e : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// -----

// A condition on a number in memory is not hoisted, so the message may show the number.
// CHECK-LABEL: func.func @data(
// CHECK-NOT: scf.if
// CHECK: data.assert
// CHECK-NOT: scf.if
func.func @data(%m: memref<?xf32>, %at: memref<?xindex>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (f32) {
    %j = memref.load %at[%i] : memref<?xindex>
    %in = arith.cmpi ult, %j, %n : index
    data.assert %in, "index {} of {}"(%j, %n) : index, index
    %e = memref.load %m[%j] : memref<?xf32>
    %s = arith.addf %acc, %e : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// -----

// A loop that writes cannot be executed again, a nest in it can.
// CHECK-LABEL: func.func @writes(
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: data.assert %{{.*}}, "row {}"(%[[I]]) : index
// CHECK: scf.for %{{.*}} =
// CHECK: scf.if
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for %[[K:[a-z0-9]+]] =
// CHECK: data.assert %{{.*}}, "column {}"(%[[K]]) : index
// CHECK: cf.assert %{{.*}}, "column ?"
// CHECK: memref.store
func.func @writes(%m: memref<?x?xf32>, %out: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %in = arith.cmpi ult, %i, %n : index
    data.assert %in, "row {}"(%i) : index
    %r = scf.for %j = %c1 to %n step %c1 iter_args(%acc = %x) -> (f32) {
      %in1 = arith.cmpi ult, %j, %i : index
      data.assert %in1, "column {}"(%j) : index
      %e = memref.load %m[%i, %j] : memref<?x?xf32>
      %s = arith.addf %acc, %e : f32
      scf.yield %s : f32
    }
    memref.store %r, %out[%i] : memref<?xf32>
  }
  return
}

// -----

// All assertions of a nest execute the outermost loop that can be executed again.
// CHECK-LABEL: func.func @nest(
// CHECK: scf.while
// CHECK: scf.if
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.while
// CHECK: data.assert %{{.*}}, "index {}"
// CHECK: cf.assert %{{.*}}, "index ?"
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.while
// CHECK: data.assert %{{.*}}, "index {}"
// CHECK: data.assert %{{.*}}, "inner {}"
// CHECK: cf.assert %{{.*}}, "inner ?"
func.func @nest(%m: memref<?xf32>, %n: i64, %x: f32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %acc = %x) : (i64, f32) -> (i64, f32) {
    %more = arith.cmpi ne, %i, %n : i64
    scf.condition(%more) %i, %acc : i64, f32
  } do {
  ^bb0(%i: i64, %acc: f32):
    %in = arith.cmpi ult, %i, %n : i64
    data.assert %in, "index {}"(%i) : i64
    %at = arith.index_cast %i : i64 to index
    %s = scf.for %j = %zero to %at step %one iter_args(%sum = %acc) -> (f32) {
      %below = arith.cmpi ult, %j, %at : index
      data.assert %below, "inner {}"(%j) : index
      %e = memref.load %m[%j] : memref<?xf32>
      %t = arith.addf %sum, %e : f32
      scf.yield %t : f32
    }
    %next = arith.addi %i, %c1 : i64
    scf.yield %next, %s : i64, f32
  }
  return %r#1 : f32
}
