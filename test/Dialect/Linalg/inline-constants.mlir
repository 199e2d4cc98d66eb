// RUN: %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets=linalg-inline-constants})" | FileCheck %s
// A constant input whose elements are all the same is a constant in the body.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#row = affine_map<(i, j) -> (j)>
#first = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @scalar
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x?xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: math.powf %[[IN]], %[[TWO]] : f32
func.func @scalar(%x: tensor<4x?xf32>, %out: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %two : tensor<4x?xf32>, tensor<f32>) outs(%out : tensor<4x?xf32>) {
  ^bb0(%in: f32, %exponent: f32, %old: f32):
    %1 = math.powf %in, %exponent : f32
    linalg.yield %1 : f32
  } -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// Nothing else determines the extent of the reduced dimension.
// CHECK-LABEL: func.func @needed
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>)
// CHECK: arith.addf %{{.*}}, %[[ONE]] : f32
func.func @needed(%out: tensor<4xf32>) -> tensor<4xf32> {
  %ones = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%ones : tensor<4x8xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %1 = arith.addf %sum, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @different
// CHECK: linalg.generic {{.*}} ins(%arg0, %cst : tensor<4x2xf32>, tensor<2xf32>)
func.func @different(%x: tensor<4x2xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %row = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %row : tensor<4x2xf32>, tensor<2xf32>) outs(%out : tensor<4x2xf32>) {
  ^bb0(%in: f32, %other: f32, %old: f32):
    %1 = arith.mulf %in, %other : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
