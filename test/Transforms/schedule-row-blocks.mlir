// RUN: %kopt --pass-pipeline='builtin.module(form-kernels,schedule-kernels)' %s | FileCheck %s
// RUN: %kopt --pass-pipeline='builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)' %s | FileCheck %s --check-prefix=EMIT

// The loop over output channels is in blocks whose weights fit the L2 cache, outside of the loops over the image: the
// weights of all channels do not fit, and the image does.

#data = affine_map<(n, o, y, x, c, p, q) -> (n, c, y + p, x + q)>
#weights = affine_map<(n, o, y, x, c, p, q) -> (o, c, p, q)>
#result = affine_map<(n, o, y, x, c, p, q) -> (n, o, y, x)>

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {

// CHECK-LABEL: func.func @large_weights
// CHECK: plan <par j/16 { for k { for l/16 { for m { for n { for o { sum[j:16u, l:16v] } } } } } }>
// EMIT-LABEL: func.func @large_weights
// EMIT: scf.parallel
// EMIT: scf.for
// EMIT: scf.for
// EMIT: scf.for {{.*}} iter_args
func.func @large_weights(%data: tensor<1x128x9x18xf32>, %weights: tensor<512x128x3x3xf32>) -> tensor<1x512x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x512x7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x512x7x16xf32>) -> tensor<1x512x7x16xf32>
  %0 = linalg.generic {indexing_maps = [#data, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%data, %weights : tensor<1x128x9x18xf32>, tensor<512x128x3x3xf32>) outs(%init : tensor<1x512x7x16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %1 = arith.mulf %x, %w fastmath<contract> : f32
    %2 = arith.addf %sum, %1 fastmath<reassoc,contract> : f32
    linalg.yield %2 : f32
  } -> tensor<1x512x7x16xf32>
  return %0 : tensor<1x512x7x16xf32>
}

// Only an inner loop may shift its last step.
// CHECK-LABEL: func.func @uneven_blocks
// CHECK: plan <par [[R:[a-z]]]/{{[0-9]+}} { for k { for l/16 { for [[R]]/{{[0-9]+}} tail(shift) { for m {
func.func @uneven_blocks(%data: tensor<1x128x9x18xf32>, %weights: tensor<509x128x3x3xf32>) -> tensor<1x509x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x509x7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x509x7x16xf32>) -> tensor<1x509x7x16xf32>
  %0 = linalg.generic {indexing_maps = [#data, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%data, %weights : tensor<1x128x9x18xf32>, tensor<509x128x3x3xf32>) outs(%init : tensor<1x509x7x16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %1 = arith.mulf %x, %w fastmath<contract> : f32
    %2 = arith.addf %sum, %1 fastmath<reassoc,contract> : f32
    linalg.yield %2 : f32
  } -> tensor<1x509x7x16xf32>
  return %0 : tensor<1x509x7x16xf32>
}

// The weights fit.
// CHECK-LABEL: func.func @small_weights
// CHECK: plan <par k
func.func @small_weights(%data: tensor<1x16x9x18xf32>, %weights: tensor<32x16x3x3xf32>) -> tensor<1x32x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x7x16xf32>) -> tensor<1x32x7x16xf32>
  %0 = linalg.generic {indexing_maps = [#data, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%data, %weights : tensor<1x16x9x18xf32>, tensor<32x16x3x3xf32>) outs(%init : tensor<1x32x7x16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %1 = arith.mulf %x, %w fastmath<contract> : f32
    %2 = arith.addf %sum, %1 fastmath<reassoc,contract> : f32
    linalg.yield %2 : f32
  } -> tensor<1x32x7x16xf32>
  return %0 : tensor<1x32x7x16xf32>
}
}
