func.func @known(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^yes(%x : i32), ^no
^yes(%p: i32):
  return %p : i32
^no:
  return %y : i32
}

func.func @same_destination(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x : i32), ^through
^through:
  cf.br ^end(%y : i32)
^end(%p: i32):
  return %p : i32
}

func.func @condition_inside(%c: i1) -> i1 {
  cf.cond_br %c, ^yes, ^no
^yes:
  return %c : i1
^no:
  return %c : i1
}

func.func @circle(%c: i1) {
  cf.cond_br %c, ^a, ^end
^a:
  cf.br ^b
^b:
  cf.br ^a
^end:
  return
}

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

func.func @asserted(%c: i1) {
  %true = arith.constant true
  cf.assert %true, "goes"
  cf.assert %c, "stays"
  return
}
