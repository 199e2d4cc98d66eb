// The statements of a kernel with a plan are not fused: the plan names them.

// RUN: %kopt %s --fuse | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[[1, 2]]' | FileCheck %s --check-prefix=VALUE
// VALUE: [4, 8]
// CHECK-LABEL: func.func @main(
// CHECK: plan <for i/2 { addf[i:2v] addf_1[i:2v] }>
// CHECK: linalg.generic
// CHECK: linalg.generic
#map = affine_map<(i) -> (i)>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = schedule.kernel ins(%x : tensor<2xf32>) outs(%0 : tensor<2xf32>) plan <for i/2 { addf[i:2v] addf_1[i:2v] }> {
  ^bb0(%a: tensor<2xf32>, %o: tensor<2xf32>):
    %e = tensor.empty() : tensor<2xf32>
    %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %t = arith.addf %in, %in : f32
      linalg.yield %t : f32
    } -> tensor<2xf32>
    %d = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%s : tensor<2xf32>) outs(%o : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %t = arith.addf %in, %in : f32
      linalg.yield %t : f32
    } -> tensor<2xf32>
    schedule.yield %d : tensor<2xf32>
  } -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
