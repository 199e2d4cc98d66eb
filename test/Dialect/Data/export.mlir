// RUN: not %kopt %s --verify-mlir-export --split-input-file 2>&1 | FileCheck %s
// RUN: %kopt %s --split-input-file --expand-counts --verify-mlir-export -o %t 2>&1 | count 0

func.func @f(%x: i32) -> i32 {
  %r = data.ref_new(%x) : (i32) -> !data.ref<i32>
  // CHECK: error: 'data.ref_write' op has no form in MLIR: the pass 'expand-counts' must run first
  data.ref_write %r(%x) : (!data.ref<i32>, i32) -> ()
  %y = data.ref_read %r : (!data.ref<i32>) -> i32
  // CHECK: error: 'data.drop' op has no form in MLIR: the pass 'expand-counts' must run first
  data.drop %r : !data.ref<i32>
  return %y : i32
}
