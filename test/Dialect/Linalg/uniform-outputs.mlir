// RUN: %kopt %s --pass-pipeline="builtin.module(apply-patterns{after-differentiation},canonicalize)" | FileCheck %s
// An elementwise computation on an output whose elements are all equal reads the element. An addition to zero is then removed.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @constant
// CHECK-NEXT: return %arg0
func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in fastmath<nsz> : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @splat
// CHECK: %[[EMPTY:.*]] = tensor.empty(%arg1) : tensor<?xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[EMPTY]] : tensor<?xf32>)
// CHECK: arith.subf %arg2, %in
func.func @splat(%x: tensor<?xf32>, %n: index, %value: f32) -> tensor<?xf32> {
  %values = tensor.splat %value[%n] : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%values : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.subf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @filled
// CHECK-NOT: linalg.fill
// CHECK: arith.subf %arg1, %in
func.func @filled(%x: tensor<4xf32>, %value: f32) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %values = linalg.fill ins(%value : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%values : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.subf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A reduction starts from its output.
// CHECK-LABEL: func.func @reduction
// CHECK: outs(%{{cst.*}} : tensor<f32>)
func.func @reduction(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Only a diagonal is written: the other elements are zero. A gradient of i-expressions read uninitialized elements here.
// CHECK-LABEL: func.func @diagonal
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<3x3xf32>
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[ZEROS]] : tensor<3x3xf32>)
#diagonal = affine_map<(i) -> (i, i)>
func.func @diagonal(%x: tensor<3xf32>) -> tensor<3x3xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #diagonal], iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%zeros : tensor<3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in fastmath<nsz> : f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
