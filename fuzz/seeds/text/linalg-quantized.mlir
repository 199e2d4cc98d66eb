func.func @f(%z: i32, %a2: memref<?x?xi8>, %a3: memref<?x?x?xi8>, %a4: memref<?x?x?x?xi8>, %a5: memref<?x?x?x?x?xi8>,
   %o2: memref<?x?xi32>, %o3: memref<?x?x?xi32>, %o4: memref<?x?x?x?xi32>, %o5: memref<?x?x?x?x?xi32>, %d: f64, %of: memref<?x?xf32>) {
  linalg.quantized_matmul ins(%a2, %a2, %z, %z : memref<?x?xi8>, memref<?x?xi8>, i32, i32) outs(%o2 : memref<?x?xi32>)
  linalg.quantized_batch_matmul ins(%a3, %a3, %z, %z : memref<?x?x?xi8>, memref<?x?x?xi8>, i32, i32) outs(%o3 : memref<?x?x?xi32>)
  linalg.conv_2d_nhwc_hwcf_q {strides = dense<2> : tensor<2xi64>, dilations = dense<[1,3]> : tensor<2xi64>} ins(%a4, %a4, %z, %z : memref<?x?x?x?xi8>, memref<?x?x?x?xi8>, i32, i32) outs(%o4 : memref<?x?x?x?xi32>)
  linalg.conv_2d_nhwc_fhwc_q ins(%a4, %a4, %z, %z : memref<?x?x?x?xi8>, memref<?x?x?x?xi8>, i32, i32) outs(%o4 : memref<?x?x?x?xi32>)
  linalg.conv_2d_nchw_fchw_q ins(%a4, %a4, %z, %z : memref<?x?x?x?xi8>, memref<?x?x?x?xi8>, i32, i32) outs(%o4 : memref<?x?x?x?xi32>)
  linalg.conv_2d_ngchw_gfchw_q ins(%a5, %a5, %z, %z : memref<?x?x?x?x?xi8>, memref<?x?x?x?x?xi8>, i32, i32) outs(%o5 : memref<?x?x?x?x?xi32>)
  linalg.conv_2d_nhwgc_gfhwc_q ins(%a5, %a5, %z, %z : memref<?x?x?x?x?xi8>, memref<?x?x?x?x?xi8>, i32, i32) outs(%o5 : memref<?x?x?x?x?xi32>)
  linalg.conv_3d_ndhwc_dhwcf_q ins(%a5, %a5, %z, %z : memref<?x?x?x?x?xi8>, memref<?x?x?x?x?xi8>, i32, i32) outs(%o5 : memref<?x?x?x?x?xi32>)
  linalg.depthwise_conv_2d_nhwc_hwc_q ins(%a4, %a3, %z, %z : memref<?x?x?x?xi8>, memref<?x?x?xi8>, i32, i32) outs(%o4 : memref<?x?x?x?xi32>)
  linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%a4, %a4, %z, %z : memref<?x?x?x?xi8>, memref<?x?x?x?xi8>, i32, i32) outs(%o5 : memref<?x?x?x?x?xi32>)
  linalg.fill_rng_2d ins(%d, %d, %z : f64, f64, i32) outs(%of : memref<?x?xf32>)
  return
}
