// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" | FileCheck %s --check-prefix=LOOPS
// Depthwise convolutions with the channels last, on a processor without masks.

// Most tiles of a large image are inside of it. Others branch.
// CHECK-LABEL: func.func @large
// CHECK: plan <par i { for k/32 { for j/2 tail(shift) { for n { for o { sum[j:2u, k:32v] } } } } }>
// LOOPS-LABEL: func.func @large
// LOOPS-NOT: maskedload
// LOOPS: scf.if %{{.*}} -> (vector<32xf32>, vector<32xf32>) {
// LOOPS: scf.for
// LOOPS: scf.for
// LOOPS-NOT: scf.if
// LOOPS: } else {
// LOOPS: scf.if %{{.*}} -> (vector<32xf32>) {
// LOOPS-NEXT: vector.load %arg0
// LOOPS-NOT: maskedload
// LOOPS-LABEL: func.func @narrow

// Most tiles of a narrow image cross an edge. Its padding is computed for each strip of channels.
// CHECK-LABEL: func.func @narrow
// CHECK: plan <par k/32 { for l { for m { pad[k:32v] } } for i { for j/2 tail(shift) { for n { for o { sum[j:2u, k:32v] } } } } }>

// The padding of a small image stays in the L1 cache.
// CHECK-LABEL: func.func @small
// CHECK: plan <par k/32 { for l { for m { pad[k:32v] } } for i { for j/2 tail(shift) { for n { for o { sum[j:2u, k:32v] } } } } }>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 256 : i64, "vector_registers" = 16 : i64, "has_fma" = true, "masked_access" = false>>} {
  func.func @large(%x: tensor<56x56x64xf32>, %w: tensor<3x3x64xf32>) -> tensor<56x56x64xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<56x56x64xf32> to tensor<58x58x64xf32>
    %empty = tensor.empty() : tensor<56x56x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x64xf32>) -> tensor<56x56x64xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, p, q) -> (y + p, x + q, c)>, affine_map<(y, x, c, p, q) -> (p, q, c)>,
                       affine_map<(y, x, c, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%padded, %w : tensor<58x58x64xf32>, tensor<3x3x64xf32>) outs(%filled : tensor<56x56x64xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<56x56x64xf32>
    return %sums : tensor<56x56x64xf32>
  }

  func.func @narrow(%x: tensor<100x6x64xf32>, %w: tensor<3x3x64xf32>) -> tensor<100x6x64xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<100x6x64xf32> to tensor<102x8x64xf32>
    %empty = tensor.empty() : tensor<100x6x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<100x6x64xf32>) -> tensor<100x6x64xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, p, q) -> (y + p, x + q, c)>, affine_map<(y, x, c, p, q) -> (p, q, c)>,
                       affine_map<(y, x, c, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%padded, %w : tensor<102x8x64xf32>, tensor<3x3x64xf32>) outs(%filled : tensor<100x6x64xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<100x6x64xf32>
    return %sums : tensor<100x6x64xf32>
  }

  func.func @small(%x: tensor<14x14x64xf32>, %w: tensor<3x3x64xf32>) -> tensor<14x14x64xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<14x14x64xf32> to tensor<16x16x64xf32>
    %empty = tensor.empty() : tensor<14x14x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x64xf32>) -> tensor<14x14x64xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, p, q) -> (y + p, x + q, c)>, affine_map<(y, x, c, p, q) -> (p, q, c)>,
                       affine_map<(y, x, c, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%padded, %w : tensor<16x16x64xf32>, tensor<3x3x64xf32>) outs(%filled : tensor<14x14x64xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<14x14x64xf32>
    return %sums : tensor<14x14x64xf32>
  }
}
