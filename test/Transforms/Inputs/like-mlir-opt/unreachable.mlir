// Unreachable blocks whose values use themselves are erased before any pattern is tried on them.
func.func @unreachable() {
  return
^unreachable:
  %c1_i64 = arith.constant 1 : i64
  %x = arith.addi %c1_i64, %c1_i64 : i64
  %add = arith.addi %add, %x : i64
  %add2 = arith.addi %add2, %x : i64
  "use"(%add2, %add) : (i64, i64) -> ()
  cf.br ^unreachable
}
func.func @g(%a : i64) {
  return
^unreachable:
  %c1_i64 = arith.constant 1 : i64
  %z = arith.addi %c, %c1_i64 : i64
  %c = arith.addi %z, %c1_i64 : i64
  cf.br ^unreachable
}
