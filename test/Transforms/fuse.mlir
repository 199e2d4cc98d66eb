// RUN: %kopt %s --pass-pipeline="builtin.module(fuse)" | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Elementwise operations go into the reduction that reads them.
// CHECK-LABEL: func.func @reduce
// CHECK-NOT: arith.mulf {{.*}} : tensor
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT: arith.addf %[[P]], %[[SUM]] : f32
func.func @reduce(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %p = arith.mulf %a, %b : tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<?x4xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// An element of a generated tensor is computed.
// CHECK-LABEL: func.func @element
// CHECK-NEXT: %[[V:.*]] = arith.muli %arg0, %arg1 : index
// CHECK-NEXT: return %[[V]]
func.func @element(%i: index, %j: index) -> index {
  %g = tensor.generate {
  ^bb0(%a: index, %b: index):
    %v = arith.muli %a, %b : index
    tensor.yield %v : index
  } : tensor<8x8xindex>
  %e = tensor.extract %g[%i, %j] : tensor<8x8xindex>
  return %e : index
}
