func.func @one_way(%x: i32) -> i32 {
  %true = arith.constant true
  %c7 = arith.constant 7 : i32
  cf.cond_br %true, ^then, ^else
^then:
  cf.br ^end(%c7 : i32)
^else:
  cf.br ^end(%x : i32)
^end(%r: i32):
  return %r : i32
}

func.func @around_a_loop(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c1 : i32)
^head(%v: i32):
  %p = arith.muli %v, %v : i32
  cf.cond_br %c, ^head(%p : i32), ^end
^end:
  return %v : i32
}

func.func @regions(%c: i1) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.if %c -> (i32) {
    %a = arith.muli %c2, %c3 : i32
    scf.yield %a : i32
  } else {
    %b = arith.addi %c3, %c3 : i32
    scf.yield %b : i32
  }
  return %r : i32
}

func.func @unknown(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %s = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %s iter_args(%a = %c1) -> (i32) {
    %b = arith.addi %a, %c1 : i32
    scf.yield %b : i32
  }
  return %r : i32
}

func.func private @same(%x: i32) -> i32 {
  return %x : i32
}
func.func private @differ(%x: i32) -> i32 {
  return %x : i32
}
func.func @calls() -> (i32, i32) {
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %0 = call @same(%c5) : (i32) -> i32
  %1 = call @same(%c5) : (i32) -> i32
  %sum = arith.addi %0, %1 : i32
  %2 = call @differ(%c5) : (i32) -> i32
  %3 = call @differ(%c6) : (i32) -> i32
  return %sum, %3 : i32, i32
}
