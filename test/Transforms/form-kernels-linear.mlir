// A chain of pointwise operations is grouped without an analysis for each of them: one for the last one of each kernel.
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels{max-operations=4})" --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: 2 num-analyses
// CHECK-DAG: 8 num-grouped
// CHECK-DAG: 2 num-kernels

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @chain(%x: tensor<64x?xf32>, %out: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %x : tensor<64x?xf32>, tensor<64x?xf32>) outs(%out : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x?xf32>
  return %7 : tensor<64x?xf32>
}
