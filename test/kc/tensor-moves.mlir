// Operations that move parts of tensors run as machine code.
// RUN: %kc run %s --format=json | FileCheck %s
// CHECK: {"tuple":{{\[\[\[}}0.0,1.0,2.0,0.0],[0.0,3.0,4.0,0.0]],[1.0,2.0,1.0,2.0,3.0,4.0],[1065353216,1073741824],[2.0,4.0]]}
func.func @main() -> (tensor<2x4xf32>, tensor<?xf32>, tensor<2xi32>, tensor<2xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %four = arith.constant 4.0 : f32
  %a = tensor.from_elements %one, %two : tensor<2xf32>
  %b = tensor.from_elements %one, %two, %three, %four : tensor<4xf32>
  %m = tensor.expand_shape %b [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %p = tensor.pad %m low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c0 : f32
  } : tensor<2x2xf32> to tensor<2x4xf32>
  %d = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %c = tensor.concat dim(0) %a, %d : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  %bits = tensor.bitcast %a : tensor<2xf32> to tensor<2xi32>
  %s = tensor.extract_slice %m[0, 1] [%c2, 1] [1, 1] : tensor<2x2xf32> to tensor<?xf32>
  %t = tensor.cast %s : tensor<?xf32> to tensor<2xf32>
  return %p, %c, %bits, %t : tensor<2x4xf32>, tensor<?xf32>, tensor<2xi32>, tensor<2xf32>
}
