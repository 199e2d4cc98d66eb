// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s

// A tile of 4 x 96 has fewer loads than one of 4 x 64, but LLVM has no vectors of 96 elements: loop-carried ones were moved
// element by element.
// CHECK-LABEL: func.func @dense
// CHECK: plan <par j/64 { pack sum.1[k, j] for i/4 tail(shift) { for k { sum[i:4u, j:64v] } } }>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @dense(%x: tensor<128x768xf32>, %w: tensor<3072x768xf32>) -> tensor<128x3072xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<128x3072xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%x, %w : tensor<128x768xf32>, tensor<3072x768xf32>) outs(%filled : tensor<128x3072xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %product = arith.mulf %a, %b : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<128x3072xf32>
    return %sums : tensor<128x3072xf32>
  }
}
