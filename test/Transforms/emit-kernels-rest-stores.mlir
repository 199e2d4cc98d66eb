// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers,emit-kernels,canonicalize,cse)" --split-input-file | FileCheck %s
// Without mask registers, the tail is stored by vectors of decreasing powers of two, and no store is masked.

#d = affine_map<(i) -> (i)>
// The number of lanes is not known.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: vector.maskedstore
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[AT:.*]] : index
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: %[[PART:.*]] = arith.cmpi slt, %[[REST]], %c4 : index
// CHECK: scf.if %[[PART]] {
// CHECK:   %[[LOW:.*]] = vector.extract_strided_slice %[[SUM]] {offsets = [0], sizes = [2], strides = [1]}
// CHECK:   %[[HIGH:.*]] = vector.extract_strided_slice %[[SUM]] {offsets = [2], sizes = [2], strides = [1]}
// CHECK:   %[[HAS:.*]] = arith.cmpi sgt, %[[REST]], %c1 : index
// CHECK:   scf.if %[[HAS]] {
// CHECK:     vector.store %[[LOW]], %{{.*}}[%[[AT]]] : memref<?xf32>, vector<2xf32>
// CHECK:   }
// CHECK:   %[[DONE:.*]] = arith.select %[[HAS]], %c2, %c0 : index
// CHECK:   %[[LAST:.*]] = arith.select %[[HAS]], %[[HIGH]], %[[LOW]] : vector<2xf32>
// CHECK:   %[[NEXT:.*]] = arith.addi %[[AT]], %[[DONE]] : index
// CHECK:   %[[ONE:.*]] = vector.extract_strided_slice %[[LAST]] {offsets = [0], sizes = [1], strides = [1]}
// CHECK:   vector.store %[[ONE]], %{{.*}}[%[[NEXT]]] : memref<?xf32>, vector<1xf32>
// CHECK: } else {
// CHECK:   vector.store %[[SUM]], %{{.*}}[%[[AT]]] : memref<?xf32>, vector<4xf32>
// CHECK-NOT: vector.maskedstore
// CHECK: return
func.func @unknown(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = schedule.kernel ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
      plan <for i/4 { addf[i:4v] }> {
  ^bb0(%x: tensor<?xf32>, %o: tensor<?xf32>):
    %s = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %sum = arith.addf %p, %p : f32
      linalg.yield %sum : f32
    } -> tensor<?xf32>
    schedule.yield %s : tensor<?xf32>
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#d = affine_map<(i) -> (i)>
// Seven numbers are four, two and one.
// CHECK-LABEL: func.func @seven
// CHECK-NOT: vector.maskedstore
// CHECK: vector.store %{{.*}}, %{{.*}}[%c0] : memref<7xf32>, vector<4xf32>
// CHECK-NOT: scf.if
// CHECK: vector.store %{{.*}}, %{{.*}}[%c4] : memref<7xf32>, vector<2xf32>
// CHECK: vector.store %{{.*}}, %{{.*}}[%c6] : memref<7xf32>, vector<1xf32>
// CHECK: return
func.func @seven(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %0 = schedule.kernel ins(%a : tensor<7xf32>) outs(%b : tensor<7xf32>)
      plan <for i/4 { addf[i:4v] }> {
  ^bb0(%x: tensor<7xf32>, %o: tensor<7xf32>):
    %s = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%x : tensor<7xf32>) outs(%o : tensor<7xf32>) {
    ^bb0(%p: f32, %q: f32):
      %sum = arith.addf %p, %p : f32
      linalg.yield %sum : f32
    } -> tensor<7xf32>
    schedule.yield %s : tensor<7xf32>
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
