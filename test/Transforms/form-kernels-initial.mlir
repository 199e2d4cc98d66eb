// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,dce)" --split-input-file | FileCheck %s
// Initial contents that are one value, a splat or a constant, are a fill inside of the kernel: they are not stored first.

#map = affine_map<(i, j, k) -> (i, k)>
#map1 = affine_map<(i, j, k) -> (k, j)>
#map2 = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @splat(
// CHECK-NOT: tensor.splat
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: schedule.kernel ins({{.*}}) outs(%[[EMPTY]] : tensor<?x?xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[OUT:arg[0-9]+]]
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: linalg.generic {{.*}} "reduction"
func.func @splat(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %zero: f32) -> tensor<?x?xf32> {
  %init = tensor.splat %zero[%m, %n] : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#map = affine_map<(i, j, k) -> (i, k)>
#map1 = affine_map<(i, j, k) -> (k, j)>
#map2 = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @constant(
// CHECK-NOT: dense<
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x64xf32>
// CHECK: schedule.kernel ins({{.*}}) outs(%[[EMPTY]] : tensor<64x64xf32>)
func.func @constant(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
