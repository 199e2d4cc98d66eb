// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @rank(%t: tensor<?x?xf32>, %i: index) -> f32 {
  // CHECK: error: 'tensor.extract' op incorrect number of indices for extract_element
  %r = tensor.extract %t[%i] : tensor<?x?xf32>
  return %r : f32
}

func.func @sizes() {
  // CHECK: error: 'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1
  %r = tensor.empty() : tensor<?xf32>
  return
}

func.func @cast(%t: tensor<2xf32>) {
  // CHECK: error: 'tensor.cast' op operand type 'tensor<2xf32>' and result type 'tensor<3xf32>' are cast incompatible
  %r = tensor.cast %t : tensor<2xf32> to tensor<3xf32>
  return
}

func.func @slices(%t: tensor<8x4xf32>, %s: tensor<3x1xf32>) {
  // CHECK: error: expected type to be 'tensor<4x1xf32>' or a rank-reduced version. (size mismatch)
  %0 = tensor.extract_slice %t[0, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<3xf32>
  // CHECK: error: expected 2 offset values, got 1
  %1 = tensor.extract_slice %t[0] [4] [1] : tensor<8x4xf32> to tensor<4xf32>
  // CHECK: error: slice along dimension 0 runs out-of-bounds: 9 >= 8
  %2 = tensor.extract_slice %t[6, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<4x1xf32>
  // CHECK: error: expected type to be 'tensor<4x1xf32>' or a rank-reduced version. (size mismatch)
  %3 = tensor.insert_slice %s into %t[0, 0] [4, 1] [1, 1] : tensor<3x1xf32> into tensor<8x4xf32>
  return
}

func.func @reshapes(%t: tensor<8x4xf32>, %s: tensor<32xf32>, %e: tensor<3xindex>) {
  // CHECK: error: 'tensor.collapse_shape' op expected collapsed rank (1) to equal the number of reassociation maps (2).
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<8x4xf32> into tensor<32xf32>
  // CHECK: error: 'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.
  %1 = tensor.collapse_shape %t [[1, 0]] : tensor<8x4xf32> into tensor<32xf32>
  // CHECK: error: 'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 40
  %2 = tensor.expand_shape %s [[0, 1]] output_shape [8, 5] : tensor<32xf32> into tensor<8x5xf32>
  // CHECK: error: 'tensor.reshape' op length of shape operand differs from the result's tensor rank
  %3 = tensor.reshape %t(%e) : (tensor<8x4xf32>, tensor<3xindex>) -> tensor<?x?xf32>
  // CHECK: error: 'tensor.concat' op concatenation dim must be less than the tensor rank
  %4 = tensor.concat dim(3) %t, %t : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  // CHECK: error: 'tensor.bitcast' op operand type 'tensor<8x4xf32>' and result type 'tensor<8x4xf64>' are cast incompatible
  %5 = tensor.bitcast %t : tensor<8x4xf32> to tensor<8x4xf64>
  return
}

func.func @places(%t: tensor<8x4xf32>, %at: tensor<3x1xindex>, %u: tensor<3x4xf32>) {
  // CHECK: error: 'tensor.gather' op result type mismatch: expected 'tensor<3x1x4xf32>' or its rank-reduced variant 'tensor<3x4xf32>' (got: 'tensor<3x2xf32>')
  %0 = tensor.gather %t[%at] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x2xf32>
  // CHECK: error: 'tensor.scatter' op requires 'unique' attribute to be set
  %1 = tensor.scatter %u into %t[%at] scatter_dims([0]) : (tensor<3x4xf32>, tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<8x4xf32>
  return
}

func.func @pad(%t: tensor<8x4xf32>, %x: f32) {
  // CHECK: error: specified type 'tensor<8x4xf32>' does not match the inferred type 'tensor<8x5xf32>'
  %0 = tensor.pad %t low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<8x4xf32> to tensor<8x4xf32>
  return
}
