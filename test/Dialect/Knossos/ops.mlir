// RUN: %kopt %s | %kopt | FileCheck %s

// CHECK-LABEL: knossos.func @types
// CHECK-SAME: (%arg0: !knossos.tensor<1, tensor<?xf32>>, %arg1: !knossos.tensor<2, tuple<f32, !knossos.string>>, %arg2: !knossos.tensor<1, !knossos.tensor<1, tuple<>>>)
knossos.func @types(%v: !knossos.tensor<1,tensor<?xf32>>, %t: !knossos.tensor<2, tuple<f32,!knossos.string>>, %u: !knossos.tensor<1, !knossos.tensor<1, tuple<>>>) -> i64 {
  %i = constant 1 : i64
  // CHECK: %[[ROW:.*]] = index %arg0[%{{.*}}] : !knossos.tensor<1, tensor<?xf32>>
  %row = index %v[%i] : !knossos.tensor<1, tensor<?xf32>>
  // CHECK: index %[[ROW]][%{{.*}}] : tensor<?xf32>
  %x = index %row[%i] : tensor<?xf32>
  // CHECK: unzip %arg1 : !knossos.tensor<2, tuple<f32, !knossos.string>>
  %p = unzip %t : !knossos.tensor<2, tuple<f32, !knossos.string>>
  // CHECK: get %{{.*}}[1] : tuple<tensor<?x?xf32>, !knossos.tensor<2, !knossos.string>>
  %s = get %p[1] : tuple<tensor<?x?xf32>, !knossos.tensor<2, !knossos.string>>
  // CHECK: const_vec %[[ROW]][%{{.*}}] : !knossos.tensor<1, tensor<?xf32>>
  %c = const_vec %row[%i] : !knossos.tensor<1, tensor<?xf32>>
  // CHECK: size %{{.*}} : !knossos.tensor<2, !knossos.string>
  %n = size %s : !knossos.tensor<2, !knossos.string>
  return %i : i64
}

// CHECK-LABEL: knossos.func @sparse
knossos.func @sparse(%shape: !knossos.tensor<1, tuple<>>, %n: i64) -> tuple<tensor<?xf32>> {
  // CHECK: build_from_sparse %arg0[%arg1] {
  // CHECK: } : !knossos.tensor<1, tuple<>> -> tuple<tensor<?xf32>>
  %r = build_from_sparse %shape[%n] {
  ^bb0(%i: i64):
    %x = knossos.constant 1.0 : f32
    %u = knossos.tuple(%i, %x) : (i64, f32) -> tuple<i64, f32>
    %us = knossos.tuple(%u) : (tuple<i64, f32>) -> tuple<tuple<i64, f32>>
    knossos.yield %us : tuple<tuple<i64, f32>>
  } : !knossos.tensor<1, tuple<>> -> tuple<tensor<?xf32>>
  return %r : tuple<tensor<?xf32>>
}

// CHECK-LABEL: knossos.func @scan
knossos.func @scan(%x: f32, %v: tensor<?xf32>) -> tuple<f32, !knossos.tensor<1, tensor<?xf32>>> {
  // CHECK: scan reverse %arg0, %arg1 {
  // CHECK: } : f32, tensor<?xf32> -> tuple<f32, !knossos.tensor<1, tensor<?xf32>>>
  %r = scan reverse %x, %v {
  ^bb0(%a: f32, %e: f32):
    %p = knossos.tuple(%e, %v) : (f32, tensor<?xf32>) -> tuple<f32, tensor<?xf32>>
    knossos.yield %p : tuple<f32, tensor<?xf32>>
  } : f32, tensor<?xf32> -> tuple<f32, !knossos.tensor<1, tensor<?xf32>>>
  return %r : tuple<f32, !knossos.tensor<1, tensor<?xf32>>>
}

// CHECK-LABEL: knossos.func @bench
knossos.func @bench() -> f32 {
  // CHECK: bench {
  // CHECK-NEXT: ^bb0(%{{.*}}: i64):
  // CHECK: } : f32
  %t = bench {
  ^bb0(%n: i64):
    knossos.yield %n : i64
  } : f32
  return %t : f32
}
