// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers,emit-kernels,canonicalize,cse)" | FileCheck %s
// A loop over a reduction axis around others: the first block begins with the initial contents, the others with the partial results, and only
// the inner loop over the axis carries accumulators.

// CHECK-LABEL: @product
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c32 step %c8 {
// CHECK-NEXT: scf.for %[[ROW:.*]] = %c0 to %c8 step %c2 {
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi slt, %[[BLOCK]], %c1
// CHECK-NEXT: %[[PARTIAL:.*]] = vector.load %[[OUT:.*]][%[[ROW]], %c0] : memref<8x16xf32>, vector<16xf32>
// CHECK-NEXT: %[[BEGIN:.*]] = arith.select %[[FIRST]], %cst, %[[PARTIAL]] : vector<16xf32>
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} step %c1 iter_args(%{{.*}} = %[[BEGIN]], %{{.*}} = %{{.*}})
// CHECK: vector.store %[[SUMS]]#0, %[[OUT]][%[[ROW]], %c0] : memref<8x16xf32>, vector<16xf32>
#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @product(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = schedule.kernel ins(%a, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%c : tensor<8x16xf32>) plan <for k/8 { for i/2 { for j/16 { for k { sum[i:2u, j:16v] } } } }> {
    ^bb0(%x: tensor<8x32xf32>, %y: tensor<32x16xf32>, %o: tensor<8x16xf32>):
      %zero = arith.constant 0.0 : f32
      %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
      %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %y : tensor<8x32xf32>, tensor<32x16xf32>) outs(%z : tensor<8x16xf32>) {
      ^bb0(%p: f32, %q: f32, %r: f32):
        %product = arith.mulf %p, %q : f32
        %sum = arith.addf %r, %product fastmath<reassoc> : f32
        linalg.yield %sum : f32
      } -> tensor<8x16xf32>
      schedule.yield %1 : tensor<8x16xf32>
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
