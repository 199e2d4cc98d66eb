// RUN: not %kopt %s 2>&1 | FileCheck %s

relay.func @shapes(%x: tensor<2x4xf32>, %y: tensor<3xf32>) -> tensor<2x4xf32> {
  // CHECK: error: 'relay.add' op add cannot broadcast Tensor[(2, 4), float32] and Tensor[(3), float32]: 4 is neither 3 nor 1
  %0 = relay.add %x, %y : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  relay.return %0 : tensor<2x4xf32>
}

relay.func @result(%x: tensor<2x4xf32>) -> tensor<4xf32> {
  // CHECK: error: 'relay.sum' op must give Tensor[(2), float32], but its result is of type Tensor[(4), float32]
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<2x4xf32>) -> tensor<4xf32>
  relay.return %0 : tensor<4xf32>
}

relay.func @attributes(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  // CHECK: error: 'relay.nn.dense' op nn.dense needs the attribute 'units': an integer
  %0 = relay.nn.dense %x, %w : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  // CHECK: error: 'relay.nn.dense' op attribute 'units' of nn.dense must be an integer, but is "3"
  %1 = relay.nn.dense %x, %w {units = "3"} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  relay.return %0 : tensor<2x3xf32>
}

relay.func @values(%x: tensor<2xindex>) -> tensor<2xf32> {
  // CHECK: error: 'relay.exp' op operand #0 must be a Relay value
  %0 = relay.exp %x : (tensor<2xindex>) -> tensor<2xf32>
  relay.return %0 : tensor<2xf32>
}

relay.func @regions(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // CHECK: error: 'relay.if' op region #1 must yield tensor<f32>, but yields tensor<i1>
  %0 = relay.if %c {
    relay.yield %x : tensor<f32>
  } else {
    relay.yield %c : tensor<i1>
  } : tensor<i1> -> tensor<f32>
  relay.return %0 : tensor<f32>
}

// CHECK: error: 'relay.func' op must return a value of type tensor<f32>
relay.func @returns(%c: tensor<i1>) -> tensor<f32> {
  relay.return %c : tensor<i1>
}
