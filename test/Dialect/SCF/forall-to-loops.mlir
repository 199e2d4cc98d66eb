// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=scf-forall-to-loops})' | FileCheck %s

// CHECK-LABEL: @buffers
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%[[C0]], %[[C0]]) to (%[[C8]], %arg1) step (%[[C1]], %[[C1]]) {
// CHECK-NEXT: memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
// CHECK-NEXT: scf.reduce
func.func @buffers(%a: memref<8x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) in (8, %n) {
    memref.store %x, %a[%i, %j] : memref<8x?xf32>
  }
  return
}

// CHECK-LABEL: @tensors
// CHECK: %[[OUTER:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %arg0) -> (tensor<8x8xf32>) {
// CHECK: %[[INNER:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (tensor<8x8xf32>) {
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[B]][%[[I]], %[[J]]] [2, 4] [1, 1]
// CHECK: %[[NEG:.*]] = arith.negf %[[PART]]
// CHECK: %[[ONE:.*]] = tensor.insert_slice %[[NEG]] into %[[B]][%[[I]], %[[J]]] [2, 4] [1, 1]
// CHECK: scf.yield %[[ONE]]
// CHECK: scf.yield %[[INNER]]
// CHECK: return %[[OUTER]]
func.func @tensors(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (8, 8) step (2, 4) shared_outs(%o = %t) -> (tensor<8x8xf32>) {
    %p = tensor.extract_slice %o[%i, %j] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
    %q = arith.negf %p : tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, %j] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
