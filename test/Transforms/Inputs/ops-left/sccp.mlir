func.func @branch(%x: i32) -> i32 {
  %t = arith.constant true
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.cond_br %t, ^a(%c1 : i32), ^a(%c2 : i32)
^a(%y: i32):
  %z = arith.addi %y, %c1 : i32
  return %z : i32
}
func.func @loop(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  cf.br ^a(%c1, %c0 : i32, i32)
^a(%y: i32, %i: i32):
  %p = arith.cmpi slt, %i, %n : i32
  cf.cond_br %p, ^b, ^c
^b:
  %z = arith.muli %y, %c1 : i32
  %j = arith.addi %i, %c1 : i32
  cf.br ^a(%z, %j : i32, i32)
^c:
  return %y : i32
}
func.func @regions(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = scf.if %c -> i32 {
    scf.yield %c1 : i32
  } else {
    %d = arith.constant 1 : i32
    scf.yield %d : i32
  }
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
func.func private @callee(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %x, %c1 : i32
  return %0 : i32
}
func.func @caller() -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0 = func.call @callee(%c1) : (i32) -> i32
  %1 = func.call @callee(%c1) : (i32) -> i32
  return %0, %1 : i32, i32
}
func.func private @rec(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi eq, %x, %c0 : i32
  %r = scf.if %p -> i32 {
    scf.yield %x : i32
  } else {
    %1 = func.call @rec(%x) : (i32) -> i32
    scf.yield %1 : i32
  }
  return %r : i32
}
func.func @reccaller() -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = func.call @rec(%c0) : (i32) -> i32
  return %0 : i32
}
func.func @forloop(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i32
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %b = arith.addi %a, %z : i32
    scf.yield %b : i32
  }
  return %r : i32
}
func.func @whileloop() -> i32 {
  %f = arith.constant false
  %x = arith.constant 5 : i32
  %r = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%f) %a : i32
  } do {
  ^bb0(%b: i32):
    %c = arith.addi %b, %b : i32
    scf.yield %c : i32
  }
  return %r : i32
}
func.func @switch() -> i32 {
  %c1 = arith.constant 1 : index
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %r = scf.index_switch %c1 -> i32
  case 1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}
