// RUN: %kopt %s --inline | FileCheck %s
// RUN: %mlir-opt %s --inline | FileCheck %s
// RUN: %kopt %s --inline --mlir-disable-threading | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(inline{default-pipeline=})" | FileCheck %s --check-prefix=CALLS

// Functions are canonicalized, callees before they are inlined, as mlir-opt's pass does it.
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: %[[C:.*]] = arith.constant 8 : i32
// CHECK-NEXT: %[[R:.*]] = arith.addi %arg0, %[[C]] : i32
// CHECK-NEXT: return %[[R]] : i32
// CALLS-LABEL: func.func @caller
// CALLS-COUNT-2: arith.muli
func.func @caller(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %d = arith.constant 5 : i32
  %0 = func.call @unit(%c) : (i32) -> i32
  %1 = func.call @unit(%d) : (i32) -> i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.addi %x, %2 : i32
  return %3 : i32
}
// A function without calls is simplified, too.
// CHECK-LABEL: func.func @leaf
// CHECK-NEXT: return %arg0 : i32
// CALLS-LABEL: func.func @leaf
// CALLS: arith.addi
func.func @leaf(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %zero : i32
  return %0 : i32
}
func.func private @unit(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = arith.muli %x, %one : i32
  return %0 : i32
}
