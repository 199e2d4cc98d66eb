// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// With 16 registers, a pass over functions has two vectors, since their constants fill the registers. A maximum, although it is several
// instructions, does not count as a function: its vectors are independent accumulators, which hide its latency.
// The last pass over the argument prefetches the next row.
// CHECK: plan <par i/16 { for i { for j/32 { max[j:32v] } prefetch exp.0 for j/16 { exp[j:16v] sum[j:16v] } for j/32 { divf[j:32v] } } }>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 256 : i64, "vector_registers" = 16 : i64, "has_fma" = true>>} {
  func.func @softmax(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
    %zero = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<4096x1024xf32>
    %rows = tensor.empty() : tensor<4096xf32>
    %lowest = linalg.fill ins(%least : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
    %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4096x1024xf32>) outs(%lowest : tensor<4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %in, %out fastmath<nsz> : f32
      linalg.yield %m : f32
    } -> tensor<4096xf32>
    %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %less = arith.subf %in, %m : f32
      %power = math.exp %less : f32
      linalg.yield %power : f32
    } -> tensor<4096x1024xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
    %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%powers : tensor<4096x1024xf32>) outs(%fill : tensor<4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %in, %out fastmath<reassoc> : f32
      linalg.yield %s : f32
    } -> tensor<4096xf32>
    %result = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%powers, %sums : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x1024xf32>) {
    ^bb0(%in: f32, %s: f32, %out: f32):
      %q = arith.divf %in, %s : f32
      linalg.yield %q : f32
    } -> tensor<4096x1024xf32>
    return %result : tensor<4096x1024xf32>
  }
}
