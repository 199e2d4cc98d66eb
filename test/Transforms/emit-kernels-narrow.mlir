// RUN: %kopt %s --pass-pipeline="builtin.module(schedule-kernels,plan-buffers,emit-kernels,canonicalize,cse)" --split-input-file | FileCheck %s
// The rest of a loop with several registers of lanes is computed a register at a time: of 9 elements, 64 lanes would compute 55 for nothing.

// CHECK-LABEL: @dynamic
// CHECK: scf.for {{.*}} step %c64
// CHECK: vector.load {{.*}}vector<64xf32>
// CHECK: math.exp {{.*}}vector<64xf32>
// CHECK: scf.for %[[AT:.*]] = {{.*}} step %c16
// CHECK: %[[REST:.*]] = arith.subi {{.*}}, %[[AT]]
// CHECK: %[[MASK:.*]] = vector.create_mask %[[REST]] : vector<16xi1>
// CHECK: vector.maskedload {{.*}}, %[[MASK]], {{.*}}vector<16xf32>
// CHECK: math.exp {{.*}}vector<16xf32>
// CHECK: vector.maskedstore {{.*}}, %[[MASK]], {{.*}}vector<16xf32>
#map = affine_map<(d0) -> (d0)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @dynamic(%x: memref<?xf32>, %out: memref<?xf32>) {
    schedule.kernel ins(%x : memref<?xf32>) outs(%out : memref<?xf32>) plan <for i/64 { exp[i:64v] }> {
    ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {
      ^bb0(%in: f32, %o: f32):
        %e = math.exp %in : f32
        linalg.yield %e : f32
      } -> tensor<?xf32>
      schedule.yield %0 : tensor<?xf32>
    }
    return
  }
}

// -----

// Accumulators keep their lanes.
// CHECK-LABEL: @sum
// CHECK: scf.for {{.*}} step %c64 iter_args
// CHECK: scf.for {{.*}} step %c64 iter_args
// CHECK-NOT: step %c16
#map = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @sum(%x: memref<?xf32>, %out: memref<f32>) {
    schedule.kernel ins(%x : memref<?xf32>) outs(%out : memref<f32>) plan <for i/64 { sum[i:64v] }> {
    ^bb0(%a: tensor<?xf32>, %b: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#map, #scalar], iterator_types = ["reduction"]} ins(%a : tensor<?xf32>) outs(%b : tensor<f32>) {
      ^bb0(%in: f32, %o: f32):
        %e = arith.addf %o, %in fastmath<reassoc> : f32
        linalg.yield %e : f32
      } -> tensor<f32>
      schedule.yield %0 : tensor<f32>
    }
    return
  }
}
