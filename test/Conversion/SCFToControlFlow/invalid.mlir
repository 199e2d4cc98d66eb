// RUN: not %kopt %s --pass-pipeline="builtin.module(convert-scf-to-cf)" 2>&1 | FileCheck %s

// Everything that cannot be converted is reported, with why.
// CHECK: error: failed to legalize operation 'scf.forall' that was explicitly marked illegal
// CHECK: invalid.mlir:[[@LINE+5]]:8
// CHECK: pattern 'forall-to-parallel': the loop shares tensors, which must be bufferized first
// CHECK: error: failed to legalize operation 'scf.forall' that was explicitly marked illegal
// CHECK: invalid.mlir:[[@LINE+4]]:8
func.func @left_over(%n: index, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
  }
  %1 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
