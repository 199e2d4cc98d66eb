// A file is one operation of any kind, and passes run on it.
// RUN: %kopt %s --no-implicit-module --canonicalize | FileCheck %s
// CHECK-NOT: module
// CHECK: {{^}}func.func @f
// CHECK-NEXT: return
// RUN: %kopt %s --no-implicit-module --pass-pipeline="func.func(canonicalize)" | FileCheck %s
// RUN: not %kopt %s --no-implicit-module --pass-pipeline="builtin.module(canonicalize)" 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: can't run 'builtin.module' pass manager on 'func.func' op
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  return
}
// RUN: cat %s %s | not %kopt --no-implicit-module 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: source must contain a single top-level operation, found: 2
