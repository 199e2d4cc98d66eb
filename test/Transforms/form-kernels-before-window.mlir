// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels)" | FileCheck %s

// A pointwise operation before a padding has a kernel of its own: inside of the next one, it would be computed at other points than
// the windows, which had no vectors then.
// CHECK-LABEL: func.func @pool
// CHECK: schedule.kernel
// CHECK-NOT: tensor.pad
// CHECK: schedule.yield
// CHECK: schedule.kernel
// CHECK: tensor.pad
// CHECK: schedule.yield
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @pool(%x: tensor<8x32x32xf32>) -> tensor<8x32x32xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8x32x32xf32>
    %relu = linalg.generic {
      indexing_maps = [affine_map<(c, y, x) -> (c, y, x)>, affine_map<(c, y, x) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%x : tensor<8x32x32xf32>) outs(%empty : tensor<8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %larger = arith.maximumf %in, %zero : f32
      linalg.yield %larger : f32
    } -> tensor<8x32x32xf32>
    %padded = tensor.pad %relu low[0, 1, 1] high[0, 1, 1] {
    ^bb0(%c: index, %i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<8x32x32xf32> to tensor<8x34x34xf32>
    %window = tensor.empty() : tensor<3x3xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %pooled = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, p, q) -> (c, y + p, x + q)>, affine_map<(c, y, x, p, q) -> (p, q)>,
                       affine_map<(c, y, x, p, q) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%padded, %window : tensor<8x34x34xf32>, tensor<3x3xf32>) outs(%filled : tensor<8x32x32xf32>) {
    ^bb0(%in: f32, %w: f32, %out: f32):
      %larger = arith.maximumf %in, %out : f32
      linalg.yield %larger : f32
    } -> tensor<8x32x32xf32>
    return %pooled : tensor<8x32x32xf32>
  }
}
