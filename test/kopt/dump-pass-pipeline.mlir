// The pipeline, laid out as mlir-opt does it; options with default values are omitted.
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(cse,canonicalize{max-iterations=3}),any(sccp),inline)" --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:Pass Manager with 3 passes:
// CHECK-NEXT:builtin.module(
// CHECK-NEXT:  func.func(
// CHECK-NEXT:    cse,
// CHECK-NEXT:    canonicalize{max-iterations=3}
// CHECK-NEXT:  ),
// CHECK-NEXT:  any(
// CHECK-NEXT:    sccp
// CHECK-NEXT:  ),
// CHECK-NEXT:  inline
// CHECK-NEXT:)

// Without passes, and with passes as flags.
// RUN: %kopt %s --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: Pass Manager with 0 passes:
// EMPTY-NEXT: builtin.module(
// EMPTY-EMPTY:
// EMPTY-NEXT: )
// RUN: %kopt %s --cse --inline --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: Pass Manager with 2 passes:
// AGAIN-NEXT: builtin.module(
// AGAIN-NEXT: cse,
// AGAIN-NEXT: inline
// AGAIN-NEXT: )
