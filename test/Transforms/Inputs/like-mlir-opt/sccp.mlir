// Constants stand in the reverse order of their first values; those of different dialects and regions are different.
func.func @f() -> (i32, i32) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %0 : i32
  %3 = arith.addi %1, %1 : i32
  %4 = arith.addi %2, %1 : i32
  return %3, %4 : i32, i32
}
func.func @g(%a: i32, %b: index) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %u = arith.constant 77 : i32
  %v = "foo.any"(%c3) : (i32) -> i32
  return %a, %v : i32, i32
}
func.func @f2(%c: i1) -> (i32, i32, i32) {
  %0 = arith.constant 1 : i32
  %i = index.constant 4
  %j = arith.constant 4 : index
  %r:2 = call @g(%0, %i) : (i32, index) -> (i32, i32)
  %s = index.add %i, %j
  %1 = scf.if %c -> i32 {
    %x = arith.addi %0, %0 : i32
    scf.yield %x : i32
  } else {
    %y = arith.constant 2 : i32
    scf.yield %y : i32
  }
  "use"(%s, %j) : (index, index) -> ()
  cf.br ^bb1(%1, %c : i32, i1)
^bb1(%z: i32, %zz: i1):
  %w = arith.addi %z, %r#1 : i32
  return %w, %r#0, %z : i32, i32, i32
}
func.func @h(%c: i1) -> i32 {
  %0 = arith.constant 1 : i32
  %1 = "foo.op"() ({
    %2 = arith.constant 1 : i32
    %3 = arith.addi %2, %0 : i32
    "foo.use"(%3) : (i32) -> ()
  }) : () -> i32
  return %0 : i32
}
module {
  func.func nested @g(%a: i32) -> i32 {
    return %a : i32
  }
  func.func @f() -> i32 {
    %1 = arith.constant 1 : i32
    %r = call @g(%1) : (i32) -> i32
    return %r : i32
  }
}
