// RUN: %kopt %s --relay-combine-parallel-batch-matmul | FileCheck %s

// The weights are arguments; their rows are the columns of the result.
// CHECK-LABEL: relay.func @batches
// CHECK: concatenate {{.*}}axis = 1{{.*}} -> tensor<2x7x4xf32>
// CHECK: relay.nn.batch_matmul {{.*}} -> tensor<2x3x7xf32>
// CHECK-NOT: relay.nn.batch_matmul
// CHECK: split {{.*}}axis = 2
// CHECK: return
relay.func @batches(%x: tensor<2x3x4xf32>, %a: tensor<2x2x4xf32>, %b: tensor<2x2x4xf32>, %c: tensor<2x3x4xf32>) -> tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>> {
  %q = relay.nn.batch_matmul %x, %a {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x2x4xf32>) -> tensor<2x3x2xf32>
  %k = relay.nn.batch_matmul %x, %b {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x2x4xf32>) -> tensor<2x3x2xf32>
  %v = relay.nn.batch_matmul %x, %c {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
  %r = relay.tuple(%q, %k, %v) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>) -> tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>>
  relay.return %r : tuple<tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x3xf32>>
}
