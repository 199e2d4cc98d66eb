// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers,hoist-buffers)" | FileCheck %s --check-prefix=HOIST

// An accumulated array is updated in place: one allocation, no copy, one store for each element.
// CHECK-LABEL: func.func @histogram(
// CHECK-SAME: %[[V:.*]]: memref<?xi64>, %[[N:.*]]: index) -> memref<?xf32> {
// CHECK: %[[H:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[H]]) -> (memref<?xf32>) {
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[A]][%{{.*}}]
// CHECK: scf.yield %[[A]]
// CHECK: return %[[R]]
func.func @histogram(%v: tensor<?xi64>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %size = tensor.dim %v, %c0 : tensor<?xi64>
  %init = tensor.splat %zero[%n] : tensor<?xf32>
  %r = scf.for %i = %c0 to %size step %c1 iter_args(%acc = %init) -> (tensor<?xf32>) {
    %x = tensor.extract %v[%i] : tensor<?xi64>
    %at = arith.index_cast %x : i64 to index
    %old = tensor.extract %acc[%at] : tensor<?xf32>
    %new = arith.addf %old, %one : f32
    %next = tensor.insert %new into %acc[%at] : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A temporary of a loop is freed in each iteration, and hoisted out of it.
// CHECK-LABEL: func.func @temporary(
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: memref.dealloc
// CHECK-NEXT: scf.yield
// HOIST-LABEL: func.func @temporary(
// HOIST: memref.alloc
// HOIST: scf.for
// HOIST-NOT: memref.alloc
// HOIST: scf.yield
// HOIST: memref.dealloc
func.func @temporary(%v: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %t = tensor.splat %sum[%n] : tensor<?xf32>
    %x = tensor.extract %t[%i] : tensor<?xf32>
    scf.yield %x : f32
  }
  return %r : f32
}

// The caller owns the arguments.
// CHECK-LABEL: func.func @update_argument(
// CHECK-SAME: %[[V:.*]]: memref<?xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[V]], %[[COPY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: return %[[COPY]]
func.func @update_argument(%v: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %r = tensor.insert %one into %v[%c0] : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Operations on buffers are unchanged: a copy has no result.
// CHECK-LABEL: func.func @on_buffers_already
// CHECK-NEXT: linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
// CHECK-NEXT: return
func.func @on_buffers_already(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// The result reuses one of two dead tensors; the other is freed.
// CHECK-LABEL: func.func @chosen
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[R:.*]] = arith.select %arg0, %[[A]], %[[B]] : memref<?xf32>
// CHECK-NEXT: %[[OTHER:.*]] = arith.select %arg0, %[[B]], %[[A]] : memref<?xf32>
// CHECK-NEXT: memref.dealloc %[[OTHER]]
// CHECK-NEXT: return %[[R]]
func.func @chosen(%c: i1, %n: index, %x: f32, %y: f32) -> tensor<?xf32> {
  %a = tensor.splat %x[%n] : tensor<?xf32>
  %b = tensor.splat %y[%n] : tensor<?xf32>
  %r = arith.select %c, %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Where one is needed again the one that is chosen is copied, and just that.
// CHECK-LABEL: func.func @chosen_of_borrowed
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[S:.*]] = arith.select %arg0, %arg1, %[[B]] : memref<?xf32>
// CHECK: %[[R:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %[[S]], %[[R]]
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK-NEXT: return %[[R]]
func.func @chosen_of_borrowed(%c: i1, %a: tensor<?xf32>, %n: index, %y: f32) -> tensor<?xf32> {
  %b = tensor.splat %y[%n] : tensor<?xf32>
  %r = arith.select %c, %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
