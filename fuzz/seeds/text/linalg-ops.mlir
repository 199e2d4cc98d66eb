#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

func.func @sum(%v: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%v : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %a: f32):
    %s = arith.addf %a, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
