// RUN: %kopt %s --lower | FileCheck %s
// RUN: %kopt %s --lower --canonicalize --cse --plan-buffers > %t
// RUN: %kopt %s --lower --fuse --canonicalize | FileCheck %s --check-prefix=FUSED

// CHECK-DAG: #[[ID3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[IK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KJ:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[II:.*]] = affine_map<(d0) -> (d0, d0)>

// CHECK-LABEL: func.func @matmul(
// The extents of the product are not used, so it is fused into the sum.
// FUSED-LABEL: func.func @matmul(
// FUSED-COUNT-1: linalg.generic
// FUSED: %[[P:.*]] = arith.mulf
// FUSED: arith.addf %{{.*}}, %[[P]]
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: %[[SAME:.*]] = arith.cmpi eq
  // CHECK: data.assert %[[SAME]], "`ik*kj~ijk`: index `k` has different extents in dimension 1 of input 0 and in dimension 0 of input 1: {} and {}"
  // CHECK: linalg.generic {indexing_maps = [#[[IK]], #[[KJ]], #[[ID3]]], iterator_types = ["parallel", "parallel", "parallel"]}
  // CHECK: arith.mulf
  %0 = iexpr.expr "ik*kj~ijk"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  // CHECK-NOT: tensor.dim
  // CHECK: linalg.fill ins(%{{.*}} : f32)
  // CHECK: linalg.generic {indexing_maps = [#[[ID3]], #[[IJ]]], iterator_types = ["parallel", "parallel", "reduction"]}
  // CHECK: arith.addf
  %1 = iexpr.expr "+ijk~ij"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @diagonal(
func.func @diagonal(%a: tensor<4x?xf32>) -> tensor<4xf32> {
  // CHECK: data.assert
  // CHECK: tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[II]], #{{.*}}], iterator_types = ["parallel"]}
  %0 = iexpr.expr "ii~i"(%a) : (tensor<4x?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An operation without effect is removed.
// CHECK-LABEL: func.func @no_op(
// CHECK-NOT: linalg
// CHECK: return %arg0
func.func @no_op(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "+i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Extents that are read inside of a region are not seen outside.
// CHECK-LABEL: func.func @inner_no_op(
// CHECK: scf.if
// CHECK: tensor.dim %arg1
// CHECK: }
// CHECK: %[[DIM:.*]] = tensor.dim %arg1
// CHECK: tensor.empty(%[[DIM]])
func.func @inner_no_op(%c: i1, %a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = scf.if %c -> (tensor<?xf32>) {
    %1 = iexpr.expr "+i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  %2 = iexpr.expr "-i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %2 : tensor<?xf32>, tensor<?xf32>
}

// The largest element is NaN where one is; nothing has the largest element -inf.
// CHECK-LABEL: func.func @max(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.maximumf
func.func @max(%a: tensor<?xf32>) -> tensor<f32> {
  %0 = iexpr.expr ">i~."(%a) : (tensor<?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The product is one number inside of the sum's loops, and the sum is a number that the innermost loop carries.
// CHECK-LABEL: func.func @fused(
func.func @fused(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NOT: cf.assert
  // CHECK-NOT: linalg
  // CHECK: tensor.empty() : tensor<8x8xf32>
  %0 = iexpr.expr "ik*kj~ijk"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8x8xf32>
  // CHECK: scf.for %{{.*}} -> (tensor<8x8xf32>) {
  // CHECK-NEXT: scf.for %{{.*}} -> (tensor<8x8xf32>) {
  // CHECK: %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f32) {
  // CHECK: %[[P:.*]] = arith.mulf
  // CHECK: arith.addf %[[ACC]], %[[P]]
  // CHECK: tensor.insert %[[SUM]] into
  %1 = iexpr.expr "+ijk~ij||ijk0"(%0) : (tensor<8x8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A reduction loop outside of the output's: the sums are in memory, set before all loops.
// CHECK-LABEL: func.func @outer_reduction(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: scf.for %[[K:.*]] = %{{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[OLD:.*]] = tensor.extract
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: tensor.insert %[[NEW]]
func.func @outer_reduction(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "+ik~i||ki"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A tile of 4 is stored between the loops; its last one is cut short.
// CHECK-LABEL: func.func @tile(
// CHECK: scf.for
// CHECK: %[[TILE:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: arith.minsi
// CHECK: %[[DONE:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[TILE]])
// CHECK: math.exp
// CHECK: scf.for
// CHECK: tensor.extract %[[DONE]]
// CHECK: arith.negf
func.func @tile(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "^i~i|i:4|"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = iexpr.expr "-i~i|i:4|i0i'"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
