// RUN: %kopt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @known
// CHECK-SAME: (%[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK-NEXT: return %[[X]]
func.func @known(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^yes(%x : i32), ^no
^yes(%p: i32):
  return %p : i32
^no:
  return %y : i32
}

// CHECK-LABEL: func.func @same_destination
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : i32
// CHECK-NEXT: return %[[S]]
func.func @same_destination(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x : i32), ^through
^through:
  cf.br ^end(%y : i32)
^end(%p: i32):
  return %p : i32
}

// CHECK-LABEL: func.func @condition_inside
// CHECK-SAME: (%[[C:.*]]: i1)
// CHECK: cf.cond_br %[[C]], ^[[YES:.*]], ^[[NO:.*]]
// CHECK: ^[[YES]]:
// CHECK-NEXT: return %true
// CHECK: ^[[NO]]:
// CHECK-NEXT: return %false
func.func @condition_inside(%c: i1) -> i1 {
  cf.cond_br %c, ^yes, ^no
^yes:
  return %c : i1
^no:
  return %c : i1
}

// Blocks that lead in a circle stay.
// CHECK-LABEL: func.func @circle
// CHECK: cf.br
func.func @circle(%c: i1) {
  cf.cond_br %c, ^a, ^end
^a:
  cf.br ^b
^b:
  cf.br ^a
^end:
  return
}

// CHECK-LABEL: func.func @switch
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: return %[[X]]
func.func @switch(%x: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %c7 : i32, [
    default: ^other,
    7: ^seven(%x : i32)
  ]
^other:
  return %c7 : i32
^seven(%p: i32):
  return %p : i32
}

// CHECK-LABEL: func.func @asserted
// CHECK-NEXT: cf.assert %{{.*}}, "stays"
// CHECK-NEXT: return
func.func @asserted(%c: i1) {
  %true = arith.constant true
  cf.assert %true, "goes"
  cf.assert %c, "stays"
  return
}

// A switch that only another one of the same flag leads to: in a case that case is known, elsewhere it is none of them.
// CHECK-LABEL: func.func @switches
// CHECK: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: 1: ^bb2(%arg2 : i32)
// CHECK: ^bb1:
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^bb2(%arg1 : i32),
// CHECK-NEXT: 2: ^bb3
// CHECK-NEXT: ]
func.func @switches(%f: i32, %x: i32, %y: i32) -> i32 {
  cf.switch %f : i32, [default: ^a, 1: ^b]
^a:
  cf.switch %f : i32, [default: ^c(%x : i32), 1: ^d, 2: ^d]
^b:
  cf.switch %f : i32, [default: ^c(%x : i32), 1: ^c(%y : i32)]
^c(%p: i32):
  return %p : i32
^d:
  %s = arith.addi %x, %y : i32
  return %s : i32
}

// Erases unused arguments, and the operands forwarded to them.
// CHECK-LABEL: func.func @unused_arguments
// CHECK: cf.cond_br %arg0, ^bb1, ^bb2(%arg2 : i32)
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: call @happens() : () -> ()
// CHECK-NEXT: cf.br ^bb2(%arg1 : i32)
// CHECK-NEXT: ^bb2(%[[X:.*]]: i32):
// CHECK-NEXT: return %[[X]] : i32
func.func @unused_arguments(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a(%y, %x : i32, i32), ^b(%y, %x : i32, i32)
^a(%p: i32, %q: i32):
  func.call @happens() : () -> ()
  cf.br ^b(%x, %q : i32, i32)
^b(%r: i32, %s: i32):
  return %r : i32
}
func.func private @happens()
