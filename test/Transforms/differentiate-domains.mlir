// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// The derivative of a contraction consists of contractions, which accumulate into the cotangents so far. Their sums may be
// reordered.
// CHECK-DAG: #[[KJ:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[IK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func private @matmul.fwd(
// CHECK: linalg.matmul
// CHECK: %[[LEFT:.*]] = linalg.generic {indexing_maps = [#[[KJ]], #[[IK]], #[[IJ]]]
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[IK]], #[[KJ]], #[[IJ]]]
// CHECK-SAME: outs(%[[LEFT]]
// CHECK: return %{{.*}}, %[[SUM]]
// CHECK-LABEL: func.func private @matmul.rev(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x5xf32>, %[[B:[^:]*]]: tensor<5x6xf32>, %[[C:[^:]*]]: tensor<4x6xf32>
// CHECK-SAME: %[[D:[^:]*]]: tensor<4x6xf32>, %[[DA:[^:]*]]: tensor<4x5xf32>, %[[DB:[^:]*]]: tensor<5x6xf32>
// CHECK-NOT: scf.for
// CHECK: %[[TO_A:.*]] = linalg.generic {indexing_maps = [#[[KJ]], #[[IJ]], #[[IK]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[B]], %[[D]]
// CHECK-SAME: outs(%[[DA]]
// CHECK: arith.addf {{.*}} fastmath<reassoc,nsz,contract>
// CHECK: %[[TO_B:.*]] = linalg.generic {indexing_maps = [#[[IK]], #[[IJ]], #[[KJ]]], iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[A]], %[[D]]
// CHECK-SAME: outs(%[[DB]]
// CHECK: return %[[TO_A]], %[[TO_B]]
func.func @matmul(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// The exponential is computed once. No zeros are created: each element of the intermediate cotangent is written once.
// CHECK-LABEL: func.func private @elementwise.rev(
// CHECK: %[[E:.*]] = math.exp
// CHECK-NOT: splat
// CHECK: linalg.generic {{.*}} ins(%[[E]],
// CHECK-NOT: math.exp
// CHECK: linalg.generic {{.*}} ins({{.*}}, %[[E]]
// CHECK-NOT: math.exp
// CHECK: return
func.func @elementwise(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %a : tensor<?xf32>
  %1 = arith.mulf %0, %b : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @requests(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>, %v: tensor<?xf32>) -> (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0:3 = diff.rev @matmul(%a, %b, %c)(%c) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>)
  %1 = diff.fwd @matmul(%a, %b, %c)(%a, %b, %c) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %2:2 = diff.rev @elementwise(%v, %v)(%v) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1, %0#2, %1, %2#0, %2#1 : tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<?xf32>, tensor<?xf32>
}
