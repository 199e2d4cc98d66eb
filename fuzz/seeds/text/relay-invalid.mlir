relay.func @shapes(%x: tensor<2x4xf32>, %y: tensor<3xf32>) -> tensor<2x4xf32> {
  %0 = relay.add %x, %y : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  relay.return %0 : tensor<2x4xf32>
}

relay.func @result(%x: tensor<2x4xf32>) -> tensor<4xf32> {
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<2x4xf32>) -> tensor<4xf32>
  relay.return %0 : tensor<4xf32>
}

relay.func @attributes(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %1 = relay.nn.dense %x, %w {units = "3"} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  relay.return %0 : tensor<2x3xf32>
}

relay.func @values(%x: tensor<2xindex>) -> tensor<2xf32> {
  %0 = relay.exp %x : (tensor<2xindex>) -> tensor<2xf32>
  relay.return %0 : tensor<2xf32>
}

relay.func @regions(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = relay.if %c {
    relay.yield %x : tensor<f32>
  } else {
    relay.yield %c : tensor<i1>
  } : tensor<i1> -> tensor<f32>
  relay.return %0 : tensor<f32>
}

relay.func @returns(%c: tensor<i1>) -> tensor<f32> {
  relay.return %c : tensor<i1>
}
