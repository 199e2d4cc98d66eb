// RUN: %kopt %s --eliminate-empty-tensors | FileCheck %s
// RUN: %kopt %s --default-pipeline | FileCheck %s --check-prefix=BUFFERS
// RUN: %kc run %s --entry rows --inputs '[[[1, 2], [3, 4]]]' | FileCheck %s --check-prefix=VALUE
// RUN: %kc run %s --entry rows --inputs '[[[1, 2], [3, 4]]]' --backend interpret-buffers | FileCheck %s --check-prefix=VALUE
// VALUE: {{\[\[}}-1, -2], [-3, -4]]

// The result of an operation is computed in the row where it is inserted: nothing is allocated or copied in the loop.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[T]][%[[I]], 0] [1, 2] [1, 1]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} outs(%[[ROW]] :
// CHECK: tensor.insert_slice %[[R]] into %[[T]][%[[I]], 0] [1, 2] [1, 1]
// BUFFERS-LABEL: func.func @rows(
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @rows(%a: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%n) : tensor<?x2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %init) -> (tensor<?x2xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
    } ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.negf %in : f32
      linalg.yield %m : f32
    } -> tensor<2xf32>
    %s = tensor.insert_slice %y into %t[%i, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x2xf32>
    scf.yield %s : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// Inserted zeros are stored where they are inserted.
// CHECK-LABEL: func.func @zeros(
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NOT: tensor.splat
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[T]][%[[I]], 0] [1, %{{.*}}] [1, 1]
// CHECK: %[[R:.*]] = linalg.{{.*}} outs(%[[ROW]] :
// CHECK: tensor.insert_slice %[[R]] into %[[T]]
func.func @zeros(%init: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %init) -> (tensor<?x?xf32>) {
    %e = tensor.splat %z[%m] : tensor<?xf32>
    %s = tensor.insert_slice %e into %t[%i, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    scf.yield %s : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// The tensor is read between the computation and the insertion: what is read would be overwritten.
// CHECK-LABEL: func.func @read_before(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] :
func.func @read_before(%a: tensor<2xf32>, %i: index) -> (tensor<4x2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %t = tensor.generate {
  ^bb0(%p: index, %q: index):
    tensor.yield %z : f32
  } : tensor<4x2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.negf %in : f32
    linalg.yield %m : f32
  } -> tensor<2xf32>
  %old = tensor.extract %t[%i, %c0] : tensor<4x2xf32>
  %s = tensor.insert_slice %y into %t[%i, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x2xf32>
  return %s, %old : tensor<4x2xf32>, f32
}

// The place is not known yet when the tensor is computed.
// CHECK-LABEL: func.func @later(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] :
func.func @later(%a: tensor<2xf32>) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = math.absf %in : f32
    linalg.yield %m : f32
  } -> tensor<2xf32>
  %f = tensor.extract %y[%c0] : tensor<2xf32>
  %n = arith.fptoui %f : f32 to i64
  %i = arith.index_cast %n : i64 to index
  %s = tensor.insert_slice %y into %t[%i, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x2xf32>
  return %s : tensor<4x2xf32>
}

// The results of a kernel are computed in the rows where they are inserted, also if they share an uninitialized tensor.
// CHECK-LABEL: func.func @results_of_a_kernel(
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[U:.*]] = %{{.*}})
// CHECK-NOT: tensor.empty
// CHECK-DAG: %[[ROW:.*]] = tensor.extract_slice %[[T]][%[[I]], 0]
// CHECK-DAG: %[[OTHER:.*]] = tensor.extract_slice %[[U]][%[[I]], 0]
// CHECK: schedule.kernel {{.*}} outs(%[[ROW]], %[[OTHER]] :
func.func @results_of_a_kernel(%a: tensor<?xf32>, %t: tensor<?x?xf32>, %u: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %m step %c1 iter_args(%t1 = %t, %u1 = %u) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %k:2 = schedule.kernel ins(%a : tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) plan <par i/16384 { for i/64 { exp[i:64v] tanh[i:64v] } }> {
  ^bb0(%x: tensor<?xf32>, %o: tensor<?xf32>, %o1: tensor<?xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%1 : tensor<?xf32>) outs(%o1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.tanh %in : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    schedule.yield %1, %3 : tensor<?xf32>, tensor<?xf32>
  } -> (tensor<?xf32>, tensor<?xf32>)
  %s = tensor.insert_slice %k#0 into %t1[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  %s1 = tensor.insert_slice %k#1 into %u1[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  scf.yield %s, %s1 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A tensor that is created after the computation is created before it.
// CHECK-LABEL: func.func @in_zeros(
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ZEROS]][0] [%{{.*}}] [1]
// CHECK: linalg.generic {{.*}} outs(%[[PART]] :
func.func @in_zeros(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %t = tensor.splat %z[%m] : tensor<?xf32>
  %s = tensor.insert_slice %y into %t[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %s : tensor<?xf32>
}
