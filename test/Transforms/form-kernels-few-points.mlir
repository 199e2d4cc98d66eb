// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels)" --split-input-file | FileCheck %s
// An operation after a reduction over many points joins its kernel, however few points it has itself.

// CHECK-LABEL: func.func @bias_and_relu
// CHECK: %[[KERNEL:.*]] = schedule.kernel
// CHECK: arith.mulf
// CHECK: arith.addf %in, %in_{{.*}} : f32
// CHECK: arith.maximumf
// CHECK: schedule.yield
// CHECK-NOT: linalg.generic
// CHECK: return %[[KERNEL]]
#vector = affine_map<(j, k) -> (k)>
#matrix = affine_map<(j, k) -> (j, k)>
#result = affine_map<(j, k) -> (j)>
#same = affine_map<(j) -> (j)>
func.func @bias_and_relu(%x: tensor<768xf32>, %w: tensor<10x768xf32>, %bias: tensor<10xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<10xf32>) -> tensor<10xf32>
  %sums = linalg.generic {indexing_maps = [#vector, #matrix, #result], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<768xf32>, tensor<10x768xf32>) outs(%fill : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %biased = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%sums, %bias : tensor<10xf32>, tensor<10xf32>) outs(%empty : tensor<10xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %relu = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%biased : tensor<10xf32>) outs(%empty : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<10xf32>
  return %relu : tensor<10xf32>
}

// -----

// Few points by themselves are left alone, also those that are computed from one another.
// CHECK-LABEL: func.func @few
// CHECK-NOT: schedule.kernel
// CHECK: return
#same = affine_map<(j) -> (j)>
func.func @few(%x: tensor<10xf32>, %bias: tensor<10xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10xf32>
  %biased = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x, %bias : tensor<10xf32>, tensor<10xf32>) outs(%empty : tensor<10xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %s = arith.addf %in, %b : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %relu = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%biased : tensor<10xf32>) outs(%empty : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<10xf32>
  return %relu : tensor<10xf32>
}
