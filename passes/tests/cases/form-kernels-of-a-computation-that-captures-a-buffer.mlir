// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels{min-points=0})"
#map = affine_map<() -> ()>
module {
  func.func @f0(%arg0: tensor<index>) -> (f32, i16) {
    %cst = arith.constant 4.500000e+00 : f32
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<3xi1>
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg0 : tensor<index>) outs(%arg0 : tensor<index>) {
    ^bb0(%in: index, %out: index):
      %subview = memref.subview %alloc[%in] [1] [1] : memref<3xi1> to memref<1xi1, strided<[1], offset: ?>>
      linalg.yield %c0 : index
    } -> tensor<index>
    %1 = arith.ceildivui %0, %arg0 : tensor<index>
    %c4_i16 = arith.constant 4 : i16
    return %cst, %c4_i16 : f32, i16
  }
}
