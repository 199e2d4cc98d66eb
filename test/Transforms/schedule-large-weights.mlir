// A convolution whose strip of weights for 32 channels does not fit the second cache has a tile that loads fewer weights for each
// product, although it computes more of the 13 positions of a row again.

// RUN: %kc build %s --target-cpu=znver3 --entry large --emit=schedule | FileCheck %s --check-prefix=LARGE
// RUN: %kc build %s --target-cpu=znver3 --entry small --emit=schedule | FileCheck %s --check-prefix=SMALL
// LARGE: sum[k:5u, l:16v]
// SMALL: sum[k:2u, l:32v]
#image = affine_map<(n, h, w, o, kh, kw, c) -> (n, h + kh, w + kw, c)>
#weights = affine_map<(n, h, w, o, kh, kw, c) -> (kh, kw, c, o)>
#result = affine_map<(n, h, w, o, kh, kw, c) -> (n, h, w, o)>
#window = {indexing_maps = [#image, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
func.func @large(%a: tensor<1x15x15x512xf32>, %w: tensor<3x3x512x1024xf32>) -> tensor<1x13x13x1024xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x13x13x1024xf32>
  %0 = linalg.generic #window
      ins(%a, %w : tensor<1x15x15x512xf32>, tensor<3x3x512x1024xf32>) outs(%zero : tensor<1x13x13x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %o, %p fastmath<reassoc,contract> : f32
    linalg.yield %s : f32
  } -> tensor<1x13x13x1024xf32>
  return %0 : tensor<1x13x13x1024xf32>
}

func.func @small(%a: tensor<1x15x15x16xf32>, %w: tensor<3x3x16x1024xf32>) -> tensor<1x13x13x1024xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x13x13x1024xf32>
  %0 = linalg.generic #window
      ins(%a, %w : tensor<1x15x15x16xf32>, tensor<3x3x16x1024xf32>) outs(%zero : tensor<1x13x13x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %o, %p fastmath<reassoc,contract> : f32
    linalg.yield %s : f32
  } -> tensor<1x13x13x1024xf32>
  return %0 : tensor<1x13x13x1024xf32>
}
