// RUN: %kopt %s --pass-pipeline="builtin.module(dce)"
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: memref<3xi32>, %arg1: memref<3xi32>) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<3xi32>) outs(%arg1 : memref<3xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
    return
  }
}
