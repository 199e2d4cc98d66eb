// RUN: %kopt %s --pass-pipeline="builtin.module(inline{max-callee-operations=9 default-pipeline=})" | FileCheck %s
// The cost of a callee is that of its operations: constants and returns are free, and a mathematical function is ten
// instructions. A callee that is called twice may be twice as large.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: arith.addi
// CHECK-COUNT-3: call @heavy
// CHECK-NOT: call
func.func @main(%x: i32, %y: f32) -> (i32, f32, f32, f32) {
  %0 = func.call @light(%x) : (i32) -> i32
  %1 = func.call @heavy(%y) : (f32) -> f32
  %2 = func.call @heavy(%1) : (f32) -> f32
  %3 = func.call @heavy(%2) : (f32) -> f32
  %4 = func.call @twice(%3) : (f32) -> f32
  %5 = func.call @twice(%4) : (f32) -> f32
  return %0, %1, %2, %5 : i32, f32, f32, f32
}
func.func @light(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.addi %1, %x : i32
  %3 = arith.addi %2, %x : i32
  %4 = arith.addi %3, %x : i32
  %5 = arith.addi %4, %x : i32
  %6 = arith.addi %5, %x : i32
  %c1 = arith.constant 1 : i32
  %7 = arith.addi %6, %c1 : i32
  return %7 : i32
}
func.func @heavy(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
func.func @twice(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = arith.addf %0, %0 : f32
  return %1 : f32
}
