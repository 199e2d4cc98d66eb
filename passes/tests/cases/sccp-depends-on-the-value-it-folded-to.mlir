// RUN: %kopt %s --pass-pipeline="builtin.module(sccp)"
func.func @f(%n: i32, %b: i32) -> i32 {
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
