// RUN: %kopt %s --pass-pipeline="builtin.module(tail-recursion-to-loop)" | FileCheck %s

// Straight before the return.
// CHECK-LABEL: func.func @straight(%arg0: i32, %arg1: i32) -> i32
// CHECK-NEXT: cf.br ^[[HEAD:.*]](%arg0, %arg1 : i32, i32)
// CHECK-NEXT: ^[[HEAD]](%[[N:.*]]: i32, %[[A:.*]]: i32):
// CHECK: cf.cond_br
// CHECK: cf.br ^[[HEAD]](%{{.*}}, %{{.*}} : i32, i32)
// CHECK: return %[[A]]
// CHECK-NOT: call
func.func @straight(%n: i32, %a: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %c0 : i32
  cf.cond_br %end, ^end, ^again
^again:
  %less = arith.subi %n, %c1 : i32
  %more = arith.addi %a, %n : i32
  %r = func.call @straight(%less, %more) : (i32, i32) -> i32
  return %r : i32
^end:
  return %a : i32
}

// Inside conditions, which become branches; a loop that has nothing to do with it stays. Blocks that only hand on
// what they get count as the return.
// CHECK-LABEL: func.func @inside
// CHECK-NEXT: cf.br ^[[HEAD:.*]](%{{.*}} : index, i32)
// CHECK: ^[[HEAD]](
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK-COUNT-2: cf.br ^[[HEAD]](
// CHECK-NOT: call
func.func @inside(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (i32) {
    %w = arith.addi %v, %v : i32
    scf.yield %w : i32
  }
  %end = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %end -> (i32) {
    scf.yield %s : i32
  } else {
    %one = arith.cmpi eq, %n, %c1 : index
    %q = scf.if %one -> (i32) {
      %x = func.call @inside(%c0, %s) : (index, i32) -> i32
      scf.yield %x : i32
    } else {
      %less = arith.subi %n, %c2 : index
      %y = func.call @inside(%less, %s) : (index, i32) -> i32
      scf.yield %y : i32
    }
    scf.yield %q : i32
  }
  cf.br ^hand(%r : i32)
^hand(%h: i32):
  cf.br ^last(%h : i32)
^last(%l: i32):
  return %l : i32
}

// Two results in order.
// CHECK-LABEL: func.func @pair
// CHECK-NOT: call
// CHECK: cf.br ^bb1(%{{.*}}, %{{.*}} : i1, i32)
func.func @pair(%c: i1, %x: i32) -> (i32, i32) {
  cf.cond_br %c, ^again, ^end
^again:
  %false = arith.constant false
  %r:2 = func.call @pair(%false, %x) : (i1, i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
^end:
  return %x, %x : i32, i32
}

// Not in tail position: something is done with the result, the results are swapped, or a loop is around the call. The
// condition stays as it is.
// CHECK-LABEL: func.func @product
// CHECK: call @product
// CHECK-LABEL: func.func @swapped
// CHECK: call @swapped
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: call @loop
// CHECK-LABEL: func.func @not_last
// CHECK: scf.if
// CHECK: call @not_last
func.func @product(%n: i32) -> i32 {
  %r = func.call @product(%n) : (i32) -> i32
  %p = arith.muli %r, %n : i32
  return %p : i32
}
func.func @swapped(%x: i32) -> (i32, i32) {
  %r:2 = func.call @swapped(%x) : (i32) -> (i32, i32)
  return %r#1, %r#0 : i32, i32
}
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @loop(%i) : (index) -> ()
  }
  return
}
func.func @not_last(%c: i1, %x: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %y = func.call @not_last(%c, %x) : (i1, i32) -> i32
    scf.yield %y : i32
  } else {
    scf.yield %x : i32
  }
  %s = arith.addi %r, %r : i32
  return %s : i32
}

// Another function of the same kind, and one in a module of its own with the same name.
// CHECK-LABEL: func.func @other
// CHECK: call @straight
func.func @other(%n: i32) -> i32 {
  %r = func.call @straight(%n, %n) : (i32, i32) -> i32
  return %r : i32
}
