// RUN: %kopt %s --pass-pipeline="builtin.module(schedule-kernels,plan-buffers,emit-kernels,canonicalize,cse)" --split-input-file | FileCheck %s
// A vector whose indices are a quotient, and perhaps the remainder, of the axis of its lanes is combined from shorter ones.

// CHECK-LABEL: @repeated
// CHECK: %[[ROW:.*]] = vector.load {{.*}}vector<32xf32>
// CHECK: vector.shuffle %[[ROW]], %[[ROW]] [0, 0, 1, 1, 2, 2, {{.*}}, 31, 31] : vector<32xf32>, vector<32xf32>
// CHECK: vector.store {{.*}}vector<64xf32>
#half = affine_map<(d0, d1) -> (d0, d1 floordiv 2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @repeated(%x: memref<8x64xf32>, %out: memref<8x128xf32>) {
    schedule.kernel ins(%x : memref<8x64xf32>) outs(%out : memref<8x128xf32>) {
    ^bb0(%a: tensor<8x64xf32>, %b: tensor<8x128xf32>):
      %0 = linalg.generic {indexing_maps = [#half, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%b : tensor<8x128xf32>) {
      ^bb0(%in: f32, %o: f32):
        linalg.yield %in : f32
      } -> tensor<8x128xf32>
      schedule.yield %0 : tensor<8x128xf32>
    }
    return
  }
}

// -----

// The rest has half as many elements of each row, rounded up.
// CHECK-LABEL: @interleaved
// CHECK-DAG: %[[FIRST:.*]] = vector.load %{{.*}}[%{{.*}}, %c0, %{{.*}}] {{.*}}vector<32xf32>
// CHECK-DAG: %[[SECOND:.*]] = vector.load %{{.*}}[%{{.*}}, %c1, %{{.*}}] {{.*}}vector<32xf32>
// CHECK: vector.interleave %[[FIRST]], %[[SECOND]] : vector<32xf32>
// CHECK: vector.store {{.*}}vector<64xf32>
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
// CHECK: %[[FIRST:.*]] = vector.maskedload %{{.*}}[%{{.*}}, %c0, %{{.*}}], %[[MASK]], {{.*}}vector<8xf32>
// CHECK: %[[SECOND:.*]] = vector.maskedload %{{.*}}[%{{.*}}, %c1, %{{.*}}], %[[MASK]], {{.*}}vector<8xf32>
// CHECK: vector.interleave %[[FIRST]], %[[SECOND]] : vector<8xf32>
#rows = affine_map<(d0, d1) -> (d0, d1 mod 2, d1 floordiv 2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @interleaved(%x: memref<8x2x?xf32>, %out: memref<8x?xf32>) {
    schedule.kernel ins(%x : memref<8x2x?xf32>) outs(%out : memref<8x?xf32>) {
    ^bb0(%a: tensor<8x2x?xf32>, %b: tensor<8x?xf32>):
      %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x2x?xf32>) outs(%b : tensor<8x?xf32>) {
      ^bb0(%in: f32, %o: f32):
        linalg.yield %in : f32
      } -> tensor<8x?xf32>
      schedule.yield %0 : tensor<8x?xf32>
    }
    return
  }
}
