func.func @rank(%t: tensor<?x?xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<?x?xf32>
  return %r : f32
}

func.func @sizes() {
  %r = tensor.empty() : tensor<?xf32>
  return
}

func.func @cast(%t: tensor<2xf32>) {
  %r = tensor.cast %t : tensor<2xf32> to tensor<3xf32>
  return
}

func.func @slices(%t: tensor<8x4xf32>, %s: tensor<3x1xf32>) {
  %0 = tensor.extract_slice %t[0, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<3xf32>
  %1 = tensor.extract_slice %t[0] [4] [1] : tensor<8x4xf32> to tensor<4xf32>
  %2 = tensor.extract_slice %t[6, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<4x1xf32>
  %3 = tensor.insert_slice %s into %t[0, 0] [4, 1] [1, 1] : tensor<3x1xf32> into tensor<8x4xf32>
  return
}

func.func @reshapes(%t: tensor<8x4xf32>, %s: tensor<32xf32>, %e: tensor<3xindex>) {
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<8x4xf32> into tensor<32xf32>
  %1 = tensor.collapse_shape %t [[1, 0]] : tensor<8x4xf32> into tensor<32xf32>
  %2 = tensor.expand_shape %s [[0, 1]] output_shape [8, 5] : tensor<32xf32> into tensor<8x5xf32>
  %3 = tensor.reshape %t(%e) : (tensor<8x4xf32>, tensor<3xindex>) -> tensor<?x?xf32>
  %4 = tensor.concat dim(3) %t, %t : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %5 = tensor.bitcast %t : tensor<8x4xf32> to tensor<8x4xf64>
  return
}

func.func @places(%t: tensor<8x4xf32>, %at: tensor<3x1xindex>, %u: tensor<3x4xf32>) {
  %0 = tensor.gather %t[%at] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x2xf32>
  %1 = tensor.scatter %u into %t[%at] scatter_dims([0]) : (tensor<3x4xf32>, tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<8x4xf32>
  return
}

func.func @pad(%t: tensor<8x4xf32>, %x: f32) {
  %0 = tensor.pad %t low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<8x4xf32> to tensor<8x4xf32>
  return
}
