// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" | FileCheck %s --check-prefix=LOOPS
// A depthwise convolution with the channels last has lanes along the channels. The unit dimension of the multiplier does not hide that the padding and
// the windows share the channels.

// A strip of channels of a small image is computed while its padded image is in the L1 cache.
// CHECK-LABEL: func.func @small
// CHECK-NOT: tensor.pad
// CHECK: schedule.kernel
// CHECK-SAME: plan <par k/32 { for l { for m { pad[k:32v] } } for i { for j/14 tail(shift) { for o { for p { sum[j:14u, k:32v] } } maximumf[j:14u, k:32v] } } }>

// The padding of a large image is not computed: lanes outside of the image are masked. Tiles that are inside of it have no masks.
// CHECK-LABEL: func.func @large
// CHECK-NOT: tensor.pad
// CHECK: schedule.kernel
// CHECK-SAME: plan <par i { for k/32 { for j/14 tail(shift) { for o { for p { sum[j:14u, k:32v] } } maximumf[j:14u, k:32v] } } }>
// LOOPS-LABEL: func.func @large
// LOOPS-NOT: memref.alloc() {{.*}}58x58
// LOOPS: scf.if %{{.*}} -> (vector<32xf32>, {{.*}}vector<32xf32>) {
// LOOPS-NOT: maskedload
// LOOPS: vector.load %arg0[{{.*}}] : memref<56x56x128xf32>, vector<32xf32>
// LOOPS-NOT: maskedload
// LOOPS: } else {
// LOOPS: %[[MASK:.*]] = vector.broadcast %{{.*}} : i1 to vector<32xi1>
// LOOPS: vector.maskedload %arg0[{{.*}}], %[[MASK]], %{{.*}} : memref<56x56x128xf32>

// Windows that hardly overlap read few elements again.
// CHECK-LABEL: func.func @strided
// CHECK: schedule.kernel
// CHECK-NOT: pad[
// CHECK: schedule.yield
#id = affine_map<(y, x, c) -> (y, x, c)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @small(%x: tensor<14x14x128xf32>, %w: tensor<3x3x1x128xf32>) -> tensor<14x14x128xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<14x14x128xf32> to tensor<16x16x128xf32>
    %empty = tensor.empty() : tensor<14x14x128xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x128xf32>) -> tensor<14x14x128xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, m, p, q) -> (y + p, x + q, c + m)>, affine_map<(y, x, c, m, p, q) -> (p, q, m, c)>,
                       affine_map<(y, x, c, m, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%padded, %w : tensor<16x16x128xf32>, tensor<3x3x1x128xf32>) outs(%filled : tensor<14x14x128xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<14x14x128xf32>
    %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums : tensor<14x14x128xf32>) outs(%empty : tensor<14x14x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<14x14x128xf32>
    return %positive : tensor<14x14x128xf32>
  }

  func.func @large(%x: tensor<56x56x128xf32>, %w: tensor<3x3x1x128xf32>) -> tensor<56x56x128xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<56x56x128xf32> to tensor<58x58x128xf32>
    %empty = tensor.empty() : tensor<56x56x128xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x128xf32>) -> tensor<56x56x128xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, m, p, q) -> (y + p, x + q, c + m)>, affine_map<(y, x, c, m, p, q) -> (p, q, m, c)>,
                       affine_map<(y, x, c, m, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%padded, %w : tensor<58x58x128xf32>, tensor<3x3x1x128xf32>) outs(%filled : tensor<56x56x128xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<56x56x128xf32>
    %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums : tensor<56x56x128xf32>) outs(%empty : tensor<56x56x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<56x56x128xf32>
    return %positive : tensor<56x56x128xf32>
  }

  func.func @strided(%x: tensor<27x27x128xf32>, %w: tensor<3x3x1x128xf32>) -> tensor<14x14x128xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<27x27x128xf32> to tensor<29x29x128xf32>
    %empty = tensor.empty() : tensor<14x14x128xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x128xf32>) -> tensor<14x14x128xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, m, p, q) -> (y * 2 + p, x * 2 + q, c + m)>, affine_map<(y, x, c, m, p, q) -> (p, q, m, c)>,
                       affine_map<(y, x, c, m, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%padded, %w : tensor<29x29x128xf32>, tensor<3x3x1x128xf32>) outs(%filled : tensor<14x14x128xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product fastmath<reassoc> : f32
      linalg.yield %sum : f32
    } -> tensor<14x14x128xf32>
    %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%sums : tensor<14x14x128xf32>) outs(%empty : tensor<14x14x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<14x14x128xf32>
    return %positive : tensor<14x14x128xf32>
  }
}
