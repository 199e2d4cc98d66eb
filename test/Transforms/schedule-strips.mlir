// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s

// The weights of all output channels exceed the L2 cache: a strip of them is copied, and used for all rows of the image.
// CHECK-LABEL: func.func @convolution
// CHECK: plan <par [[K:[a-z]+]]/{{[0-9]+}} { pack sum.1[{{.*}}, [[K]]] for {{[a-z]+}} { for
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @convolution(%x: tensor<16x16x256xf32>, %w: tensor<3x3x256x256xf32>) -> tensor<14x14x256xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<14x14x256xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x256xf32>) -> tensor<14x14x256xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(k, y, x, c, p, q) -> (y + p, x + q, c)>, affine_map<(k, y, x, c, p, q) -> (p, q, c, k)>,
                       affine_map<(k, y, x, c, p, q) -> (y, x, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%x, %w : tensor<16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%filled : tensor<14x14x256xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<14x14x256xf32>
    return %sums : tensor<14x14x256xf32>
  }
}
