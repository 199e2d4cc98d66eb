// RUN: %kopt %s --pass-pipeline="builtin.module(hoist-from-if)" | FileCheck %s

// The second follows the first; operations in between do not matter.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[A:.*]] = arith.muli
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.xori
// CHECK-NEXT: %[[R:.*]] = arith.subi %[[B]]
// CHECK-NEXT: scf.yield %[[R]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]]
func.func @chain(%c: i1, %a: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    %x = arith.xori %a, %a : i32
    %1 = arith.muli %a, %a : i32
    %2 = arith.addi %1, %1 : i32
    %3 = arith.subi %2, %x : i32
    scf.yield %3 : i32
  } else {
    %1 = arith.muli %a, %a : i32
    %2 = arith.addi %1, %1 : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}

// A division may trap: not before something that may end the program. A load not before a store.
// CHECK-LABEL: func.func @order
// CHECK-NEXT: scf.if
// CHECK-NEXT: func.call @anything
// CHECK-NEXT: arith.divsi
// CHECK: } else {
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.load
func.func private @anything()
func.func @order(%c: i1, %a: i32, %m: memref<i32>) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    func.call @anything() : () -> ()
    %1 = arith.divsi %a, %a : i32
    %2 = memref.load %m[] : memref<i32>
    scf.yield %1, %2 : i32, i32
  } else {
    %1 = arith.divsi %a, %a : i32
    memref.store %a, %m[] : memref<i32>
    %2 = memref.load %m[] : memref<i32>
    scf.yield %1, %2 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-LABEL: func.func @read
// CHECK-NEXT: memref.load
// CHECK-NEXT: scf.if
// CHECK-NOT: memref.load
// CHECK: return
func.func @read(%c: i1, %a: i32, %m: memref<i32>) {
  scf.if %c {
    %2 = memref.load %m[] : memref<i32>
    memref.store %a, %m[] : memref<i32>
  } else {
    %2 = memref.load %m[] : memref<i32>
    %3 = arith.addi %2, %2 : i32
    memref.store %3, %m[] : memref<i32>
  }
  return
}

// The other branch is empty.
// CHECK-LABEL: func.func @one_way
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.addi
func.func @one_way(%c: i1, %a: i32, %m: memref<i32>) {
  scf.if %c {
    %1 = arith.addi %a, %a : i32
    memref.store %1, %m[] : memref<i32>
  }
  return
}
