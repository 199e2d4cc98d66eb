// RUN: %kopt %s --pass-pipeline="builtin.module(loop-invariant-code-motion)"
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: memref<3xi32>, %arg1: memref<3xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<3xi32>) outs(%arg1 : memref<3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %0 = arith.addi %in, %out : i32
        linalg.yield %0 : i32
      }
    }
    return
  }
}
