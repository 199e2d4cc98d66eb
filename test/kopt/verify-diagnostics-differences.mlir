// Unexpected diagnostics, and missing expected ones, are errors.
// RUN: not %kopt %s --split-input-file --verify-diagnostics -o %t.out 2>&1 | FileCheck %s
// RUN: not ls %t.out
// RUN: not %kopt %s --split-input-file --verify-diagnostics=only-expected 2>&1 | FileCheck %s --check-prefix=ONLY
// ONLY-NOT: unexpected

func.func @unexpected() {
  %0 = "arith.addi"() : () -> i32
  return
}
// CHECK: error: unexpected error: 'arith.addi' op expected 2 operands, but found 0
// CHECK-NEXT: differences.mlir:[[#@LINE-4]]:8

// -----

// expected-error @+1 {{this does not come}}
func.func private @missing()
// CHECK: error: expected error "this does not come" was not produced
// CHECK-NEXT: differences.mlir:[[#@LINE-3]]:4
// ONLY: error: expected error "this does not come" was not produced

// -----

// expected-warning @+2 {{expected 2 operands}}
func.func @kind() {
  %0 = "arith.addi"() : () -> i32
  return
}
// CHECK: error: 'error' diagnostic emitted when expecting a 'warning'
// CHECK-NEXT: differences.mlir:[[#@LINE-6]]:4
// CHECK: error: expected warning "expected 2 operands" was not produced

// -----

func.func @note() {
  foo.bar // expected-error {{Dialect `foo' not found}}
  return
}
// CHECK: error: unexpected note: Available dialects

// -----

// expected-remark-re {{a (b{{(}}}}
// expected-remark-re {{a {{b}}
// CHECK: error: invalid regex: unclosed group
// CHECK: error: found start of regex with no end '}}'

// -----

// expected-error @unknown {{nowhere}}
func.func private @unknown()
// CHECK: error: expected error "nowhere" was not produced
// CHECK-NOT: -->
