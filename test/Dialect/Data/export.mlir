// RUN: not %kopt %s --verify-mlir-export 2>&1 | FileCheck %s

func.func @f(%x: i32) -> i32 {
  // CHECK: error: 'data.ref_new' op has no form in MLIR: objects on the heap cannot be compiled yet, only interpreted ('--backend interpret')
  %r = data.ref_new(%x) : (i32) -> !data.ref<i32>
  // CHECK: error: 'data.ref_read' op has no form in MLIR
  %y = data.ref_read %r : (!data.ref<i32>) -> i32
  return %y : i32
}
