// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,pack-constants,dce,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --default-pipeline | FileCheck %s --check-prefix=LOOPS

// The weights of 17 columns are transposed, in blocks of 4, the lanes of a tile, the last of which is padded with zeros. The kernel copies nothing.
// CHECK-DAG: #[[BLOCKS:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 4, d2, d1 mod 4)>
// CHECK-LABEL: func.func @dense
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[\[}}0.000000e+00, 2.000000e+00, 4.000000e+00, 6.000000e+00], [1.000000e+00, 3.000000e+00, 5.000000e+00, 7.000000e+00{{\]\]}}, {{.*}}, {{\[\[}}3.200000e+01, 0.000000e+00, {{.*}}> : tensor<5x2x4xf32>
// CHECK: schedule.kernel ins(%{{.*}}, %[[W]] : tensor<64x2xf32>, tensor<5x2x4xf32>)
// CHECK-NOT: pack
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[BLOCKS]], #{{.*}}]
// LOOPS-LABEL: func.func @dense
// LOOPS-NOT: vector.shuffle
// LOOPS: return

// Weights that the function receives are copied.
// CHECK-LABEL: func.func @argument
// CHECK: pack sum.1[k, j]
#row = affine_map<(i, j, k) -> (i, k)>
#weight = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>
module {
  func.func @dense(%x: tensor<64x2xf32>) -> tensor<64x17xf32> {
    %w = arith.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0], [16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0], [24.0, 25.0], [26.0, 27.0], [28.0, 29.0], [30.0, 31.0], [32.0, 33.0]]> : tensor<17x2xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x17xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x17xf32>) -> tensor<64x17xf32>
    %sums = linalg.generic {indexing_maps = [#row, #weight, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x2xf32>, tensor<17x2xf32>) outs(%filled : tensor<64x17xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<64x17xf32>
    return %sums : tensor<64x17xf32>
  }

  func.func @argument(%x: tensor<64x2xf32>, %w: tensor<17x2xf32>) -> tensor<64x17xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x17xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x17xf32>) -> tensor<64x17xf32>
    %sums = linalg.generic {indexing_maps = [#row, #weight, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x2xf32>, tensor<17x2xf32>) outs(%filled : tensor<64x17xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<64x17xf32>
    return %sums : tensor<64x17xf32>
  }
}
