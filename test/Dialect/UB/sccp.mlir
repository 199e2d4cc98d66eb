// Poison on every path is a constant.
// RUN: %kopt %s --sccp --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[POISON:.*]] = ub.poison : i32
// CHECK-NEXT: return %[[POISON]] : i32
func.func @f(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %p = ub.poison : i32
  cf.br ^c(%p : i32)
^b:
  %q = ub.poison : i32
  cf.br ^c(%q : i32)
^c(%x: i32):
  return %x : i32
}
