// A table that is computed from indices alone, and read by two operations of a kernel, is stored: it differs from point to point.
// RUN: %kc run %s --entry rows --inputs "[[[1, 2, 3], [4, 5, 6]]]" | FileCheck %s
// RUN: %kc run %s --entry rows --inputs "[[[1, 2, 3], [4, 5, 6]]]" --backend interpret | FileCheck %s
// RUN: %kc run %s --entry generated --inputs "[[[1, 2, 3], [4, 5, 6]]]" | FileCheck %s
// RUN: %kc run %s --entry generated --inputs "[[[1, 2, 3], [4, 5, 6]]]" --backend interpret | FileCheck %s
// CHECK: {{\[\[}}0, 8, 16], [32, 64, 96]]
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
func.func @rows(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  %table = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<?x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sum = arith.addi %i, %j : index
    %int = arith.index_cast %sum : index to i64
    %float = arith.sitofp %int : i64 to f32
    linalg.yield %float : f32
  } -> tensor<?x3xf32>
  %y = func.call @weigh(%x, %table) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @generated(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %table = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %int = arith.index_cast %sum : index to i64
    %float = arith.sitofp %int : i64 to f32
    tensor.yield %float : f32
  } : tensor<?x3xf32>
  %y = func.call @weigh(%x, %table) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// Row sums of products with a table, times the table.
func.func private @weigh(%x: tensor<?x3xf32>, %table: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#m, #m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x, %table : tensor<?x3xf32>, tensor<?x3xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %o, %product fastmath<reassoc> : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  %y = linalg.generic {indexing_maps = [#r, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %table : tensor<?xf32>, tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
