// RUN: not %kopt --allow-unregistered-dialect %s 2>&1 | FileCheck %s

func.func @condition(%c: i1, %x: f32) {
  // CHECK: error: 'scf.while' op along control flow edge from Operation scf.condition to parent: successor operand type #0 'i1' should match successor input type #0 'f32'
  %r = scf.while (%q = %x) : (f32) -> (f32) {
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%e: f32):
    scf.yield %e : f32
  }
  return
}

func.func @yielded(%c: index, %x: f32) {
  // CHECK: error: 'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'index'
  %r = scf.for %i = %c to %c step %c iter_args(%a = %x) -> (f32) {
    scf.yield %i : index
  }
  return
}

func.func @cases(%i: index) {
  // CHECK: error: 'scf.index_switch' op has duplicate case value: 1
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

func.func @step(%i: index) {
  %c0 = arith.constant 0 : index
  // CHECK: error: 'scf.parallel' op constant step operand must be positive
  scf.parallel (%j) = (%i) to (%i) step (%c0) {
  }
  return
}

func.func @reduction(%i: index, %x: f32, %y: i32) {
  %r = scf.parallel (%j) = (%i) to (%i) step (%i) init (%x) -> f32 {
    // CHECK: error: 'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'
    scf.reduce(%y : i32) {
    ^bb0(%l: i32, %q: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}

func.func @mapping(%i: index) {
  // CHECK: error: 'scf.forall' op mapping attribute size must match op rank
  scf.forall (%j) in (%i) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}

func.func @in_parallel(%i: index) {
  scf.forall (%j) in (%i) {
    // CHECK: error: 'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops
    scf.forall.in_parallel {
      %0 = arith.constant 1 : i32
    }
  }
  return
}

func.func @switch_arguments(%i: index) {
  // CHECK: error: 'scf.index_switch' op region should have no arguments
  "scf.index_switch"(%i) <{cases = array<i64>}> ({
  ^bb0(%a: i32):
    scf.yield
  }) : (index) -> ()
  return
}
