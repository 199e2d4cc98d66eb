func.func @scale(%s: tensor<f32>, %v: tensor<3xf32>) -> tensor<3xf32> {
  %k = tensor.extract %s[] : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%v : tensor<3xf32>) outs(%v : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %k : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
