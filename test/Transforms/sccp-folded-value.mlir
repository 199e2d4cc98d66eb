// RUN: %kopt %s --pass-pipeline="builtin.module(sccp)" | FileCheck %s

// `(%a - %b) + %b` folds to %a, which is not an operand of the addition. When the second iteration changes %a, the addition
// must be visited again, although its operands stay unknown. (mlir-opt 22 returns 5 here.)

func.func private @any() -> i32

// CHECK-LABEL: func.func @in_a_loop
// CHECK: %[[R:.*]] = arith.addi
// CHECK: cf.cond_br %{{.*}}, ^bb1({{.*}}), ^bb2
// CHECK: return %[[R]]
func.func @in_a_loop(%n: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  cf.br ^head(%c5 : i32)
^head(%a: i32):
  %b = func.call @any() : () -> i32
  %s = arith.subi %a, %b : i32
  %r = arith.addi %s, %b : i32
  %again = arith.cmpi eq, %a, %c5 : i32
  cf.cond_br %again, ^head(%n : i32), ^end
^end:
  return %r : i32
}

// CHECK-LABEL: func.func @in_a_region
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: return %[[R]]#1
func.func @in_a_region(%n: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : i32
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %c5, %last = %c5) -> (i32, i32) {
    %s = arith.subi %a, %b : i32
    %t = arith.addi %s, %b : i32
    scf.yield %n, %t : i32, i32
  }
  return %r#1 : i32
}

// A value that stays the same constant is still found.
// CHECK-LABEL: func.func @constant
// CHECK: %[[C5:.*]] = arith.constant 5 : i32
// CHECK: return %[[C5]]
func.func @constant() -> i32 {
  %c5 = arith.constant 5 : i32
  cf.br ^head(%c5 : i32)
^head(%a: i32):
  %b = func.call @any() : () -> i32
  %s = arith.subi %a, %b : i32
  %r = arith.addi %s, %b : i32
  %again = arith.cmpi eq, %b, %c5 : i32
  cf.cond_br %again, ^head(%a : i32), ^end
^end:
  return %r : i32
}
