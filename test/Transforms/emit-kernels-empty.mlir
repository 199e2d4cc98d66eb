// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers,emit-kernels,canonicalize,cse)" --split-input-file | FileCheck %s
// The outermost loop of unknown extent has no iterations if an inner axis has none: 2^40 by 0 elements take no memory.

// CHECK-LABEL: func.func @elements
// CHECK-DAG: %[[ROWS:.*]] = memref.dim %arg0, %c0
// CHECK-DAG: %[[COLUMNS:.*]] = memref.dim %arg0, %c1
// CHECK: %[[EMPTY:.*]] = arith.cmpi slt, %[[COLUMNS]], %c1
// CHECK: %[[END:.*]] = arith.select %[[EMPTY]], %c0, %[[ROWS]]
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %c1
// CHECK: scf.for %{{.*}} = %c0 to %[[COLUMNS]] step %c1
#same = affine_map<(i, j) -> (i, j)>
func.func @elements(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = schedule.kernel outs(%x : tensor<?x?xf32>) plan <for i { for j { negf[] } }> {
  ^bb0(%o: tensor<?x?xf32>):
    %s = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<?x?xf32>) {
    ^bb0(%a: f32):
      %neg = arith.negf %a : f32
      linalg.yield %neg : f32
    } -> tensor<?x?xf32>
    schedule.yield %s : tensor<?x?xf32>
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A row of no columns has a sum.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: arith.select
// CHECK: return
#in = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @rows(%x: tensor<?x?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = schedule.kernel ins(%x : tensor<?x?xf32>) outs(%out : tensor<?xf32>) plan <for i { for j { sum[] } }> {
  ^bb0(%y: tensor<?x?xf32>, %o: tensor<?xf32>):
    %s = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<?x?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %sum = arith.addf %acc, %a : f32
      linalg.yield %sum : f32
    } -> tensor<?xf32>
    schedule.yield %s : tensor<?xf32>
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The sum of all elements: no row contributes.
// CHECK-LABEL: func.func @total
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %c0, %{{.*}} : index
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %c1
#both = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
func.func @total(%x: tensor<?x?xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = schedule.kernel ins(%x : tensor<?x?xf32>) outs(%out : tensor<f32>) plan <for i { for j { sum[] } }> {
  ^bb0(%y: tensor<?x?xf32>, %o: tensor<f32>):
    %s = linalg.generic {indexing_maps = [#both, #none], iterator_types = ["reduction", "reduction"]}
        ins(%y : tensor<?x?xf32>) outs(%o : tensor<f32>) {
    ^bb0(%a: f32, %acc: f32):
      %sum = arith.addf %acc, %a : f32
      linalg.yield %sum : f32
    } -> tensor<f32>
    schedule.yield %s : tensor<f32>
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Known extents need no comparison.
// CHECK-LABEL: func.func @known
// CHECK-NOT: arith.select
// CHECK: return
#same = affine_map<(i, j) -> (i, j)>
func.func @known(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = schedule.kernel outs(%x : tensor<4x?xf32>) plan <for i { for j { negf[] } }> {
  ^bb0(%o: tensor<4x?xf32>):
    %s = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x?xf32>) {
    ^bb0(%a: f32):
      %neg = arith.negf %a : f32
      linalg.yield %neg : f32
    } -> tensor<4x?xf32>
    schedule.yield %s : tensor<4x?xf32>
  } -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
