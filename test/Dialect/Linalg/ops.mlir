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
