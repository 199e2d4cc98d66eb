// A large constant with a single value is no part of the program: it is filled at run time, if there is memory.
// RUN: %kc build %s --emit=buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: not %kc run %s --backend jit 2>&1 | FileCheck %s
// RUN: not %kc run %s --backend interpret-buffers 2>&1 | FileCheck %s
// RUN: not %kc run %s --backend interpret 2>&1 | FileCheck %s
// CHECK: error: out of memory
// CHECK-NEXT: --> {{.*}}large-splats.mlir:[[# @LINE + 6]]:8
// BUFFERS-NOT: memref.global
// BUFFERS-LABEL: func.func @main
// BUFFERS: memref.alloc() : memref<1000000x100000000xf32>
// BUFFERS: memref.store
func.func @main() -> tensor<1000000x100000000xf32> {
  %c = arith.constant dense<1.0> : tensor<1000000x100000000xf32>
  return %c : tensor<1000000x100000000xf32>
}
// RUN: %kc build %s --entry small --emit=buffers | FileCheck %s --check-prefix=SMALL
// SMALL: memref.get_global
func.func @small() -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  return %c : tensor<4xf32>
}
