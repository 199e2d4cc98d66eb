// A reproducer of every run is written before it starts.
// RUN: rm -f %t.mlir
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(cse,canonicalize))" --verify-each=false --mlir-generate-reproducer=%t.mlir | FileCheck %s
// CHECK: func.func @a(%arg0: i32) -> i32 {
// CHECK-NEXT: return %arg0
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.mlir
// FILE: arith.addi
// FILE: pipeline: "builtin.module(func.func(cse,canonicalize))",
// FILE-NEXT: disable_threading: false,
// FILE-NEXT: verify_each: false
// RUN: %kopt --run-reproducer %t.mlir | FileCheck %s

// One that fails as well.
// RUN: rm -f %t.mlir
// RUN: not %kopt %s --pass-pipeline="builtin.module(func.func(canonicalize{test-convergence max-iterations=1}))" --mlir-generate-reproducer=%t.mlir
// RUN: not %kopt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: canonicalization did not converge
// RUN: not %kopt %s --cse --mlir-generate-reproducer=%S/no/such/directory.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: {{.*}}no/such/directory.mlir
func.func @a(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %0 : i32
  %2 = arith.addi %a, %0 : i32
  return %a : i32
}
