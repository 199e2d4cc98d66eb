// Reproducers of either tool run with the other.
// REQUIRES: mlir-opt
// RUN: not %kopt %s --mlir-pass-pipeline-crash-reproducer=%t.ours.mlir --pass-pipeline="builtin.module(func.func(canonicalize{test-convergence max-iterations=1}))" 2>%t.err
// RUN: not %mlir-opt %t.ours.mlir --run-reproducer
// RUN: sed s/max-iterations=1/max-iterations=3/ %t.ours.mlir | %mlir-opt --run-reproducer | FileCheck %s
// RUN: not %mlir-opt %s --mlir-pass-pipeline-crash-reproducer=%t.theirs.mlir --pass-pipeline="builtin.module(func.func(canonicalize{test-convergence max-iterations=1}))" 2>%t.err
// RUN: not %kopt %t.theirs.mlir --run-reproducer
// RUN: sed s/max-iterations=1/max-iterations=3/ %t.theirs.mlir | %kopt --run-reproducer | FileCheck %s
// CHECK: func.func @a(%arg0: i32) -> i32 {
// CHECK-NEXT: return %arg0
func.func @a(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.addi %a, %0 : i32
  return %a : i32
}
