// A result whose elements are not all computed keeps those of the output, although the computation does not read them: here the
// reduction has no points.
// RUN: %kc run %s --entry main --inputs '[[1, 2], [], [5, 6]]' | FileCheck %s --check-prefix=NONE
// RUN: %kc run %s --entry main --inputs '[[1, 2], [], [5, 6]]' --schedule=off | FileCheck %s --check-prefix=NONE
// RUN: %kc run %s --entry main --inputs '[[1, 2], [], [5, 6]]' --backend interpret-buffers | FileCheck %s --check-prefix=NONE
// RUN: %kc run %s --entry main --inputs '[[1, 2], [], [5, 6]]' --backend interpret | FileCheck %s --check-prefix=NONE
// NONE: ([5, 6], [6, 5], [5, 6])
// RUN: %kc run %s --entry main --inputs '[[1, 2], [3, 4], [5, 6]]' | FileCheck %s --check-prefix=SOME
// RUN: %kc run %s --entry main --inputs '[[1, 2], [3, 4], [5, 6]]' --backend interpret | FileCheck %s --check-prefix=SOME
// SOME: ([1, 2], [2, 1], [5, 6])
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#back = affine_map<(i) -> (-i + 1)>
#same = affine_map<(i) -> (i)>
func.func @main(%x: tensor<2xi32>, %y: tensor<?xi32>, %old: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<2xi32>, tensor<?xi32>) outs(%old : tensor<2xi32>) {
    ^bb0(%a: i32, %b: i32, %out: i32):
      linalg.yield %a : i32
  } -> tensor<2xi32>
  %1 = linalg.generic {indexing_maps = [#back, #same], iterator_types = ["parallel"]}
      ins(%0 : tensor<2xi32>) outs(%old : tensor<2xi32>) {
    ^bb0(%a: i32, %out: i32):
      linalg.yield %a : i32
  } -> tensor<2xi32>
  return %0, %1, %old : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
