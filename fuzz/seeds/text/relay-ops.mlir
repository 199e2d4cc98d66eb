relay.func @dataflow(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tuple<tensor<2x4xf32>, tensor<ui8>> {
  %0 = relay.nn.dense %x, %w {units = 4 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = relay.sum %0 {axis = array<i64: 1>, keepdims = true} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = relay.strided_slice %1 {begin = array<i64: 0>, end = array<i64: 1>, strides, axes} : (tensor<2x1xf32>) -> tensor<1x1xf32>
  %3 = relay.zeros {shape = array<i64: 2, 4>, dtype = "float32"} : () -> tensor<2x4xf32>
  %4 = relay.constant dense<200> : tensor<ui8>
  %5 = relay.tuple(%0, %4) : (tensor<2x4xf32>, tensor<ui8>) -> tuple<tensor<2x4xf32>, tensor<ui8>>
  %6 = relay.get %5[1] : tuple<tensor<2x4xf32>, tensor<ui8>>
  relay.return %5 : tuple<tensor<2x4xf32>, tensor<ui8>>
}

relay.func private @control(%c: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = relay.if %c {
    %1 = relay.call @control(%c, %x) : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
    relay.yield %1 : tensor<?xf32>
  } else {
    relay.yield %x : tensor<?xf32>
  } : tensor<i1> -> tensor<?xf32>
  relay.return %0 : tensor<?xf32>
}
