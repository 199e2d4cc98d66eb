// RUN: %kopt %s --pass-pipeline="builtin.module(emit-kernels,canonicalize,cse)" | FileCheck %s
// While the rows of a strip of 16 columns are computed in four passes, each step prefetches a part of the next strip: of the row of the operand at
// a quarter of the index, in the quarter of the pass. The last strip prefetches itself.

// CHECK-LABEL: @product
// CHECK: scf.for %[[STRIP:.*]] = %c0 to %c64 step %c16 {
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c8 step %c2 {
// CHECK: scf.for %[[K:.*]] = %c0 to %c32 step %c1 iter_args
// CHECK-NEXT: %[[PASS:.*]] = arith.divui %[[ROW]], %c2
// CHECK-NEXT: %[[PART:.*]] = arith.divui %[[K]], %c4
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[PASS]], %c8
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[FIRST]], %[[PART]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[STRIP]], %c16
// CHECK-NEXT: %[[LAST:.*]] = arith.minsi %[[NEXT]], %c63
// CHECK-NEXT: memref.prefetch %arg1[%[[AT]], %[[LAST]]], read, locality<3>, data : memref<32x64xf32>
#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @product(%a: memref<8x32xf32>, %b: memref<32x64xf32>, %c: memref<8x64xf32>) {
    schedule.kernel ins(%a, %b : memref<8x32xf32>, memref<32x64xf32>) outs(%c : memref<8x64xf32>) plan <for j/16 { prefetch sum.1 for i/2 { for k { sum[i:2u, j:16v] } } }> {
    ^bb0(%x: tensor<8x32xf32>, %y: tensor<32x64xf32>, %o: tensor<8x64xf32>):
      %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %y : tensor<8x32xf32>, tensor<32x64xf32>) outs(%o : tensor<8x64xf32>) {
      ^bb0(%p: f32, %q: f32, %r: f32):
        %product = arith.mulf %p, %q : f32
        %sum = arith.addf %r, %product fastmath<reassoc> : f32
        linalg.yield %sum : f32
      } -> tensor<8x64xf32>
      schedule.yield %1 : tensor<8x64xf32>
    }
    return
  }
}
