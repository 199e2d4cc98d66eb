// RUN: %kc run %s --backend jit --inputs '[1]' | FileCheck %s --check-prefix=ONE
// RUN: %kc run %s --backend jit --inputs '[2]' | FileCheck %s --check-prefix=OTHER
// RUN: %kc run %s --backend jit --inputs '[4294967297]' | FileCheck %s --check-prefix=OTHER
// RUN: %kc run %s --backend jit --inputs '[4294967298]' | FileCheck %s --check-prefix=LARGE
// RUN: %kc run %s --backend interpret --inputs '[4294967298]' | FileCheck %s --check-prefix=LARGE
// The cases of a switch on an index are compared with all bits of it. MLIR's conversion compares the low 32 bits.

// ONE: 10
// LARGE: 20
// OTHER: 30
func.func @main(%i: index) -> i32 {
  %r = scf.index_switch %i -> i32
  case 1 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
  }
  case 4294967298 {
    %a = arith.constant 20 : i32
    scf.yield %a : i32
  }
  default {
    %a = arith.constant 30 : i32
    scf.yield %a : i32
  }
  return %r : i32
}
