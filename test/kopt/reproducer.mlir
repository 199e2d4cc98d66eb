// A pass that fails: one iteration is not enough here.
// RUN: rm -f %t.repro.mlir %t.out
// RUN: not %kopt %s --mlir-pass-pipeline-crash-reproducer=%t.repro.mlir --pass-pipeline="builtin.module(strip-debuginfo,func.func(canonicalize{test-convergence max-iterations=1}))" -o %t.out 2>&1 | FileCheck %s
// CHECK: error: canonicalization did not converge
// CHECK: error: Failures have been detected while processing an MLIR pass pipeline
// CHECK: note: Pipeline failed while executing [`canonicalize` on 'func.func' operation: @a]: reproducer generated at `{{.*}}.mlir`
// RUN: not ls %t.out
// It holds the whole pipeline, and the module from before it.
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=%t.repro.mlir
// WHOLE: arith.addi {{.*}} loc(#
// WHOLE: {-#
// WHOLE-NEXT: external_resources: {
// WHOLE-NEXT: mlir_reproducer: {
// WHOLE-NEXT: pipeline: "builtin.module(strip-debuginfo,func.func(canonicalize{max-iterations=1 test-convergence=true}))",
// WHOLE-NEXT: disable_threading: false,
// WHOLE-NEXT: verify_each: true
// It runs again, and fails the same way.
// RUN: not %kopt --run-reproducer %t.repro.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: canonicalization did not converge
// With another number in its text it succeeds.
// RUN: sed s/max-iterations=1/max-iterations=3/ %t.repro.mlir | %kopt --run-reproducer | FileCheck %s --check-prefix=GOOD
// GOOD: func.func @a(%arg0: i32) -> i32 {
// GOOD-NEXT: return %arg0

// A local one holds the pass that failed, and the module from before that pass.
// RUN: not %kopt %s --mlir-pass-pipeline-crash-reproducer=%t.local.mlir --mlir-pass-pipeline-local-reproducer --verify-each=false --pass-pipeline="builtin.module(strip-debuginfo,func.func(canonicalize{test-convergence max-iterations=1}))" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOCAL --input-file=%t.local.mlir
// LOCAL: #loc = loc(unknown)
// LOCAL: arith.addi {{.*}} loc(#loc)
// LOCAL: pipeline: "builtin.module(func.func(canonicalize{max-iterations=1 test-convergence=true}))",
// LOCAL-NEXT: disable_threading: true,
// LOCAL-NEXT: verify_each: false
// RUN: not %kopt --run-reproducer %t.local.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN

// On success no reproducer is written.
// RUN: %kopt %s --canonicalize --mlir-pass-pipeline-crash-reproducer=%t.none.mlir -o %t.good
// RUN: not ls %t.none.mlir
// Malformed reproducers are errors.
// RUN: not %kopt --run-reproducer %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --run-reproducer needs a file with a reproducer configuration
// RUN: sed s/strip-debuginfo/strip-debugginfo/ %t.repro.mlir | not %kopt --run-reproducer 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: 'strip-debugginfo' does not refer to a registered pass or pass pipeline
// PASS: did you mean 'strip-debuginfo'?
// RUN: not %kopt %s --mlir-pass-pipeline-local-reproducer 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: --mlir-pass-pipeline-crash-reproducer <FILE>
func.func @a(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.addi %a, %0 : i32
  return %a : i32
}
