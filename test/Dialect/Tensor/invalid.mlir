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
