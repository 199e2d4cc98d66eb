// MLIR's canonicalizer does not terminate on a branch that leaves a loop without a path from the entry.
// RUN: %kc run %s --entry branch --inputs '[true, 7]' | FileCheck %s
// RUN: %kc run %s --entry switch --inputs '[7]' | FileCheck %s
// RUN: %kc run %s --entry same_condition --inputs '[7, 0]' | FileCheck %s
// RUN: %kc build %s --entry branch --emit=llvm-dialect | FileCheck %s --check-prefix=DIALECT
// CHECK: {{^}}7{{$}}
// DIALECT-LABEL: llvm.func @branch
// DIALECT-NOT: ssa.copy
func.func @branch(%x: i1, %n: index) -> index {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %c1 : index
  cf.cond_br %go, ^body, ^after(%true : i1)
^body:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^after(%c: i1):
  cf.cond_br %c, ^done(%n : index), ^loop(%n : index)
^done(%r: index):
  return %r : index
^loop(%k: index):
  %l = arith.cmpi slt, %k, %c2 : index
  cf.cond_br %l, ^next, ^done(%k : index)
^next:
  %m = arith.addi %k, %c2 : index
  cf.br ^loop(%m : index)
}
func.func @switch(%n: index) -> index {
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %c1 : index
  cf.cond_br %go, ^body, ^after(%seven : i32)
^body:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^after(%c: i32):
  cf.switch %c : i32, [default: ^done(%n : index), 3: ^loop(%n : index)]
^done(%r: index):
  return %r : index
^loop(%k: index):
  %l = arith.cmpi slt, %k, %c2 : index
  cf.cond_br %l, ^next, ^done(%k : index)
^next:
  %m = arith.addi %k, %c2 : index
  cf.br ^loop(%m : index)
}
func.func @same_condition(%n: index, %k: i32) -> index {
  %c2 = arith.constant 2 : index
  cf.switch %k : i32, [default: ^done(%n : index), 3: ^again]
^again:
  cf.switch %k : i32, [default: ^loop(%n : index), 3: ^done(%n : index)]
^done(%r: index):
  return %r : index
^loop(%i: index):
  %l = arith.cmpi slt, %i, %c2 : index
  cf.cond_br %l, ^next, ^done(%i : index)
^next:
  %m = arith.addi %i, %c2 : index
  cf.br ^loop(%m : index)
}
