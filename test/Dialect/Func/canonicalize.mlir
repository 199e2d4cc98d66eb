// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s

// A call of a function that is known is a call by its symbol.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @twice(%arg0) {here} : (i32) -> i32
// CHECK-NEXT: %[[B:.*]] = call_indirect %arg1(%[[A]]) : (i32) -> i32
// CHECK-NEXT: return %[[B]]
func.func @main(%x: i32, %g: (i32) -> i32) -> i32 {
  %f = func.constant @twice : (i32) -> i32
  %0 = func.call_indirect %f(%x) {here} : (i32) -> i32
  %1 = func.call_indirect %g(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
