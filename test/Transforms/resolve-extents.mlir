// RUN: %kopt %s --resolve-extents --cse --split-input-file | FileCheck %s

// Through loops and a conditional in them. The extents of `%b` change.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>,
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[D:.*]] = tensor.dim %[[X]], %c0
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[X]])
// CHECK: %[[K:.*]] = tensor.dim %[[B]], %c0
// CHECK: scf.while
// CHECK-NEXT: %[[E:.*]] = arith.cmpi eq, %[[M]], %[[M]]
// CHECK-NEXT: scf.condition(%[[E]])
// CHECK: tensor.empty(%[[M]], %[[K]])
// CHECK: %[[LAST:.*]] = tensor.dim %{{.*}}#1, %c0
// CHECK: return %{{.*}}#0, %[[D]], %[[LAST]]
func.func @nested(%x: tensor<?x?xf32>, %n: index, %p: i1, %v: f32) -> (tensor<?x?xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %m = tensor.dim %a, %c1 : tensor<?x?xf32>
    %k = tensor.dim %b, %c0 : tensor<?x?xf32>
    %w = scf.while (%c = %a) : (tensor<?x?xf32>) -> tensor<?x?xf32> {
      %d = tensor.dim %c, %c1 : tensor<?x?xf32>
      %e = arith.cmpi eq, %d, %m : index
      scf.condition(%e) %c : tensor<?x?xf32>
    } do {
    ^bb0(%c: tensor<?x?xf32>):
      %q = scf.if %p -> tensor<?x?xf32> {
        %y = tensor.insert %v into %c[%i, %k] : tensor<?x?xf32>
        scf.yield %y : tensor<?x?xf32>
      } else {
        scf.yield %c : tensor<?x?xf32>
      }
      scf.yield %q : tensor<?x?xf32>
    }
    %grown = tensor.empty(%m, %k) : tensor<?x?xf32>
    scf.yield %w, %grown : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %d0 = tensor.dim %r#0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %r#1, %c0 : tensor<?x?xf32>
  return %r#0, %d0, %d1 : tensor<?x?xf32>, index, index
}

// -----

// Two tensors that change places have the extents of both.
// CHECK-LABEL: func.func @swap
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1, %{{.*}} = %c0)
// CHECK: tensor.dim %[[A]], %c0
func.func @swap(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %s = %c0) -> (tensor<?xf32>, tensor<?xf32>, index) {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %t = arith.addi %s, %d : index
    scf.yield %b, %a, %t : tensor<?xf32>, tensor<?xf32>, index
  }
  return %r#2 : index
}

// -----

// An extent that is computed in the loop is not available before it.
// CHECK-LABEL: func.func @computed
// CHECK: scf.if
// CHECK: arith.addi
// CHECK: } else {
// CHECK: }
// CHECK: %[[D:.*]] = tensor.dim
// CHECK: return %[[D]]
func.func @computed(%p: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> tensor<?xf32> {
    %m = arith.addi %n, %n : index
    %x = tensor.empty(%m) : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  } else {
    %x = tensor.empty(%n) : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func.func @same_in_both
// CHECK: return %arg1
func.func @same_in_both(%p: i1, %n: index, %y: tensor<?xf32>, %i: index, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %x = tensor.empty(%n) : tensor<?xf32>
  %r = scf.if %p -> tensor<?xf32> {
    %z = tensor.insert %v into %x[%i] : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  } else {
    %z = tensor.empty(%n) : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}

// -----

// The inner loop passes on an extent that is the same in all iterations of the outer one only because of the inner loop.
// CHECK-LABEL: func.func @through_inner
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tensor.dim
// CHECK: tensor.empty(%[[D]])
func.func @through_inner(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %w = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<?xf32> {
      %d = tensor.dim %b, %c0 : tensor<?xf32>
      %e = tensor.empty(%size) : tensor<?xf32>
      %f = tensor.empty(%d) : tensor<?xf32>
      %y = tensor.insert_slice %f into %e[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
      scf.yield %y : tensor<?xf32>
    }
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @only_inner
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0)
// CHECK: %[[D:.*]] = tensor.dim %[[A]], %c0
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK-NOT: tensor.dim
// CHECK: tensor.insert %{{.*}} into %[[B]][%[[D]]]
func.func @only_inner(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %w = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<?xf32> {
      %d = tensor.dim %b, %c0 : tensor<?xf32>
      %y = tensor.insert %v into %b[%d] : tensor<?xf32>
      scf.yield %y : tensor<?xf32>
    }
    %d = tensor.dim %w, %c0 : tensor<?xf32>
    %more = arith.addi %d, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = tensor.insert_slice %w into %e[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
