// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null
func.func @ceil_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.ceil ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @floor_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.floor ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @erf_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.erf ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @round_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.round ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @rsqrt_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.rsqrt ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @reciprocal_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.reciprocal ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @square_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.square ins(%0 : tensor<4x?xf32>) outs(%1 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @div_unsigned_i32(%0: tensor<4x?xi32>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.div_unsigned ins(%0, %1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%2 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
func.func @powf_f32(%0: tensor<4x?xf32>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.powf ins(%0, %1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%2 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @select_f32(%0: tensor<4x?xi1>, %1: tensor<4x?xf32>, %2: tensor<4x?xf32>, %3: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.select ins(%0, %1, %2 : tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>) outs(%3 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
func.func @select_i32(%0: tensor<4x?xi1>, %1: tensor<4x?xi32>, %2: tensor<4x?xi32>, %3: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = linalg.select ins(%0, %1, %2 : tensor<4x?xi1>, tensor<4x?xi32>, tensor<4x?xi32>) outs(%3 : tensor<4x?xi32>) -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}
func.func @batch_matvec_f32(%0: tensor<2x3x4xf32>, %1: tensor<2x4xf32>, %2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @batch_matvec_i32(%0: tensor<2x3x4xi32>, %1: tensor<2x4xi32>, %2: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x3x4xi32>, tensor<2x4xi32>) outs(%2 : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
func.func @batch_vecmat_f32(%0: tensor<2x4xf32>, %1: tensor<2x4x3xf32>, %2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @batch_vecmat_i32(%0: tensor<2x4xi32>, %1: tensor<2x4x3xi32>, %2: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x4xi32>, tensor<2x4x3xi32>) outs(%2 : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
func.func @batch_reduce_matmul_f32(%0: tensor<2x3x5xf32>, %1: tensor<2x5x4xf32>, %2: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%2 : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @batch_reduce_matmul_i32(%0: tensor<2x3x5xi32>, %1: tensor<2x5x4xi32>, %2: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x3x5xi32>, tensor<2x5x4xi32>) outs(%2 : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}
func.func @mmt4d_f32(%0: tensor<2x4x5x7xf32>, %1: tensor<3x4x6x7xf32>, %2: tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<2x4x5x7xf32>, tensor<3x4x6x7xf32>) outs(%2 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %r : tensor<2x3x5x6xf32>
}
func.func @mmt4d_i32(%0: tensor<2x4x5x7xi32>, %1: tensor<3x4x6x7xi32>, %2: tensor<2x3x5x6xi32>) -> tensor<2x3x5x6xi32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<2x4x5x7xi32>, tensor<3x4x6x7xi32>) outs(%2 : tensor<2x3x5x6xi32>) -> tensor<2x3x5x6xi32>
  return %r : tensor<2x3x5x6xi32>
}
func.func @batch_mmt4d_f32(%0: tensor<2x3x5x6x8xf32>, %1: tensor<2x4x5x7x8xf32>, %2: tensor<2x3x4x6x7xf32>) -> tensor<2x3x4x6x7xf32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x3x5x6x8xf32>, tensor<2x4x5x7x8xf32>) outs(%2 : tensor<2x3x4x6x7xf32>) -> tensor<2x3x4x6x7xf32>
  return %r : tensor<2x3x4x6x7xf32>
}
func.func @batch_mmt4d_i32(%0: tensor<2x3x5x6x8xi32>, %1: tensor<2x4x5x7x8xi32>, %2: tensor<2x3x4x6x7xi32>) -> tensor<2x3x4x6x7xi32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x3x5x6x8xi32>, tensor<2x4x5x7x8xi32>) outs(%2 : tensor<2x3x4x6x7xi32>) -> tensor<2x3x4x6x7xi32>
  return %r : tensor<2x3x4x6x7xi32>
}
func.func @conv_1d_f32(%0: tensor<4xf32>, %1: tensor<3xf32>, %2: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<4xf32>, tensor<3xf32>) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @conv_1d_i32(%0: tensor<4xi32>, %1: tensor<3xi32>, %2: tensor<2xi32>) -> tensor<2xi32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<4xi32>, tensor<3xi32>) outs(%2 : tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @conv_2d_f32(%0: tensor<5x7xf32>, %1: tensor<4x5xf32>, %2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<5x7xf32>, tensor<4x5xf32>) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @conv_2d_i32(%0: tensor<5x7xi32>, %1: tensor<4x5xi32>, %2: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<5x7xi32>, tensor<4x5xi32>) outs(%2 : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
func.func @conv_3d_f32(%0: tensor<6x8x10xf32>, %1: tensor<5x6x7xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<6x8x10xf32>, tensor<5x6x7xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @conv_3d_i32(%0: tensor<6x8x10xi32>, %1: tensor<5x6x7xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<6x8x10xi32>, tensor<5x6x7xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @conv_1d_nwc_wcf_f32(%0: tensor<2x13x6xf32>, %1: tensor<5x6x4xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x6xf32>, tensor<5x6x4xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @conv_1d_nwc_wcf_i32(%0: tensor<2x13x6xi32>, %1: tensor<5x6x4xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x6xi32>, tensor<5x6x4xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @conv_1d_ncw_fcw_f32(%0: tensor<2x5x17xf32>, %1: tensor<3x5x6xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x5x17xf32>, tensor<3x5x6xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @conv_1d_ncw_fcw_i32(%0: tensor<2x5x17xi32>, %1: tensor<3x5x6xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x5x17xi32>, tensor<3x5x6xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @conv_2d_nhwc_fhwc_f32(%0: tensor<2x15x19x8xf32>, %1: tensor<5x6x7x8xf32>, %2: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x8xf32>, tensor<5x6x7x8xf32>) outs(%2 : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}
func.func @conv_2d_nhwc_fhwc_i32(%0: tensor<2x15x19x8xi32>, %1: tensor<5x6x7x8xi32>, %2: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x8xi32>, tensor<5x6x7x8xi32>) outs(%2 : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}
func.func @conv_2d_ngchw_fgchw_f32(%0: tensor<2x3x7x23x27xf32>, %1: tensor<4x3x7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x3x7x23x27xf32>, tensor<4x3x7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @conv_2d_ngchw_fgchw_i32(%0: tensor<2x3x7x23x27xi32>, %1: tensor<4x3x7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x3x7x23x27xi32>, tensor<4x3x7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @conv_2d_ngchw_gfchw_f32(%0: tensor<2x3x7x23x27xf32>, %1: tensor<3x4x7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x3x7x23x27xf32>, tensor<3x4x7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @conv_2d_ngchw_gfchw_i32(%0: tensor<2x3x7x23x27xi32>, %1: tensor<3x4x7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x3x7x23x27xi32>, tensor<3x4x7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @conv_2d_nhwgc_gfhwc_f32(%0: tensor<2x17x21x5x9xf32>, %1: tensor<5x6x7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x17x21x5x9xf32>, tensor<5x6x7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @conv_2d_nhwgc_gfhwc_i32(%0: tensor<2x17x21x5x9xi32>, %1: tensor<5x6x7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x17x21x5x9xi32>, tensor<5x6x7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @conv_3d_ndhwc_dhwcf_f32(%0: tensor<2x17x21x25x10xf32>, %1: tensor<7x8x9x10x6xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x10xf32>, tensor<7x8x9x10x6xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @conv_3d_ndhwc_dhwcf_i32(%0: tensor<2x17x21x25x10xi32>, %1: tensor<7x8x9x10x6xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x10xi32>, tensor<7x8x9x10x6xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @conv_3d_ncdhw_fcdhw_f32(%0: tensor<2x10x17x21x25xf32>, %1: tensor<6x10x7x8x9xf32>, %2: tensor<2x6x3x4x5xf32>) -> tensor<2x6x3x4x5xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x10x17x21x25xf32>, tensor<6x10x7x8x9xf32>) outs(%2 : tensor<2x6x3x4x5xf32>) -> tensor<2x6x3x4x5xf32>
  return %r : tensor<2x6x3x4x5xf32>
}
func.func @conv_3d_ncdhw_fcdhw_i32(%0: tensor<2x10x17x21x25xi32>, %1: tensor<6x10x7x8x9xi32>, %2: tensor<2x6x3x4x5xi32>) -> tensor<2x6x3x4x5xi32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x10x17x21x25xi32>, tensor<6x10x7x8x9xi32>) outs(%2 : tensor<2x6x3x4x5xi32>) -> tensor<2x6x3x4x5xi32>
  return %r : tensor<2x6x3x4x5xi32>
}
func.func @depthwise_conv_1d_nwc_wc_f32(%0: tensor<2x13x4xf32>, %1: tensor<5x4xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xf32>, tensor<5x4xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @depthwise_conv_1d_nwc_wc_i32(%0: tensor<2x13x4xi32>, %1: tensor<5x4xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5x4xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @depthwise_conv_1d_ncw_cw_f32(%0: tensor<2x4x13xf32>, %1: tensor<4x5xf32>, %2: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x4x13xf32>, tensor<4x5xf32>) outs(%2 : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}
func.func @depthwise_conv_1d_ncw_cw_i32(%0: tensor<2x4x13xi32>, %1: tensor<4x5xi32>, %2: tensor<2x4x3xi32>) -> tensor<2x4x3xi32> {
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x4x13xi32>, tensor<4x5xi32>) outs(%2 : tensor<2x4x3xi32>) -> tensor<2x4x3xi32>
  return %r : tensor<2x4x3xi32>
}
func.func @depthwise_conv_1d_nwc_wcm_f32(%0: tensor<2x15x4xf32>, %1: tensor<6x4x5xf32>, %2: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x15x4xf32>, tensor<6x4x5xf32>) outs(%2 : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}
func.func @depthwise_conv_1d_nwc_wcm_i32(%0: tensor<2x15x4xi32>, %1: tensor<6x4x5xi32>, %2: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x15x4xi32>, tensor<6x4x5xi32>) outs(%2 : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}
func.func @depthwise_conv_2d_nhwc_hwc_f32(%0: tensor<2x15x19x5xf32>, %1: tensor<6x7x5xf32>, %2: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x5xf32>, tensor<6x7x5xf32>) outs(%2 : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}
func.func @depthwise_conv_2d_nhwc_hwc_i32(%0: tensor<2x15x19x5xi32>, %1: tensor<6x7x5xi32>, %2: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x5xi32>, tensor<6x7x5xi32>) outs(%2 : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}
func.func @depthwise_conv_2d_nchw_chw_f32(%0: tensor<2x5x15x19xf32>, %1: tensor<5x6x7xf32>, %2: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x5x15x19xf32>, tensor<5x6x7xf32>) outs(%2 : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  return %r : tensor<2x5x3x4xf32>
}
func.func @depthwise_conv_2d_nchw_chw_i32(%0: tensor<2x5x15x19xi32>, %1: tensor<5x6x7xi32>, %2: tensor<2x5x3x4xi32>) -> tensor<2x5x3x4xi32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x5x15x19xi32>, tensor<5x6x7xi32>) outs(%2 : tensor<2x5x3x4xi32>) -> tensor<2x5x3x4xi32>
  return %r : tensor<2x5x3x4xi32>
}
func.func @depthwise_conv_2d_nhwc_hwcm_f32(%0: tensor<2x17x21x5xf32>, %1: tensor<7x8x5x6xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x17x21x5xf32>, tensor<7x8x5x6xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @depthwise_conv_2d_nhwc_hwcm_i32(%0: tensor<2x17x21x5xi32>, %1: tensor<7x8x5x6xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x17x21x5xi32>, tensor<7x8x5x6xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @depthwise_conv_3d_ndhwc_dhwc_f32(%0: tensor<2x15x19x23x9xf32>, %1: tensor<6x7x8x9xf32>, %2: tensor<2x3x4x5x9xf32>) -> tensor<2x3x4x5x9xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x15x19x23x9xf32>, tensor<6x7x8x9xf32>) outs(%2 : tensor<2x3x4x5x9xf32>) -> tensor<2x3x4x5x9xf32>
  return %r : tensor<2x3x4x5x9xf32>
}
func.func @depthwise_conv_3d_ndhwc_dhwc_i32(%0: tensor<2x15x19x23x9xi32>, %1: tensor<6x7x8x9xi32>, %2: tensor<2x3x4x5x9xi32>) -> tensor<2x3x4x5x9xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x15x19x23x9xi32>, tensor<6x7x8x9xi32>) outs(%2 : tensor<2x3x4x5x9xi32>) -> tensor<2x3x4x5x9xi32>
  return %r : tensor<2x3x4x5x9xi32>
}
func.func @depthwise_conv_3d_ncdhw_cdhw_f32(%0: tensor<2x9x15x19x23xf32>, %1: tensor<9x6x7x8xf32>, %2: tensor<2x9x3x4x5xf32>) -> tensor<2x9x3x4x5xf32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x9x15x19x23xf32>, tensor<9x6x7x8xf32>) outs(%2 : tensor<2x9x3x4x5xf32>) -> tensor<2x9x3x4x5xf32>
  return %r : tensor<2x9x3x4x5xf32>
}
func.func @depthwise_conv_3d_ncdhw_cdhw_i32(%0: tensor<2x9x15x19x23xi32>, %1: tensor<9x6x7x8xi32>, %2: tensor<2x9x3x4x5xi32>) -> tensor<2x9x3x4x5xi32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x9x15x19x23xi32>, tensor<9x6x7x8xi32>) outs(%2 : tensor<2x9x3x4x5xi32>) -> tensor<2x9x3x4x5xi32>
  return %r : tensor<2x9x3x4x5xi32>
}
func.func @depthwise_conv_3d_ndhwc_dhwcm_f32(%0: tensor<2x17x21x25x10xf32>, %1: tensor<7x8x9x10x6xf32>, %2: tensor<2x3x4x5x10x6xf32>) -> tensor<2x3x4x5x10x6xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x10xf32>, tensor<7x8x9x10x6xf32>) outs(%2 : tensor<2x3x4x5x10x6xf32>) -> tensor<2x3x4x5x10x6xf32>
  return %r : tensor<2x3x4x5x10x6xf32>
}
func.func @depthwise_conv_3d_ndhwc_dhwcm_i32(%0: tensor<2x17x21x25x10xi32>, %1: tensor<7x8x9x10x6xi32>, %2: tensor<2x3x4x5x10x6xi32>) -> tensor<2x3x4x5x10x6xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x10xi32>, tensor<7x8x9x10x6xi32>) outs(%2 : tensor<2x3x4x5x10x6xi32>) -> tensor<2x3x4x5x10x6xi32>
  return %r : tensor<2x3x4x5x10x6xi32>
}
func.func @pooling_nhwc_max_unsigned_i32(%0: tensor<2x15x19x5xi32>, %1: tensor<6x7xi32>, %2: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x5xi32>, tensor<6x7xi32>) outs(%2 : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}
func.func @pooling_nhwc_min_unsigned_i32(%0: tensor<2x15x19x5xi32>, %1: tensor<6x7xi32>, %2: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
  %r = linalg.pooling_nhwc_min_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<2x15x19x5xi32>, tensor<6x7xi32>) outs(%2 : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
  return %r : tensor<2x3x4x5xi32>
}
func.func @pooling_nwc_sum_f32(%0: tensor<2x13x4xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @pooling_nwc_sum_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_ncw_sum_f32(%0: tensor<2x3x15xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_ncw_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x3x15xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @pooling_ncw_sum_i32(%0: tensor<2x3x15xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_ncw_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x3x15xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_nwc_max_f32(%0: tensor<2x13x4xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @pooling_nwc_max_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_nwc_max {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_nwc_max_unsigned_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_nwc_max_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_ncw_max_f32(%0: tensor<2x3x15xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_ncw_max {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x3x15xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @pooling_ncw_max_i32(%0: tensor<2x3x15xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_ncw_max {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x3x15xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_nwc_min_f32(%0: tensor<2x13x4xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_nwc_min {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @pooling_nwc_min_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_nwc_min {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_nwc_min_unsigned_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.pooling_nwc_min_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
func.func @pooling_ndhwc_sum_f32(%0: tensor<2x17x21x25x6xf32>, %1: tensor<7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.pooling_ndhwc_sum {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xf32>, tensor<7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @pooling_ndhwc_sum_i32(%0: tensor<2x17x21x25x6xi32>, %1: tensor<7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.pooling_ndhwc_sum {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xi32>, tensor<7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @pooling_ndhwc_max_f32(%0: tensor<2x17x21x25x6xf32>, %1: tensor<7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.pooling_ndhwc_max {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xf32>, tensor<7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @pooling_ndhwc_max_i32(%0: tensor<2x17x21x25x6xi32>, %1: tensor<7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.pooling_ndhwc_max {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xi32>, tensor<7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
func.func @pooling_ndhwc_min_f32(%0: tensor<2x17x21x25x6xf32>, %1: tensor<7x8x9xf32>, %2: tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %r = linalg.pooling_ndhwc_min {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xf32>, tensor<7x8x9xf32>) outs(%2 : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}
func.func @pooling_ndhwc_min_i32(%0: tensor<2x17x21x25x6xi32>, %1: tensor<7x8x9xi32>, %2: tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32> {
  %r = linalg.pooling_ndhwc_min {dilations = dense<2> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<2x17x21x25x6xi32>, tensor<7x8x9xi32>) outs(%2 : tensor<2x3x4x5x6xi32>) -> tensor<2x3x4x5x6xi32>
  return %r : tensor<2x3x4x5x6xi32>
}
