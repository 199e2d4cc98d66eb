func.func @tensors(%n: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = tensor.splat %x[%n] : tensor<?xf32>
  %i = tensor.insert %x into %s[%c0] : tensor<?xf32>
  %d = tensor.dim %i, %c0 : tensor<?xf32>
  %g = tensor.generate %d {
  ^bb0(%j: index):
    %y = tensor.extract %i[%j] : tensor<?xf32>
    tensor.yield %y : f32
  } : tensor<?xf32>
  %f = tensor.from_elements %x, %x : tensor<2xf32>
  %c = tensor.cast %f : tensor<2xf32> to tensor<?xf32>
  %z = tensor.extract %c[%c0] : tensor<?xf32>
  return %g, %z : tensor<?xf32>, f32
}
