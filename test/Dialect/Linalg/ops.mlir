// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @sum(
func.func @sum(%v: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  // CHECK: linalg.fill ins(%cst : f32) outs(%{{.*}} : tensor<f32>) -> tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  // CHECK: linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<?xf32>) outs(%{{.*}} : tensor<f32>) {
  %r = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%v : tensor<?xf32>) outs(%f : tensor<f32>) {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[A:.*]]: f32):
  ^bb0(%x: f32, %a: f32):
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[X]] : f32
    %s = arith.addf %a, %x : f32
    // CHECK-NEXT: linalg.yield %[[S]] : f32
    linalg.yield %s : f32
  // CHECK-NEXT: } -> tensor<f32>
  } -> tensor<f32>
  return %r : tensor<f32>
}

#trait = {indexing_maps = [#id, #id], iterator_types = ["parallel"], doc = "copies"}
// CHECK-LABEL: func.func @alias_of_a_trait(
func.func @alias_of_a_trait(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {doc = "copies", indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>)
  %0 = linalg.generic #trait ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @second_dictionary(
func.func @second_dictionary(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: attrs =  {bar = 2 : i64, baz, foo = 1 : i64} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], baz} {foo = 1}
      ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) attrs = {bar = 2} {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @properties_in_front(
func.func @properties_in_front(%x: f32, %a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.fill {a = 1 : i64, b = 2 : i64} ins
  %0 = linalg.fill <{}> {a = 1} ins(%x : f32) outs(%a : tensor<4xf32>) {b = 2} -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A vector is an element, not an array.
// CHECK-LABEL: func.func @vector_elements(
func.func @vector_elements(%v: vector<2x4xf32>, %t: tensor<?xvector<2x4xf32>>) -> tensor<?xvector<2x4xf32>> {
  // CHECK: linalg.fill ins(%arg0 : vector<2x4xf32>)
  %0 = linalg.fill ins(%v : vector<2x4xf32>) outs(%t : tensor<?xvector<2x4xf32>>) -> tensor<?xvector<2x4xf32>>
  // CHECK: linalg.generic
  %1 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]}
      ins(%v : vector<2x4xf32>) outs(%0 : tensor<?xvector<2x4xf32>>) {
  ^bb0(%x: vector<2x4xf32>, %y: vector<2x4xf32>):
    linalg.yield %x : vector<2x4xf32>
  } -> tensor<?xvector<2x4xf32>>
  return %1 : tensor<?xvector<2x4xf32>>
}

// CHECK-LABEL: func.func @contraction_of_buffers(
func.func @contraction_of_buffers(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) -> memref<4x6xf32> {
  // CHECK: linalg.contract {{.*}} -> memref<4x6xf32>
  %0 = linalg.contract
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) -> memref<4x6xf32>
  return %0 : memref<4x6xf32>
}
