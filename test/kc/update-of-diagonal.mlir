// A sum over the rows of a matrix that is added to a diagonal, or to one row, keeps the other initial elements.
// RUN: python3 -c "print([[[1.0] * 64] * 16])" > %t.json
// RUN: %kc run %s --inputs %t.json | FileCheck %s
// RUN: %kc run %s --inputs %t.json --schedule=off | FileCheck %s
// RUN: %kc run %s --inputs %t.json --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --inputs %t.json --backend interpret | FileCheck %s
// CHECK: ({{\[}}[69, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
// CHECK-SAME: [5, 69, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
// CHECK-SAME: [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 69]], {{\[}}[69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69], [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]])
#rows = affine_map<(d0, d1) -> (d0, d1)>
#diagonal = affine_map<(d0, d1) -> (d0, d0)>
#first = affine_map<(d0, d1) -> (0, d0)>
func.func @main(%x: tensor<16x64xf32>) -> (tensor<16x16xf32>, tensor<2x16xf32>) {
  %five = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %fives = linalg.fill ins(%five : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %on_diagonal = linalg.generic {indexing_maps = [#rows, #diagonal], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%fives : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %sum : f32
  } -> tensor<16x16xf32>
  %e2 = tensor.empty() : tensor<2x16xf32>
  %fives2 = linalg.fill ins(%five : f32) outs(%e2 : tensor<2x16xf32>) -> tensor<2x16xf32>
  %in_row = linalg.generic {indexing_maps = [#rows, #first], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%fives2 : tensor<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %sum : f32
  } -> tensor<2x16xf32>
  return %on_diagonal, %in_row : tensor<16x16xf32>, tensor<2x16xf32>
}
