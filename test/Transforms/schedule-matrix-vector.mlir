// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | %kopt --default-pipeline | FileCheck %s --check-prefix=LOOPS

// A matrix that one row is multiplied by is read once, with lanes along its contiguous axis, and copied nowhere. The consumers of the sums
// have lanes along the columns.
// CHECK-LABEL: func.func @one_row
// CHECK: plan <par j/64 { for j/8 { for k/16 { sum[j:8u, k:16v] } } maximumf[j:64v] }>
// LOOPS-LABEL: func.func{{.*}} @one_row
// LOOPS-NOT: vector.shuffle

// CHECK-LABEL: func.func @odd_columns
// CHECK: plan <par j/64 { for j/8 tail(scalar) { for k/16 { sum[j:8u, k:16v] } } maximumf[j:64v] }>
#row = affine_map<(i, j, k) -> (i, k)>
#matrix = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>
#same = affine_map<(i, j) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @one_row(%x: tensor<1x768xf32>, %w: tensor<3072x768xf32>) -> tensor<1x3072xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x3072xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3072xf32>) -> tensor<1x3072xf32>
    %sums = linalg.generic {indexing_maps = [#row, #matrix, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<1x768xf32>, tensor<3072x768xf32>) outs(%filled : tensor<1x3072xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<1x3072xf32>
    %relu = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%sums : tensor<1x3072xf32>) outs(%empty : tensor<1x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<1x3072xf32>
    return %relu : tensor<1x3072xf32>
  }

  func.func @odd_columns(%x: tensor<1x768xf32>, %w: tensor<99x768xf32>) -> tensor<1x99xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x99xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x99xf32>) -> tensor<1x99xf32>
    %sums = linalg.generic {indexing_maps = [#row, #matrix, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<1x768xf32>, tensor<99x768xf32>) outs(%filled : tensor<1x99xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<1x99xf32>
    %relu = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%sums : tensor<1x99xf32>) outs(%empty : tensor<1x99xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<1x99xf32>
    return %relu : tensor<1x99xf32>
  }
}
