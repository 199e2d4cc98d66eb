// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers,emit-kernels,canonicalize,cse)" --split-input-file | FileCheck %s
// A reduction whose terms are selected by a comparison of two indices, and neutral otherwise, skips the iterations without a term.

// The reduced index is to be less than that of a row: the loop ends at the greatest row of the tile.
// CHECK-LABEL: func.func @below
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c2
// CHECK: %[[END:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %c8
// CHECK: scf.for %{{.*}} = %c0 to %[[LAST]] step %c1
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @below(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = schedule.kernel ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%out : tensor<8x8xf32>)
      plan <for j/8 { for i/2 { for k { sum[i:2u, j:8v] } } }> {
  ^bb0(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %o: tensor<8x8xf32>):
    %neutral = arith.constant -0.0 : f32
    %s = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 2 : index
      %pq = arith.mulf %p, %q : f32
      %is = arith.cmpi slt, %k, %i : index
      %term = arith.select %is, %pq, %neutral : f32
      %sum = arith.addf %acc, %term : f32
      linalg.yield %sum : f32
    } -> tensor<8x8xf32>
    schedule.yield %s : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// It is to be greater: the loop begins after the least row. The sign of zero does not matter here, so zero is neutral.
// CHECK-LABEL: func.func @above
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c2
// CHECK: %[[FIRST:.*]] = arith.addi %[[I]], %c1
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8 step %c1
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @above(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = schedule.kernel ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%out : tensor<8x8xf32>)
      plan <for j/8 { for i/2 { for k { sum[i:2u, j:8v] } } }> {
  ^bb0(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %o: tensor<8x8xf32>):
    %neutral = arith.constant 0.0 : f32
    %s = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 2 : index
      %pq = arith.mulf %p, %q : f32
      %is = arith.cmpi sgt, %k, %i : index
      %term = arith.select %is, %pq, %neutral : f32
      %sum = arith.addf %acc, %term fastmath<nsz> : f32
      linalg.yield %sum : f32
    } -> tensor<8x8xf32>
    schedule.yield %s : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The comparison is one of the indices of the tile, which are reduced by another: tiles without a term have no iterations.
// CHECK-LABEL: func.func @tiles
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: %[[END:.*]] = arith.select %[[SOME]], %c8, %c0 : index
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %c8
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @tiles(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = schedule.kernel ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%out : tensor<8x8xf32>)
      plan <for j/2 { for i/2 { for k/8 { sum[i:2u, j:2u, k:8v] } } }> {
  ^bb0(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %o: tensor<8x8xf32>):
    %neutral = arith.constant 0.0 : f32
    %s = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %pq = arith.mulf %p, %q : f32
      %is = arith.cmpi slt, %j, %i : index
      %term = arith.select %is, %pq, %neutral : f32
      %sum = arith.addf %acc, %term fastmath<reassoc,nsz> : f32
      linalg.yield %sum : f32
    } -> tensor<8x8xf32>
    schedule.yield %s : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Zero is not neutral: the sum of -0.0 and 0.0 is 0.0.
// CHECK-LABEL: func.func @not_neutral
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK-NOT: arith.minsi
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @not_neutral(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = schedule.kernel ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%out : tensor<8x8xf32>)
      plan <for j/8 { for i/2 { for k { sum[i:2u, j:8v] } } }> {
  ^bb0(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %o: tensor<8x8xf32>):
    %zero = arith.constant 0.0 : f32
    %s = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %i = linalg.index 0 : index
      %k = linalg.index 2 : index
      %pq = arith.mulf %p, %q : f32
      %is = arith.cmpi slt, %k, %i : index
      %term = arith.select %is, %pq, %zero : f32
      %sum = arith.addf %acc, %term : f32
      linalg.yield %sum : f32
    } -> tensor<8x8xf32>
    schedule.yield %s : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
