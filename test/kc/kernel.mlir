// Functions that are on buffers and vectors already keep their operations; small temporary buffers move to the stack, with
// their alignment.
// RUN: %kc build %s --language mlir --entry axpy --emit=buffers | FileCheck %s
// CHECK: func.func @axpy(%[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>, %[[C:.*]]: memref<64xf32>)
// CHECK: %[[P:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: vector.load %[[A]]
// CHECK: vector.fma
// CHECK: vector.store %{{.*}}, %[[P]]
// RUN: %kc build %s --language mlir --entry axpy --emit=so -o %t.so
// RUN: llvm-nm --dynamic --defined-only %t.so | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: T axpy
func.func @axpy(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %p = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    %x = vector.load %a[%i] : memref<64xf32>, vector<16xf32>
    %y = vector.load %b[%i] : memref<64xf32>, vector<16xf32>
    %z = vector.fma %x, %y, %y : vector<16xf32>
    vector.store %z, %p[%i] : memref<64xf32>, vector<16xf32>
  }
  memref.copy %p, %c : memref<64xf32> to memref<64xf32>
  memref.dealloc %p : memref<64xf32>
  return
}
