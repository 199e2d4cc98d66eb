// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)" | FileCheck %s --check-prefix=LOOPS

// Products of bytes have lanes along the reduction axis, which are added in pairs: the instruction selector finds the instruction that
// multiplies and adds pairs. Rows of any number have these lanes.
// CHECK-LABEL: func.func @dense
// CHECK: plan <par j/96 { for j/6 tail(scalar) { for i/4 tail(shift) { for k/32 { sum[i:4u, j:6u, k:32v] } } } }>
// LOOPS-LABEL: func.func @dense
// LOOPS: scf.for {{.*}} -> (vector<16xi32>
// LOOPS: %[[LEFT:.*]] = arith.extsi %{{.*}} : vector<32xi8> to vector<32xi32>
// LOOPS: %[[RIGHT:.*]] = arith.extsi %{{.*}} : vector<32xi8> to vector<32xi32>
// LOOPS: arith.muli %[[LEFT]], %[[RIGHT]] : vector<32xi32>
// LOOPS: %[[EVEN:.*]] = vector.shuffle %[[ALL:.*]], %[[ALL]] [0, 2, 4,
// LOOPS: %[[ODD:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [1, 3, 5,
// LOOPS: %[[PAIRS:.*]] = arith.addi %[[EVEN]], %[[ODD]] : vector<16xi32>
// LOOPS: arith.addi %{{.*}}, %[[PAIRS]] : vector<16xi32>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 512 : i64, "vector_registers" = 32 : i64, "has_fma" = true, "masked_access" = true>>} {
  func.func @dense(%x: tensor<64x1024xi8>, %w: tensor<512x1024xi8>) -> tensor<64x512xi32> {
    %zero = arith.constant 0 : i32
    %empty = tensor.empty() : tensor<64x512xi32>
    %filled = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x512xi32>) -> tensor<64x512xi32>
    %sums = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%x, %w : tensor<64x1024xi8>, tensor<512x1024xi8>) outs(%filled : tensor<64x512xi32>) {
    ^bb0(%in: i8, %weight: i8, %out: i32):
      %wide = arith.extsi %in : i8 to i32
      %other = arith.extsi %weight : i8 to i32
      %product = arith.muli %wide, %other : i32
      %sum = arith.addi %out, %product : i32
      linalg.yield %sum : i32
    } -> tensor<64x512xi32>
    return %sums : tensor<64x512xi32>
  }
}
