// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// A product with fewer strips of columns than cores is computed by blocks of rows in parallel. The last block has at least the
// rows of a tile.

// CHECK-LABEL: func.func @few_columns
// CHECK: plan <par i/{{[0-9]+}} { for j/64 { for i/6 tail(shift) { for k { sum[i:6u, j:64v] } } } }>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true, "cores" = 2 : i64>>} {
  func.func @few_columns(%a: tensor<12544x32xf32>, %b: tensor<32x64xf32>) -> tensor<12544x64xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<12544x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<12544x64xf32>) -> tensor<12544x64xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%a, %b : tensor<12544x32xf32>, tensor<32x64xf32>) outs(%filled : tensor<12544x64xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %p = arith.mulf %x, %y fastmath<contract> : f32
      %v = arith.addf %out, %p fastmath<reassoc,contract> : f32
      linalg.yield %v : f32
    } -> tensor<12544x64xf32>
    return %r : tensor<12544x64xf32>
  }

  // With a strip for each core, these are computed in parallel.
  // CHECK-LABEL: func.func @more_columns
  // CHECK: plan <par j/64 {
  func.func @more_columns(%a: tensor<3136x64xf32>, %b: tensor<64x128xf32>) -> tensor<3136x128xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<3136x128xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<3136x128xf32>) -> tensor<3136x128xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%a, %b : tensor<3136x64xf32>, tensor<64x128xf32>) outs(%filled : tensor<3136x128xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %p = arith.mulf %x, %y fastmath<contract> : f32
      %v = arith.addf %out, %p fastmath<reassoc,contract> : f32
      linalg.yield %v : f32
    } -> tensor<3136x128xf32>
    return %r : tensor<3136x128xf32>
  }
}
