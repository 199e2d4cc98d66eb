// A program is compiled, so no flag accepts dialects that are not loaded.
// RUN: not kc run %s --entry main --inputs '[1]' 2>&1 | FileCheck %s
// RUN: not kopt %s 2>&1 | FileCheck %s --check-prefix=KOPT

// CHECK: error: operation 'afine.apply' is of the dialect 'afine', which is not loaded
// CHECK-NEXT: dialects-invalid.mlir:[[#@LINE+7]]:8
// CHECK: note: the dialects are {{.*}}arith, {{.*}}func, {{.*}}scf,
// CHECK: error: operation 'sfc.yield' is of the dialect 'sfc', which is not loaded
// CHECK: help: did you mean 'scf'?
// CHECK: error: type '!gpu.token' is of the dialect 'gpu', which is not loaded
// KOPT: error: operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used
func.func @main(%a: index) -> index {
  %0 = "afine.apply"(%a) : (index) -> index
  return %0 : index
}
func.func @second(%a: index) {
  "sfc.yield"(%a) : (index) -> ()
  return
}
func.func private @third(!gpu.token)
