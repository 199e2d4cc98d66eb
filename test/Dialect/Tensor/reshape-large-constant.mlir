// RUN: %kopt %s --canonicalize | FileCheck %s
// A reshape of a constant is a constant, whatever its size: weights of networks have millions of elements.
// CHECK-LABEL: func.func @collapse
// CHECK-NOT: tensor.collapse_shape
// CHECK: arith.constant dense<{{.*}}> : tensor<393216xi8>
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @collapse() -> tensor<393216xi8> {
  %splat = arith.constant dense<3> : tensor<512x768xi8>
  %flat = tensor.collapse_shape %splat [[0, 1]] : tensor<512x768xi8> into tensor<393216xi8>
  return %flat : tensor<393216xi8>
}

// CHECK-LABEL: func.func @expand
// CHECK-NOT: tensor.expand_shape
// CHECK: arith.constant dense<{{\[\[}}1, 2], [3, 4{{\]\]}}> : tensor<2x2xi8>
// CHECK: return
func.func @expand() -> tensor<2x2xi8> {
  %numbers = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %square = tensor.expand_shape %numbers [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>
  return %square : tensor<2x2xi8>
}
