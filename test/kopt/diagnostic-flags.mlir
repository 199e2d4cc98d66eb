// Verbosity and format of diagnostics.
// RUN: not %kopt %s --allow-unregistered-dialect --diagnostic-format=line 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: {{^.*}}diagnostic-flags.mlir:[[@LINE+24]]:11: error: redefinition of SSA value '%a'
// LINE-NEXT: {{^}}  %a, %b, %a = "t.x"() : () -> (i32, i32, i32)
// LINE-NEXT: {{^}}          ^
// LINE-NEXT: {{^.*}}diagnostic-flags.mlir:[[@LINE+21]]:3: note: previously defined here

// Without notes.
// RUN: not %kopt %s --allow-unregistered-dialect --diagnostic-format=line --mlir-disable-diagnostic-notes 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: redefinition of SSA value '%a'
// SHORT-NOT: note:

// Errors only; a flag may say whether it holds.
// RUN: not %kopt %s --allow-unregistered-dialect --mlir-diagnostic-verbosity-level=errors 2>&1 | FileCheck %s --check-prefix=ERRORS
// ERRORS: error: redefinition of SSA value '%a'
// RUN: %kopt %S/Inputs/unverified.mlir --mlir-very-unsafe-disable-verifier-on-parsing --mlir-print-op-generic=true | FileCheck %s --check-prefix=UNVERIFIED
// UNVERIFIED: "arith.addi"
// RUN: not %kopt %S/Inputs/unverified.mlir --mlir-very-unsafe-disable-verifier-on-parsing=false 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: error: 'arith.addi' op

// A pipeline names the operation that it runs on.
// RUN: not %kopt %S/Inputs/unverified.mlir --pass-pipeline=cse 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
// ANCHOR: help: did you mean 'builtin.module(cse)'?

func.func @f() {
  %a, %b, %a = "t.x"() : () -> (i32, i32, i32)
  return
}
