// RUN: %kopt %s --relay-combine-parallel-dense | FileCheck %s

// Three products of the same data are one.
// CHECK-LABEL: relay.func @heads
// CHECK: relay.nn.dense {{.*}} -> tensor<2x6xf32>
// CHECK-NOT: relay.nn.dense
// CHECK: split
// CHECK: return
relay.func @heads(%x: tensor<2x3xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>> {
  %a = relay.constant dense<1.0> : tensor<2x3xf32>
  %b = relay.constant dense<2.0> : tensor<2x3xf32>
  %c = relay.constant dense<3.0> : tensor<2x3xf32>
  %q = relay.nn.dense %x, %a {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %k = relay.nn.dense %x, %b {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %v = relay.nn.dense %x, %c {units = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %t = relay.tuple(%q, %k, %v) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>>
  relay.return %t : tuple<tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>>
}
