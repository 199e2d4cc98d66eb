// RUN: %kopt %s --merge-composite="patterns=multiply_add=arith.mulf+arith.addf" | FileCheck %s
// RUN: %kopt %s --merge-composite="patterns={maybe=arith.mulf?+arith.addf+arith.negf?}" | FileCheck %s --check-prefix=MAYBE
// RUN: %kopt %s --merge-composite="patterns=multiply_add=arith.mulf+arith.addf" --partition-graph="compiler=unit operations=arith.subf" | FileCheck %s --check-prefix=PARTS

// The product has one user, so that it is part of the chain; one with two users is not.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[R:.*]] = call @chain_multiply_add_0(%arg0, %arg1)
// CHECK-NEXT: %[[P:.*]] = arith.mulf
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[R]]
// CHECK-NEXT: arith.subf %[[S]], %[[P]]
// CHECK: func.func private @chain_multiply_add_0(%arg0: f32, %arg1: f32) -> f32 attributes {Composite = "multiply_add"} {
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// MAYBE-LABEL: func.func @chain
// MAYBE-NEXT: call @chain_maybe_0(
// MAYBE-NEXT: arith.mulf
// MAYBE-NEXT: call @chain_maybe_1(
// MAYBE-NEXT: arith.subf
// The subtraction and the composite function are not neighbors: both are regions of their own.
// PARTS-LABEL: func.func @chain
// PARTS-NEXT: call @chain_unit_0(
// PARTS-NEXT: arith.mulf
// PARTS-NEXT: arith.addf
// PARTS-NEXT: call @chain_unit_1(
// PARTS: func.func private @chain_unit_0({{.*}} attributes {Compiler = "unit", Primitive = 1 : i64, global_symbol = "chain_unit_0"} {
func.func @chain(%x: f32, %y: f32) -> f32 {
  %p = arith.mulf %x, %y : f32
  %s = arith.addf %p, %y : f32
  %q = arith.mulf %x, %x : f32
  %t = arith.addf %q, %s : f32
  %u = arith.subf %t, %q : f32
  return %u : f32
}

// Of an operation with several results, those that do not continue the chain are results of the function if they are used behind it.
// RUN: %kopt %s --merge-composite="patterns=halves=arith.mului_extended+arith.addi" | FileCheck %s --check-prefix=HALVES
// HALVES-LABEL: func.func @further_results
// HALVES-NEXT: %[[R:.*]]:2 = call @further_results_halves_0(%arg0, %arg1) : (i32, i32) -> (i32, i32)
// HALVES-NEXT: %[[S:.*]] = arith.subi %[[R]]#0, %[[R]]#1
// HALVES-NEXT: %[[L:.*]], %[[H:.*]] = arith.mului_extended %[[S]], %[[S]]
// HALVES-NEXT: %[[N:.*]] = arith.subi %[[H]], %arg0
// HALVES-NEXT: %[[T:.*]] = arith.addi %[[L]], %[[N]]
// HALVES-NEXT: return %[[T]]
func.func @further_results(%x: i32, %y: i32) -> i32 {
  %low, %high = arith.mului_extended %x, %y : i32
  %s = arith.addi %low, %x : i32
  %d = arith.subi %high, %s : i32
  %l, %h = arith.mului_extended %d, %d : i32
  %n = arith.subi %h, %x : i32
  %t = arith.addi %l, %n : i32
  return %t : i32
}
