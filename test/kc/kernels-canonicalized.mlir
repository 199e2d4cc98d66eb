// A kernel that `canonicalize` has put a cast into is replaced by its contents.
// RUN: %kopt %s --form-kernels --canonicalize -o %t.mlir
// RUN: FileCheck %s --check-prefix=CAST --input-file %t.mlir
// RUN: %kopt %t.mlir --schedule-kernels | FileCheck %s --check-prefix=DISSOLVED
// RUN: %kc run %t.mlir --inputs "[1,2,3,4,5,6,7,8]" | FileCheck %s

// CAST: schedule.kernel
// CAST: tensor.cast
// DISSOLVED-NOT: schedule.kernel
// CHECK: 4, 16, 36, 64, 100, 144, 196, 256
#map = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<?xf64>) -> tensor<?xf64> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty(%c8) : tensor<?xf64>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>) {
  ^bb0(%in: f64, %out: f64):
    %s = arith.addf %in, %in : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<?xf64>) outs(%e : tensor<?xf64>) {
  ^bb0(%in: f64, %out: f64):
    %s = arith.mulf %in, %in : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %y : tensor<?xf64>
}
