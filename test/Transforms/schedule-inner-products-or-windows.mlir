// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// A convolution of images with 14 columns has lanes along them although a fraction of the last vector is empty: windows of three elements
// would leave a fourth of all vectors empty, and their lanes would have to be added.
// CHECK: plan <par i { for k { for l/8 { for j/{{[0-9]+}} tail(shift) { for m { for n { for o { sum[j:{{[0-9]+}}u, l:8v] } } } } } } }>
#image = affine_map<(n, f, y, x, c, p, q) -> (n, c, y + p, x + q)>
#weight = affine_map<(n, f, y, x, c, p, q) -> (f, c, p, q)>
#result = affine_map<(n, f, y, x, c, p, q) -> (n, f, y, x)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 256 : i64, "vector_registers" = 16 : i64, "has_fma" = true>>} {
  func.func @convolution(%image: tensor<8x64x16x16xf64>, %weight: tensor<128x64x3x3xf64>) -> tensor<8x128x14x14xf64> {
    %zero = arith.constant 0.0 : f64
    %empty = tensor.empty() : tensor<8x128x14x14xf64>
    %fill = linalg.fill ins(%zero : f64) outs(%empty : tensor<8x128x14x14xf64>) -> tensor<8x128x14x14xf64>
    %sums = linalg.generic {indexing_maps = [#image, #weight, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%image, %weight : tensor<8x64x16x16xf64>, tensor<128x64x3x3xf64>) outs(%fill : tensor<8x128x14x14xf64>) {
    ^bb0(%a: f64, %b: f64, %acc: f64):
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %acc, %p fastmath<reassoc> : f64
      linalg.yield %s : f64
    } -> tensor<8x128x14x14xf64>
    return %sums : tensor<8x128x14x14xf64>
  }
}
