// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" --split-input-file | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" --split-input-file | FileCheck %s --check-prefix=LOOPS
// A reduction over windows along several axes is one over the columns of the windows, and then one over these.

// The columns of a maximum are read without a copy of the padded data, with lanes along the rows of the image, and kept for the whole
// image. Only the second stage selects every other element.
// CHECK-LABEL: func.func @maximum
// CHECK: schedule.kernel ins(%arg0, %{{.*}} : tensor<64x56x56xf32>, {{.*}} plan <par i {
// CHECK-SAME: for j/7 tail(shift) { for m/64 { for n { max[j:7u, m:64v] } } } for j/7 tail(shift) { for k/32 { for o { max_1[j:7u, k:32v] } } } }>
// CHECK: tensor.pad
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "parallel", "reduction"]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.maximumf
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "parallel", "reduction"]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.maximumf
// Rows of the columns begin with aligned vectors. An index of a row outside of the image becomes 0: no address is outside of its pages.
// LOOPS-LABEL: func.func @maximum
// LOOPS: %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<{{.*}}x28x64xf32>
// LOOPS: scf.for {{.*}} iter_args
// LOOPS: %[[INSIDE:.*]] = arith.select
// LOOPS: arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : index
// LOOPS: vector.maskedload %arg0
// LOOPS: vector.maskedstore %[[T]]
// LOOPS: scf.for {{.*}} iter_args
// LOOPS: vector.maskedload %[[T]]
// LOOPS: vector.shuffle
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true, "L1_cache_size_in_bytes" = 32768 : i64>>} {
  func.func @maximum(%x: tensor<64x56x56xf32>) -> tensor<64x28x28xf32> {
    %least = arith.constant 0xFF800000 : f32
    %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
    ^bb0(%c: index, %i: index, %j: index):
      tensor.yield %least : f32
    } : tensor<64x56x56xf32> to tensor<64x58x58xf32>
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty() : tensor<64x28x28xf32>
    %filled = linalg.fill ins(%least : f32) outs(%empty : tensor<64x28x28xf32>) -> tensor<64x28x28xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, p, q) -> (c, y * 2 + p, x * 2 + q)>, affine_map<(c, y, x, p, q) -> (p, q)>,
                       affine_map<(c, y, x, p, q) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%padded, %window : tensor<64x58x58xf32>, tensor<3x3xf32>) outs(%filled : tensor<64x28x28xf32>) {
    ^bb0(%in: f32, %w: f32, %out: f32):
      %v = arith.maximumf %out, %in : f32
      linalg.yield %v : f32
    } -> tensor<64x28x28xf32>
    return %r : tensor<64x28x28xf32>
  }

  // A sum without 'reassoc' keeps its order.
  // CHECK-LABEL: func.func @in_order
  // CHECK-NOT: ["parallel", "parallel", "parallel", "reduction"]
  // CHECK: return
  func.func @in_order(%x: tensor<64x58x58xf32>) -> tensor<64x28x28xf32> {
    %zero = arith.constant 0.0 : f32
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty() : tensor<64x28x28xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x28x28xf32>) -> tensor<64x28x28xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, p, q) -> (c, y * 2 + p, x * 2 + q)>, affine_map<(c, y, x, p, q) -> (p, q)>,
                       affine_map<(c, y, x, p, q) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%x, %window : tensor<64x58x58xf32>, tensor<3x3xf32>) outs(%filled : tensor<64x28x28xf32>) {
    ^bb0(%in: f32, %w: f32, %out: f32):
      %v = arith.addf %out, %in : f32
      linalg.yield %v : f32
    } -> tensor<64x28x28xf32>
    return %r : tensor<64x28x28xf32>
  }

  // Windows that do not overlap have no common columns: their elements are read once anyway.
  // CHECK-LABEL: func.func @apart
  // CHECK-NOT: ["parallel", "parallel", "parallel", "reduction"]
  // CHECK: return
  func.func @apart(%x: tensor<64x56x56xf32>) -> tensor<64x28x28xf32> {
    %least = arith.constant 0xFF800000 : f32
    %window = tensor.empty() : tensor<2x2xf32>
    %empty = tensor.empty() : tensor<64x28x28xf32>
    %filled = linalg.fill ins(%least : f32) outs(%empty : tensor<64x28x28xf32>) -> tensor<64x28x28xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, p, q) -> (c, y * 2 + p, x * 2 + q)>, affine_map<(c, y, x, p, q) -> (p, q)>,
                       affine_map<(c, y, x, p, q) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%x, %window : tensor<64x56x56xf32>, tensor<2x2xf32>) outs(%filled : tensor<64x28x28xf32>) {
    ^bb0(%in: f32, %w: f32, %out: f32):
      %v = arith.maximumf %out, %in : f32
      linalg.yield %v : f32
    } -> tensor<64x28x28xf32>
    return %r : tensor<64x28x28xf32>
  }

  // The columns of all rows of a large image exceed the L1 cache: a block of rows at a time. With the channels last, the lanes are
  // along these, in strips.
  // CHECK-LABEL: func.func @blocks
  // CHECK: plan <par k/32 { for i/{{[0-9]+}} tail(shift) { for i/{{[0-9]+}} tail(shift) { for l { for m { sum[
  func.func @blocks(%x: tensor<116x116x64xf32>) -> tensor<112x112x64xf32> {
    %zero = arith.constant 0.0 : f32
    %window = tensor.empty() : tensor<5x5xf32>
    %empty = tensor.empty() : tensor<112x112x64xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x112x64xf32>) -> tensor<112x112x64xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(y, x, c, p, q) -> (y + p, x + q, c)>, affine_map<(y, x, c, p, q) -> (p, q)>,
                       affine_map<(y, x, c, p, q) -> (y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%x, %window : tensor<116x116x64xf32>, tensor<5x5xf32>) outs(%filled : tensor<112x112x64xf32>) {
    ^bb0(%in: f32, %w: f32, %out: f32):
      %v = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %v : f32
    } -> tensor<112x112x64xf32>
    return %r : tensor<112x112x64xf32>
  }
}
