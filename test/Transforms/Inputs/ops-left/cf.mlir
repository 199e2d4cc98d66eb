func.func @known_branch(%x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  cf.cond_br %t, ^a, ^b
^a:
  return %x : i32
^b:
  return %y : i32
}
func.func @chain(%x: i32) -> i32 {
  cf.br ^a
^a:
  cf.br ^b(%x : i32)
^b(%y: i32):
  return %y : i32
}
func.func @same_target(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^a(%y : i32)
^a(%z: i32):
  return %z : i32
}
func.func @through(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^d(%x : i32)
^b:
  cf.br ^d(%x : i32)
^d(%y: i32):
  return %y : i32
}
func.func @known_inside(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = arith.select %c, %x, %y : i32
  return %0 : i32
^b:
  %1 = arith.select %c, %x, %y : i32
  return %1 : i32
}
func.func @condition_again(%c: i1) -> (i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %c, ^d(%c1 : i32), ^d(%c2 : i32)
^b:
  cf.br ^d(%c3 : i32)
^d(%y: i32):
  return %y : i32
}
func.func @negated(%c: i1, %x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  cf.cond_br %n, ^a, ^b
^a:
  return %x : i32
^b:
  return %y : i32
}
func.func @switch_known(%x: i32, %y: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.switch %c1 : i32, [default: ^a(%x : i32), 1: ^b(%y : i32), 2: ^a(%y : i32)]
^a(%p: i32):
  return %p : i32
^b(%q: i32):
  %r = arith.addi %q, %q : i32
  return %r : i32
}
func.func @switch_default_only(%f: i32, %x: i32) -> i32 {
  cf.switch %f : i32, [default: ^a(%x : i32)]
^a(%p: i32):
  return %p : i32
}
func.func @switch_same(%f: i32, %x: i32) -> i32 {
  cf.switch %f : i32, [default: ^a(%x : i32), 1: ^a(%x : i32), 2: ^a(%x : i32)]
^a(%p: i32):
  return %p : i32
}
func.func @switch_through(%f: i32, %x: i32, %y: i32) -> i32 {
  cf.switch %f : i32, [default: ^a(%x : i32), 1: ^b, 2: ^a(%x : i32)]
^b:
  cf.br ^a(%y : i32)
^a(%p: i32):
  return %p : i32
}
func.func @switch_again(%f: i32, %x: i32, %y: i32) -> i32 {
  cf.switch %f : i32, [default: ^a(%x : i32), 1: ^b]
^b:
  cf.switch %f : i32, [default: ^a(%x : i32), 1: ^a(%y : i32)]
^a(%p: i32):
  return %p : i32
}
func.func @loop(%c: i1, %x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%y: i32):
  cf.cond_br %c, ^a(%x : i32), ^b
^b:
  return %y : i32
}
func.func @dead_argument(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b(%y : i32)
^a(%p: i32):
  return %x : i32
^b(%q: i32):
  %r = arith.addi %q, %y : i32
  return %r : i32
}
func.func @twins(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = arith.addi %x, %x : i32
  return %0 : i32
^b:
  %1 = arith.addi %x, %x : i32
  return %1 : i32
}
func.func @twins_but_for_a_value(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = arith.muli %x, %x : i32
  return %0 : i32
^b:
  %1 = arith.muli %y, %y : i32
  return %1 : i32
}
func.func @unreachable(%x: i32) -> i32 {
  return %x : i32
^a:
  %0 = arith.addi %x, %x : i32
  cf.br ^a
}
func.func @assertions(%c: i1) {
  %t = arith.constant true
  cf.assert %t, "always"
  cf.assert %c, "sometimes"
  return
}
func.func @self_loop(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^a
^b:
  return
}
func.func @dead_cycle(%c: i1, %x: i32) {
  cf.br ^a(%x : i32)
^a(%y: i32):
  %z = arith.addi %y, %y : i32
  cf.cond_br %c, ^a(%z : i32), ^b
^b:
  return
}
