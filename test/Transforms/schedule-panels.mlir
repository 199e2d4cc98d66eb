// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" --split-input-file | FileCheck %s
// A strip of the columns of a deep product exceeds the L2 cache: it is computed by panels of the reduction axis, and partial
// results are in memory between them. What reads the results is computed for a panel of columns.

// CHECK-LABEL: @product
// CHECK: plan <par j/[[WIDE:[0-9]+]] { for k/256 { pack sum.1[k, j] for i/[[ROWS:[0-9]+]] tail(scalar) { for j/16 { for k { sum[i:[[ROWS]]u, j:16v] } } } } for i { for j/16 { maximumf[j:16v] } } }>
#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 256 : i64, "vector_registers" = 16 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @product(%a: tensor<128x9000xf32>, %b: tensor<9000x768xf32>) -> tensor<128x768xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<128x768xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x768xf32>) -> tensor<128x768xf32>
    %sums = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<128x9000xf32>, tensor<9000x768xf32>) outs(%filled : tensor<128x768xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %product = arith.mulf %x, %y : f32
      %sum = arith.addf %o, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<128x768xf32>
    %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sums : tensor<128x768xf32>) outs(%empty : tensor<128x768xf32>) {
    ^bb0(%x: f32, %o: f32):
      %max = arith.maximumf %x, %zero : f32
      linalg.yield %max : f32
    } -> tensor<128x768xf32>
    return %positive : tensor<128x768xf32>
  }

  // With this many rows, a copy of a strip pays for itself, because the L2 TLB maps the whole factor.
  // CHECK-LABEL: @some_rows
  // CHECK: plan <par j/16 { pack sum.1[k, j] for i/4 tail(shift) { for k { sum[i:4u, j:16v] } } }>
  func.func @some_rows(%a: tensor<64x784xf32>, %b: tensor<784x512xf32>, %o: tensor<64x512xf32>) -> tensor<64x512xf32> {
    %zero = arith.constant 0.0 : f32
    %filled = linalg.fill ins(%zero : f32) outs(%o : tensor<64x512xf32>) -> tensor<64x512xf32>
    %sums = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x784xf32>, tensor<784x512xf32>) outs(%filled : tensor<64x512xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %product = arith.mulf %x, %y : f32
      %sum = arith.addf %s, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<64x512xf32>
    return %sums : tensor<64x512xf32>
  }

  // With fewer, each of its short rows would be read from another page for few tiles.
  // CHECK-LABEL: @few_rows
  // CHECK: plan <par j/{{[0-9]+}} { for k/256 { pack sum.1[k, j]
  func.func @few_rows(%a: tensor<32x784xf32>, %b: tensor<784x512xf32>, %o: tensor<32x512xf32>) -> tensor<32x512xf32> {
    %zero = arith.constant 0.0 : f32
    %filled = linalg.fill ins(%zero : f32) outs(%o : tensor<32x512xf32>) -> tensor<32x512xf32>
    %sums = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<32x784xf32>, tensor<784x512xf32>) outs(%filled : tensor<32x512xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %product = arith.mulf %x, %y : f32
      %sum = arith.addf %s, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<32x512xf32>
    return %sums : tensor<32x512xf32>
  }
}
