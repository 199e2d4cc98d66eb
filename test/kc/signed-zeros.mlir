// The maximum of zeros of both signs is the positive zero and their minimum the negative one, in vectors as in scalars.
// RUN: %kc run %s --backend jit --inputs '[[[-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,0.0],[0.0,0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0]]]' | FileCheck %s
// RUN: %kc run %s --backend interpret --inputs '[[[-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,0.0],[0.0,0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0,-0.0]]]' | FileCheck %s
// The reciprocals of the elementwise maxima and minima with the other row, and of the maxima and minima of rows.
// CHECK: ([inf, inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, inf],
// CHECK-SAME: [-inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf],
// CHECK-SAME: [inf, inf], [-inf, -inf])
#row = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
module {
  func.func @main(%x: tensor<2x17xf32>) -> (tensor<17xf32>, tensor<17xf32>, tensor<2xf32>, tensor<2xf32>) {
    %one = arith.constant 1.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %greatest = arith.constant 0x7F800000 : f32
    %empty = tensor.empty() : tensor<17xf32>
    %short = tensor.empty() : tensor<2xf32>
    %a = tensor.extract_slice %x[0, 0] [1, 17] [1, 1] : tensor<2x17xf32> to tensor<17xf32>
    %b = tensor.extract_slice %x[1, 0] [1, 17] [1, 1] : tensor<2x17xf32> to tensor<17xf32>
    %max = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : tensor<17xf32>, tensor<17xf32>) outs(%empty : tensor<17xf32>) {
    ^bb0(%l: f32, %r: f32, %out: f32):
      %m = arith.maximumf %l, %r : f32
      %inverse = arith.divf %one, %m : f32
      linalg.yield %inverse : f32
    } -> tensor<17xf32>
    %min = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : tensor<17xf32>, tensor<17xf32>) outs(%empty : tensor<17xf32>) {
    ^bb0(%l: f32, %r: f32, %out: f32):
      %m = arith.minimumf %l, %r : f32
      %inverse = arith.divf %one, %m : f32
      linalg.yield %inverse : f32
    } -> tensor<17xf32>
    %from_least = linalg.fill ins(%least : f32) outs(%short : tensor<2xf32>) -> tensor<2xf32>
    %from_greatest = linalg.fill ins(%greatest : f32) outs(%short : tensor<2xf32>) -> tensor<2xf32>
    %largest = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x17xf32>) outs(%from_least : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %out, %in : f32
      linalg.yield %m : f32
    } -> tensor<2xf32>
    %smallest = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x17xf32>) outs(%from_greatest : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.minimumf %out, %in : f32
      linalg.yield %m : f32
    } -> tensor<2xf32>
    %upper = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%largest : tensor<2xf32>) outs(%short : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %inverse = arith.divf %one, %in : f32
      linalg.yield %inverse : f32
    } -> tensor<2xf32>
    %lower = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%smallest : tensor<2xf32>) outs(%short : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %inverse = arith.divf %one, %in : f32
      linalg.yield %inverse : f32
    } -> tensor<2xf32>
    return %max, %min, %upper, %lower : tensor<17xf32>, tensor<17xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
