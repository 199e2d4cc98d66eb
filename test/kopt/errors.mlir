// RUN: not %kopt %s --pass-pipeline="builtin.module(plan-bufers)" 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: 'plan-bufers' does not refer to a registered pass
// PASS: did you mean 'plan-buffers'?
// RUN: not %kopt %S/no-such-file.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read {{.*}}no-such-file.mlir
// RUN: not %kopt %s -o %t.out --pass-pipeline="builtin.module(x)" 2>&1
// RUN: not ls %t.out
module {
}
