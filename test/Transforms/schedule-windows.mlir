// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" | FileCheck %s --check-prefix=LOOPS

// A convolution is one kernel with the padding before it and the bias after it. Lanes along two axes fill vectors of 16, although
// a row has 24 elements.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: tensor.pad
// CHECK: schedule.kernel ins(%arg0, %arg1, %arg2
// CHECK-SAME: plan <par l { for m { for n/64 { pad[n:64v] } } } par j/{{[0-9]+}} { for k/8 { for i/{{[0-9]+}} tail(shift) { for l { for o { for p {
// CHECK-SAME: sum[i:[[H:[0-9]+]]u, j:[[G:[0-9]+]]v, k:8v] } } } addf[i:[[H]]u, j:[[G]]v, k:8v] } } }>

// The edges of the padding are masked, and the accumulators of the sum are loop-carried.
// LOOPS-LABEL: func.func @convolution
// LOOPS: %[[P:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x26x26xf32>
// LOOPS: scf.parallel
// LOOPS: vector.maskedload %arg0
// LOOPS: vector.maskedstore %[[P]]
// LOOPS: scf.parallel
// LOOPS: scf.for {{.*}} iter_args
// LOOPS: scf.for {{.*}} iter_args
// LOOPS: scf.for {{.*}} iter_args
// LOOPS: vector.load %[[P]]
// LOOPS: vector.shuffle
// LOOPS-NOT: memref.alloc
// LOOPS: memref.dealloc %[[P]]
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @convolution(%x: tensor<8x24x24xf32>, %w: tensor<16x8x3x3xf32>, %b: tensor<16xf32>) -> tensor<16x24x24xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
    ^bb0(%c: index, %i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<8x24x24xf32> to tensor<8x26x26xf32>
    %empty = tensor.empty() : tensor<16x24x24xf32>
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(o, y, x, c, p, q) -> (c, y + p, x + q)>, affine_map<(o, y, x, c, p, q) -> (o, c, p, q)>,
                       affine_map<(o, y, x, c, p, q) -> (o, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
    } ins(%padded, %w : tensor<8x26x26xf32>, tensor<16x8x3x3xf32>) outs(%filled : tensor<16x24x24xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight fastmath<contract> : f32
      %sum = arith.addf %out, %product fastmath<reassoc, contract> : f32
      linalg.yield %sum : f32
    } -> tensor<16x24x24xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(o, y, x) -> (o, y, x)>, affine_map<(o, y, x) -> (o)>, affine_map<(o, y, x) -> (o, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%sums, %b : tensor<16x24x24xf32>, tensor<16xf32>) outs(%empty : tensor<16x24x24xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<16x24x24xf32>
    return %r : tensor<16x24x24xf32>
  }

  // Padding stays an operation if nothing of a kernel reads it.
  // CHECK-LABEL: func.func @alone
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: tensor.pad
  func.func @alone(%x: tensor<24x24xf32>) -> tensor<26x26xf32> {
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[1, 1] high[1, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<24x24xf32> to tensor<26x26xf32>
    return %padded : tensor<26x26xf32>
  }

  // Each second element of a row is loaded together with those between them, of which the last are masked.
  // CHECK-LABEL: func.func @pooling
  // CHECK: plan <par i { {{.*}} for j/{{[0-9]+}} tail(shift) { for k/16 { for {{.}} { max_1[j:[[H:[0-9]+]]u, k:16v] } } } }>
  // LOOPS-LABEL: func.func @pooling
  // LOOPS: vector.maskedload {{.*}} vector<32xf32>
  // LOOPS: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
  func.func @pooling(%x: tensor<4x33x33xf32>) -> tensor<4x16x16xf32> {
    %least = arith.constant 0xFF800000 : f32
    %window = tensor.empty() : tensor<3x3xf32>
    %empty = tensor.empty() : tensor<4x16x16xf32>
    %filled = linalg.fill ins(%least : f32) outs(%empty : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, p, q) -> (c, y * 2 + p, x * 2 + q)>, affine_map<(c, y, x, p, q) -> (p, q)>,
                       affine_map<(c, y, x, p, q) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%x, %window : tensor<4x33x33xf32>, tensor<3x3xf32>) outs(%filled : tensor<4x16x16xf32>) {
    ^bb0(%in: f32, %unused: f32, %out: f32):
      %max = arith.maximumf %out, %in : f32
      linalg.yield %max : f32
    } -> tensor<4x16x16xf32>
    return %r : tensor<4x16x16xf32>
  }
}
