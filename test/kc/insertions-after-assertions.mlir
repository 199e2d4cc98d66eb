// An assertion between the computation of a part and its insertion may be what ensures that the part is in bounds.
// RUN: not %kc run %s --inputs "[[1,2,3,4],100000000]" 2>&1 | FileCheck %s
// RUN: not %kc run %s --inputs "[[1,2,3,4],100000000]" --backend interpret 2>&1 | FileCheck %s
// RUN: %kc run %s --inputs "[[0,0,0,0],4]" | FileCheck %s --check-prefix=VALUE
// CHECK: error: the part is out of bounds
// VALUE: 0, 0, 0, 0, 1, 1, 1, 1
func.func @main(%x: tensor<4xf32>, %i: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4 : index
  %te = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%zero : f32) outs(%te : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = math.exp %a : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %ok = arith.cmpi ule, %i, %four : index
  cf.assert %ok, "the part is out of bounds"
  %s = tensor.insert_slice %r into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %s : tensor<8xf32>
}
