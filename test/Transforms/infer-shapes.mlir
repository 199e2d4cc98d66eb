// RUN: %kopt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(infer-shapes)" | FileCheck %s
// RUN: %kopt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(func.func(infer-shapes))" | FileCheck %s --check-prefix=LOCAL
// RUN: %kopt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(infer-shapes,infer-shapes)" | FileCheck %s

// A constant extent propagates to dependent values; the public result keeps its type.
// CHECK-LABEL: func.func @forward
// CHECK: %[[E:.*]] = tensor.empty(%c4) : tensor<?xf32>
// CHECK: %[[C:.*]] = tensor.cast %[[E]] : tensor<?xf32> to tensor<4xf32>
// CHECK: %[[F:.*]] = linalg.fill ins(%arg0 : f32) outs(%[[C]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[S:.*]] = arith.addf %[[F]], %[[F]] : tensor<4xf32>
// CHECK: %[[N:.*]] = math.exp %[[S]] : tensor<4xf32>
// CHECK: %[[B:.*]] = tensor.cast %[[N]] : tensor<4xf32> to tensor<?xf32>
// CHECK: return %[[B]] : tensor<?xf32>
func.func @forward(%x: f32) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = arith.addf %f, %f : tensor<?xf32>
  %n = math.exp %s : tensor<?xf32>
  return %n : tensor<?xf32>
}

// Inputs say the extents of outputs, and of one another.
// CHECK-LABEL: func.func @matmul
// CHECK-DAG: %[[B:.*]] = tensor.cast %arg1 : tensor<?x?xf32> to tensor<8x?xf32>
// CHECK-DAG: %[[C:.*]] = tensor.cast %arg2 : tensor<?x?xf32> to tensor<4x?xf32>
// CHECK: linalg.matmul ins(%arg0, %[[B]] : tensor<4x8xf32>, tensor<8x?xf32>) outs(%[[C]] : tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Through loops and both branches of a condition; where they differ, the extent stays dynamic.
// CHECK-LABEL: func.func @flow
// CHECK: scf.for {{.*}} -> (tensor<4xf32>)
// CHECK: scf.if %{{.*}} -> (tensor<4xf32>, tensor<?x2xf32>)
// CHECK: scf.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<?x2xf32>
func.func @flow(%t: tensor<4xf32>, %c: i1, %n: index, %a: tensor<3x2xf32>, %b: tensor<5x2xf32>)
    -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%v = %u) -> (tensor<?xf32>) {
    %w = arith.addf %v, %v : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %three = tensor.cast %a : tensor<3x2xf32> to tensor<?x?xf32>
  %five = tensor.cast %b : tensor<5x2xf32> to tensor<?x?xf32>
  %r:2 = scf.if %c -> (tensor<?xf32>, tensor<?x?xf32>) {
    scf.yield %l, %three : tensor<?xf32>, tensor<?x?xf32>
  } else {
    scf.yield %u, %five : tensor<?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?x?xf32>
}

// A private function that is called with one shape only; alone it does not know.
// CHECK-LABEL: func.func private @callee(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func @caller
// CHECK: call @callee(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// LOCAL-LABEL: func.func private @callee(%arg0: tensor<?xf32>) -> tensor<?xf32>
func.func private @callee(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.mulf %t, %t : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @caller(%t: tensor<4xf32>) -> tensor<?xf32> {
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = func.call @callee(%u) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Blocks, slices, padding, and an unregistered operation.
// CHECK-LABEL: func.func @others
// CHECK: ^bb1(%[[B:.*]]: tensor<8xf32>):
// CHECK: tensor.extract_slice %[[B]][0] [%c4] [1] : tensor<8xf32> to tensor<?xf32>
// CHECK: tensor.cast %{{.*}} : tensor<?xf32> to tensor<4xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[B]][0] [%c4] [1] : tensor<?xf32> into tensor<8xf32>
// CHECK: tensor.pad
// CHECK: } : tensor<8xf32> to tensor<11xf32>
// CHECK: "test.any"(%{{.*}}) : (tensor<?xf32>) -> ()
func.func @others(%t: tensor<8xf32>, %c: i1, %x: f32) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %u = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  cf.br ^next(%u : tensor<?xf32>)
^next(%v: tensor<?xf32>):
  %s = tensor.extract_slice %v[0] [%c4] [1] : tensor<?xf32> to tensor<?xf32>
  %i = tensor.insert_slice %s into %v[0] [%c4] [1] : tensor<?xf32> into tensor<?xf32>
  %p = tensor.pad %i low[%c1] high[2] {
  ^bb0(%at: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  "test.any"(%p) : (tensor<?xf32>) -> ()
  cf.cond_br %c, ^next(%i : tensor<?xf32>), ^end
^end:
  return %p : tensor<?xf32>
}

// The result of a pad has the extents of its source.
// CHECK-LABEL: func.func @pad_of_cast
// CHECK: tensor.pad %arg0 low[0, 1] high[0, 1]
// CHECK: } : tensor<64x?xf32> to tensor<64x?xf32>
// CHECK: tensor.cast %{{.*}} : tensor<64x?xf32> to tensor<?x?xf32>
func.func @pad_of_cast(%a: tensor<64x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %c = tensor.cast %a : tensor<64x?xf32> to tensor<?x?xf32>
  %p = tensor.pad %c low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// Casts that contradict each other stay: executing them is an error.
// CHECK-LABEL: func.func @contradiction
// CHECK: %[[C:.*]] = tensor.cast %arg0 : tensor<4x8xi32> to tensor<?x?xi32>
// CHECK: tensor.cast %[[C]] : tensor<?x?xi32> to tensor<8x4xi32>
func.func @contradiction(%a: tensor<4x8xi32>) -> tensor<8x4xi32> {
  %0 = tensor.cast %a : tensor<4x8xi32> to tensor<?x?xi32>
  %1 = tensor.cast %0 : tensor<?x?xi32> to tensor<8x4xi32>
  return %1 : tensor<8x4xi32>
}
