// RUN: %kopt --pass-pipeline='builtin.module(lower)' %s | FileCheck %s

// The product of narrow integers is a contraction of them, and the zero point of the data is subtracted from the sums.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi8> {{{.*}}}, %[[W:[a-z0-9]+]]: tensor<3x4xi8>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : tensor<2x4xi8>, tensor<3x4xi8>) outs(%{{.+}} : tensor<2x3xi32>)
// CHECK-NEXT: ^{{.+}}(%[[A:.+]]: i8, %[[B:.+]]: i8, %[[SUM:.+]]: i32):
// CHECK-NEXT: %[[A32:.+]] = arith.extui %[[A]] : i8 to i32
// CHECK-NEXT: %[[B32:.+]] = arith.extsi %[[B]] : i8 to i32
// CHECK-NEXT: %[[P:.+]] = arith.muli %[[A32]], %[[B32]] : i32
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[SUM]], %[[P]] : i32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.muli
// CHECK-NEXT: arith.subi
relay.func @dense(%x: tensor<2x4xui8>, %w: tensor<3x4xi8>) -> tensor<2x3xi32> {
  %zx = relay.constant dense<3> : tensor<i32>
  %zw = relay.constant dense<0> : tensor<i32>
  %s = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.qnn.dense %x, %w, %zx, %zw, %s, %s {units = 3 : i64, out_dtype = "int32"} : (tensor<2x4xui8>, tensor<3x4xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x3xi32>
  relay.return %0 : tensor<2x3xi32>
}
