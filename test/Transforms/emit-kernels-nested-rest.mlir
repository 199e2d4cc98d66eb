// RUN: %kopt %s --emit-kernels | FileCheck %s
// The plan is not emitted, since it has a loop in the rest of another one, and the first of two versions of `i` finds that while
// its sum is in progress: the second one was emitted with it, and the pass ended by a panic.

// CHECK-LABEL: @sums
// CHECK-NOT: schedule.kernel
// CHECK: scf.for
// CHECK: math.sin
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @sums(%x: memref<?x?xf32>, %rows: index, %columns: index, %out: memref<?x?xf32>) {
    schedule.kernel ins(%x, %rows, %columns : memref<?x?xf32>, index, index) outs(%out : memref<?x?xf32>) plan <par i/16 { for i/8 tail(shift) { for j/3 tail(mask) { sin[j:3u, i:8u] for j tail(mask) { sum[i:8u] } } for j/2 tail(scalar) { addf[j:2u, i:8u] } } }> {
    ^bb0(%arg1: tensor<?x?xf32>, %arg2: index, %arg3: index, %arg5: tensor<?x?xf32>):
      %6 = tensor.empty(%arg2, %arg3) : tensor<?x?xf32>
      %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<?x?xf32>) outs(%6 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %o: f32):
        %12 = math.sin %in : f32
        linalg.yield %12 : f32
      } -> tensor<?x?xf32>
      %cst_15 = arith.constant 2.000000e+00 : f32
      %8 = tensor.empty(%arg2) : tensor<?xf32>
      %9 = linalg.fill ins(%cst_15 : f32) outs(%8 : tensor<?xf32>) -> tensor<?xf32>
      %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<?x?xf32>) outs(%9 : tensor<?xf32>) {
      ^bb0(%in: f32, %o: f32):
        %12 = arith.addf %o, %in : f32
        linalg.yield %12 : f32
      } -> tensor<?xf32>
      %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %10 : tensor<?x?xf32>, tensor<?xf32>) outs(%arg5 : tensor<?x?xf32>) {
      ^bb0(%in: f32, %in_16: f32, %o: f32):
        %12 = arith.addf %in, %in_16 : f32
        linalg.yield %12 : f32
      } -> tensor<?x?xf32>
      schedule.yield %11 : tensor<?x?xf32>
    }
    return
}
