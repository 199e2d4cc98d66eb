// Prints only the IR after a failing pass.
// RUN: not %kopt %s --mlir-print-ir-after-failure --pass-pipeline="builtin.module(func.func(cse,canonicalize{test-convergence max-iterations=1}))" 2>&1 | FileCheck %s
// RUN: not %kopt %s --mlir-print-ir-after-all --mlir-print-ir-after-failure --pass-pipeline="builtin.module(func.func(cse,canonicalize{test-convergence max-iterations=1}))" 2>&1 | FileCheck %s
// CHECK-NOT: IR Dump
// CHECK: {{^}}// -----// IR Dump After canonicalize Failed //----- //
// CHECK-NEXT: func.func @a(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT: return %arg0
// CHECK-NOT: IR Dump
// CHECK: error: canonicalization did not converge
func.func @a(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %0 : i32
  return %a : i32
}
