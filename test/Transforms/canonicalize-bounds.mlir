// Reports the limits of canonicalize for one function that were reached, and where.
// RUN: not %kopt %s --pass-pipeline="builtin.module(canonicalize{max-iterations=1 test-convergence})" 2>&1 | FileCheck %s --check-prefix=ITERATIONS
// ITERATIONS: error: canonicalization did not converge
// ITERATIONS-NEXT: canonicalize-bounds.mlir:[[@LINE+11]]:1
// ITERATIONS: note: it was stopped after 1 iteration
// ITERATIONS: help: 'max-iterations' and 'max-num-rewrites' set the bounds, -1 for none
// RUN: not %kopt %s --pass-pipeline="builtin.module(canonicalize{max-num-rewrites=0 test-convergence})" 2>&1 | FileCheck %s --check-prefix=REWRITES
// REWRITES: error: canonicalization did not converge
// REWRITES: note: it was stopped after 0 applications of patterns in an iteration
// An explicit limit on iterations gives no message.
// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize{max-iterations=1})" 2>&1 | FileCheck %s
// CHECK-NOT: did not converge
// CHECK: arith.addi
// CHECK-NOT: arith.addi
func.func @a(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
