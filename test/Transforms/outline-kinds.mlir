// Code outlined from a function becomes a function of the same kind if possible, and of any kind otherwise.
// RUN: %kopt %s --pass-pipeline="builtin.module(outline{attribute=cold})" | FileCheck %s

// CHECK-LABEL: relay.func @one(
// CHECK: %{{.*}} = call @one_outlined_0(%{{.*}}, %{{.*}}) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK: relay.func private @one_outlined_0(%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: %[[S:.*]] = add %[[A]], %[[B]]
// CHECK-NEXT: return %[[S]] : tensor<2xf32>
relay.func @one(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = relay.add %x, %y {cold} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  relay.return %0 : tensor<2xf32>
}

// CHECK-LABEL: knossos.func @two(
// CHECK: call @two_outlined_0(%{{.*}}) : (f32) -> f32
// CHECK: knossos.func private @two_outlined_0(
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: return
knossos.func @two(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x {cold} : f32
  knossos.return %0 : f32
}

// A function of this kind has one value, so several ones become a tuple.
// CHECK-LABEL: knossos.func @several(
// CHECK: %[[T:.*]] = call @several_outlined_0(%{{.*}}) : (i64) -> tuple<i64, i1>
// CHECK-NEXT: %[[V:.*]] = get %[[T]][0]
// CHECK: return %[[V]]
// CHECK: knossos.func private @several_outlined_0(%[[X:.*]]: i64) -> tuple<i64, i1> {
// CHECK-NEXT: %[[S:.*]], %[[O:.*]] = arith.addui_extended %[[X]], %[[X]]
// CHECK-NEXT: %[[T:.*]] = tuple(%[[S]], %[[O]])
// CHECK-NEXT: return %[[T]]
knossos.func @several(%x: i64) -> i64 {
  %0, %1 = arith.addui_extended %x, %x {cold} : i64, i1
  knossos.return %0 : i64
}
