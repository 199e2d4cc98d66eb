// A tensor that is materialized in a buffer of other extents is an error on each back end.
// RUN: not %kc run %s --entry f --inputs '[[1, 2, 3], 2]' 2>&1 | FileCheck %s
// RUN: not %kc run %s --entry f --inputs '[[1, 2, 3], 2]' --backend interpret 2>&1 | FileCheck %s
// RUN: not %kc run %s --entry f --inputs '[[1, 2, 3], 2]' --backend interpret-buffers 2>&1 | FileCheck %s
// RUN: %kc run %s --entry f --inputs '[[1, 2, 3], 3]' | FileCheck %s --check-prefix=FITS
// CHECK: error: a tensor of extent 3 in dimension 0 is materialized in extent 2
// CHECK-NEXT: --> {{.*}}materialized-in-other-extents.mlir:[[@LINE+5]]:3
// FITS: 1
func.func @f(%t: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  %v = memref.load %m[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %v : f32
}
