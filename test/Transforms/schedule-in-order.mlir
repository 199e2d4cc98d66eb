// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s

// Lanes and unrolled indices along parallel axes leave the order of each sum as it is, so a product that must be added in order has a
// register tile. Lanes along the reduction axis would change it: the transposed factor is copied instead.
// CHECK-LABEL: func.func @product
// CHECK: plan <par j/64 { pack sum.1[k, j] for i/6 tail(shift) { for k { sum[i:6u, j:64v] } } }>
// CHECK-LABEL: func.func @transposed
// CHECK: plan <{{.*}}pack sum.1[k, j]{{.*}}for k { sum[
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %init = tensor.splat %zero[%m, %n] : tensor<?x?xf32>
    %0 = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }

  func.func @transposed(%a: tensor<16x64xf32>, %b: tensor<64x64xf32>) -> tensor<16x64xf32> {
    %init = arith.constant dense<0.0> : tensor<16x64xf32>
    %0 = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<16x64xf32>, tensor<64x64xf32>) outs(%init : tensor<16x64xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<16x64xf32>
    return %0 : tensor<16x64xf32>
  }
}
