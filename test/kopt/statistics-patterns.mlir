// How often each pattern was applied is counted, in each place of the pipeline, and over all.
// RUN: %kopt %s --mlir-pass-statistics --pass-pipeline="builtin.module(func.func(canonicalize),canonicalize)" -o /dev/null 2>&1 | FileCheck %s
// CHECK: {{^}}  canonicalize
// CHECK: {{^}}    (S) 3 num-rewrites
// CHECK-NEXT: {{^}}    (S) 2 arith-add-add-constant
// CHECK-NEXT: {{^}}    (S) 1 arith-select-not
// CHECK-NEXT: {{^}}canonicalize
// CHECK: {{^}}  (S) 0 num-rewrites
// CHECK-NOT: arith
// RUN: %kopt %s --mlir-pass-statistics --mlir-pass-statistics-display=list --pass-pipeline="builtin.module(func.func(canonicalize),canonicalize)" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: {{^}}canonicalize
// LIST: {{^}}  (S) 3 num-rewrites
// LIST-NEXT: {{^}}  (S) 2 arith-add-add-constant
// LIST-NEXT: {{^}}  (S) 1 arith-select-not
func.func @a(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
func.func @b(%c: i1, %a: i32, %b: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %t = arith.constant true
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  %n = arith.xori %c, %t : i1
  %2 = arith.select %n, %1, %b : i32
  return %2 : i32
}
