// RUN: %kopt %s --pass-pipeline="builtin.module(verify-effects{print})" -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'arith.addi' has: none
// CHECK: remark: 'memref.load' has: read
// CHECK: remark: 'scf.if' has: write
// CHECK: remark: 'memref.store' has: write
func.func @main(%x: i32, %c: i1, %m: memref<i32>) {
  %0 = arith.addi %x, %x : i32
  %1 = memref.load %m[] : memref<i32>
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  return
}
