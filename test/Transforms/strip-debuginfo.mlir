// RUN: %kopt %s --mlir-print-debuginfo --pass-pipeline="builtin.module(strip-debuginfo)" | FileCheck %s

// CHECK: #[[LOC:.*]] = loc(unknown)
// CHECK-NOT: loc("
// CHECK: func.func @f(%arg0: i32 loc(unknown))
// CHECK-NEXT: return %arg0 : i32 loc(#[[LOC]])
// CHECK-NOT: loc("
func.func @f(%a: i32) -> i32 {
  return %a : i32 loc("b":3:4)
} loc("c":5:6)
