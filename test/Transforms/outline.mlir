// RUN: %kopt %s --pass-pipeline="builtin.module(outline{attribute=cold})" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(outline{min-operations=2})" | FileCheck %s --check-prefix=LARGE

// The regions of a marked operation; what they capture are arguments, constants are copied, and names that are taken are
// passed over.
// CHECK-LABEL: func.func @marked(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK: scf.if %[[C]] -> (i32) {
// CHECK-NEXT: %[[R:.*]] = func.call @marked_outlined_1(%[[X]], %[[Y]]) : (i32, i32) -> i32
// CHECK-NEXT: scf.yield %[[R]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[Y]] : i32
// CHECK-NEXT: }
// CHECK-NOT: cold
// CHECK: func.func private @marked_outlined_1(%[[A:.*]]: i32, %[[B:.*]]: i32) -> i32 {
// CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[A]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[SEVEN]]
// CHECK-NEXT: return %[[S]]
func.func @marked(%c: i1, %x: i32, %y: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  %r = scf.if %c -> (i32) {
    %p = arith.muli %x, %y : i32
    %s = arith.addi %p, %c7 : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  } {cold}
  return %r : i32
}
func.func private @marked_outlined_0()

// An operation without regions becomes a call.
// CHECK-LABEL: func.func @single
// CHECK-NEXT: %[[R:.*]] = call @single_outlined_0(%arg0) : (i32) -> i32
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @single_outlined_0
func.func @single(%x: i32) -> i32 {
  %r = arith.muli %x, %x {cold} : i32
  return %r : i32
}

// A large loop, and a condition in it that is large by itself; arguments of the region are arguments.
// LARGE-LABEL: func.func @large
// LARGE: scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (i32)
// LARGE-NEXT: %[[R:.*]] = func.call @large_outlined_1(%arg0, %[[A]], %arg3, %[[I]], %arg2)
// LARGE-NEXT: scf.yield %[[R]]
// LARGE: func.func private @large_outlined_0
// LARGE: memref.store
// LARGE: func.func private @large_outlined_1
// LARGE: scf.if
// LARGE-NEXT: func.call @large_outlined_0
// CHECK-LABEL: func.func @large
// CHECK-NOT: call
// CHECK-LABEL: func.func @kept
func.func @large(%c: i1, %n: index, %x: i32, %m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    scf.if %c {
      %s = arith.addi %a, %a : i32
      %t = arith.muli %s, %a : i32
      memref.store %t, %m[%i] : memref<?xi32>
    }
    %b = arith.subi %a, %x : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// An operation that yields storage is not outlined: the storage may not outlive its function.
// LARGE-LABEL: func.func @kept
// LARGE-NOT: call
func.func @kept(%c: i1, %x: i32) -> memref<i32> {
  %m = scf.if %c -> (memref<i32>) {
    %a = memref.alloc() : memref<i32>
    memref.store %x, %a[] : memref<i32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %a[] : memref<i32>
    scf.yield %a : memref<i32>
  } else {
    %a = memref.alloc() : memref<i32>
    scf.yield %a : memref<i32>
  }
  return %m : memref<i32>
}
