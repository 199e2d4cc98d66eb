// Flags are grouped under headings; passes are listed with a description and options.
// RUN: %kopt --help | FileCheck %s
// CHECK: Usage: kopt
// CHECK: {{^}}Reading:
// CHECK: --split-input-file
// CHECK: {{^}}Pipelines:
// CHECK: --pass-pipeline
// CHECK: {{^}}Printing:
// CHECK: --mlir-print-op-generic
// CHECK: {{^}}Watching passes:
// CHECK: --mlir-timing
// CHECK: {{^}}Lists:
// CHECK: --show-dialects
// CHECK: {{^}}Passes:
// CHECK: --canonicalize
// CHECK-NEXT: bring operations into canonical form
// CHECK: * test-convergence=<bool>: Fail if a limit is reached [default: false]
// An unknown flag ends the run with exit code 1, as in mlir-opt, and a suggestion.
// RUN: not %kopt %s --canonicalise 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: error: unexpected argument '--canonicalise' found
// NEAR: a similar argument exists: '--canonicalize'
// RUN: not %kopt %s --verify-diagnostics=some 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: possible values: all, only-expected
