// Elements of sparse constants are read, those that are not listed too.
func.func @f() -> (f32, f32, i8, tensor<2x2xf32>, f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = arith.constant sparse<[[0, 0], [1, 1]], [-5.0, -2.0]> : tensor<4x4xf32>
  %1 = tensor.extract %0[%c0, %c1] : tensor<4x4xf32>
  %d = arith.constant sparse<[[0, 0], [1, 1]], -2.0> : tensor<2x2xf32>
  %2 = tensor.extract %d[%c0, %c0] : tensor<2x2xf32>
  %e = arith.constant sparse<[0], 3> : tensor<100000xi8>
  %3 = tensor.extract %e[%c0] : tensor<100000xi8>
  %4 = arith.addf %d, %d : tensor<2x2xf32>
  %g = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %5 = tensor.extract %g[%c1] : tensor<2xf32>
  return %1, %2, %3, %4, %5 : f32, f32, i8, tensor<2x2xf32>, f32
}
