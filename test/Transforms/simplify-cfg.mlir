// RUN: %kopt %s --pass-pipeline="builtin.module(simplify-cfg)" | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.muli
// CHECK-NEXT: return
func.func @chain(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  cf.br ^bb1(%0 : i32)
^bb1(%x: i32):
  %1 = arith.muli %x, %a : i32
  cf.br ^bb2
^bb2:
  return %1 : i32
}

// CHECK-LABEL: func.func @known
// CHECK-NOT: cf.
// CHECK: return %arg1
func.func @known(%a: i32, %b: i32) -> i32 {
  %false = arith.constant false
  cf.cond_br %false, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  return %x : i32
^bb2:
  return %b : i32
}

// The flag is 7 as a number of eight bits, which a case is written as, too.
// CHECK-LABEL: func.func @known_case
// CHECK-NOT: cf.
// CHECK: return %arg0
func.func @known_case(%a: i32, %b: i32) -> i32 {
  %flag = arith.constant -1 : i8
  cf.switch %flag : i8, [
    default: ^bb1(%b : i32),
    255: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}

// An argument that is one value whatever way is taken, one that equals another, one without a use.
// CHECK-LABEL: func.func @args
// CHECK: cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb1(%arg2 : i32)
// CHECK-NEXT: ^bb1(%[[X:.*]]: i32):
// CHECK-NEXT: return %[[X]], %[[X]], %arg1
func.func @args(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32) {
  cf.cond_br %c, ^bb1(%a, %a, %a, %b : i32, i32, i32, i32), ^bb1(%b, %b, %a, %a : i32, i32, i32, i32)
^bb1(%x: i32, %y: i32, %z: i32, %unused: i32):
  return %x, %y, %z : i32, i32, i32
}
