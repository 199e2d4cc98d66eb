// An operation may write a part of its output: the rest keeps the elements, and the tangents, of the operand that it updates.
// RUN: %kc run %s --entry fw --inputs '[[1, 2], [[1, 1], [1, 1]], [1, 1], [[5, 6], [7, 8]]]' | FileCheck %s --check-prefix=FORWARD
// RUN: %kc run %s --entry fw --inputs '[[1, 2], [[1, 1], [1, 1]], [1, 1], [[5, 6], [7, 8]]]' --backend interpret | FileCheck %s --check-prefix=FORWARD
// FORWARD: {{\[\[2, 6\], \[7, 4\]\]}}
// RUN: %kc run %s --entry rv --inputs '[[1, 2], [[1, 1], [1, 1]], [[5, 6], [7, 8]]]' | FileCheck %s --check-prefix=REVERSE
// REVERSE: ([10, 32], {{\[\[0, 6\], \[7, 0\]\]}})
// RUN: %kc run %s --entry shifted --inputs '[[1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]' | FileCheck %s --check-prefix=SHIFTED
// SHIFTED: ([4, 12, 24], [1, 0, 0, 0, 5])
// RUN: %kc run %s --entry fresh --inputs '[[1, 2], [1, 1]]' | FileCheck %s --check-prefix=FRESH
// FRESH: {{\[\[2, 0\], \[0, 4\]\]}}
func.func private @f(%x: tensor<?xf64>, %o: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf64>) outs(%o : tensor<?x?xf64>) {
  ^bb0(%in: f64, %out: f64):
    %s = arith.mulf %in, %in : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
func.func @fw(%x: tensor<?xf64>, %o: tensor<?x?xf64>, %dx: tensor<?xf64>, %do: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %t = diff.fwd @f(%x, %o)(%dx, %do) : (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %t : tensor<?x?xf64>
}
func.func @rv(%x: tensor<?xf64>, %o: tensor<?x?xf64>, %ct: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %t, %u = diff.rev @f(%x, %o)(%ct) : (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %t, %u : tensor<?xf64>, tensor<?x?xf64>
}
func.func private @g(%x: tensor<3xf64>, %o: tensor<5xf64>) -> tensor<5xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf64>) outs(%o : tensor<5xf64>) {
  ^bb0(%in: f64, %out: f64):
    %s = arith.mulf %in, %in : f64
    linalg.yield %s : f64
  } -> tensor<5xf64>
  return %r : tensor<5xf64>
}
func.func @shifted(%x: tensor<3xf64>, %o: tensor<5xf64>, %ct: tensor<5xf64>) -> (tensor<3xf64>, tensor<5xf64>) {
  %t, %u = diff.rev @g(%x, %o)(%ct) : (tensor<3xf64>, tensor<5xf64>, tensor<5xf64>) -> (tensor<3xf64>, tensor<5xf64>)
  return %t, %u : tensor<3xf64>, tensor<5xf64>
}
func.func private @h(%x: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %z = arith.constant 0.0 : f64
  %e = tensor.empty(%n, %n) : tensor<?x?xf64>
  %o = linalg.fill ins(%z : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = func.call @f(%x, %o) : (tensor<?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
func.func @fresh(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> tensor<?x?xf64> {
  %t = diff.fwd @h(%x)(%dx) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %t : tensor<?x?xf64>
}
