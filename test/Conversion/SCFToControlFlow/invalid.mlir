// RUN: not %kopt %s --pass-pipeline="builtin.module(convert-scf-to-cf)" 2>&1 | FileCheck %s

// Everything that cannot be converted is reported, with why.
// CHECK: error: failed to legalize operation 'scf.forall' that was explicitly marked illegal
// CHECK: invalid.mlir:[[@LINE+5]]:3
// CHECK: no pattern is tried on it
// CHECK: error: failed to legalize operation 'scf.forall' that was explicitly marked illegal
// CHECK: invalid.mlir:[[@LINE+4]]:3
func.func @left_over(%n: index) {
  scf.forall (%i) in (%n) {
  }
  scf.forall (%i) in (%n) {
  }
  return
}
