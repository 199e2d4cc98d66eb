// Operations on tensors that other compilers produce: elementwise ones, softmax, tiled layouts, parallel loops.
// RUN: %kc run %s --entry sm --backend jit --inputs '[[[1,2,3],[4,5,6]]]' | FileCheck %s --check-prefix=SOFTMAX
// RUN: %kc run %s --entry sm --backend interpret --inputs '[[[1,2,3],[4,5,6]]]' | FileCheck %s --check-prefix=SOFTMAX
// RUN: %kc run %s --entry sm --backend interpret-buffers --inputs '[[[1,2,3],[4,5,6]]]' | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX: {{\[\[}}0.04742587317756679, 0.04742587317756679, 0.04742587317756679], [0.9525741268224334, 0.9525741268224334, 0.9525741268224334]]

// RUN: %kc run %s --entry packed --backend jit --inputs '[[[1,2,3,4,5,6,7],[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]], 2]' | FileCheck %s --check-prefix=PACK
// RUN: %kc run %s --entry packed --backend interpret --inputs '[[[1,2,3,4,5,6,7],[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]], 2]' | FileCheck %s --check-prefix=PACK
// RUN: %kc run %s --entry packed --backend interpret-buffers --inputs '[[[1,2,3,4,5,6,7],[1,2,3,4,5,6,7],[1,2,3,4,5,6,7]], 2]' | FileCheck %s --check-prefix=PACK
// PACK: {{\[\[\[\[}}1, 1], [2, 2], [3, 3], [4, 4]], {{\[\[}}1, -1], [2, -1], [3, -1], [4, -1]]], {{\[\[\[}}5, 5], [6, 6], [7, 7], [-1, -1]], {{\[\[}}5, -1], [6, -1], [7, -1], [-1, -1]]]]

// RUN: %kc run %s --entry there_and_back --backend jit --inputs '[[[1,2,3,4,5,6,7],[8,9,1,2,3,4,5],[6,7,8,9,1,2,3]]]' | FileCheck %s --check-prefix=UNPACK
// RUN: %kc run %s --entry there_and_back --backend interpret --inputs '[[[1,2,3,4,5,6,7],[8,9,1,2,3,4,5],[6,7,8,9,1,2,3]]]' | FileCheck %s --check-prefix=UNPACK
// RUN: %kc run %s --entry there_and_back --backend interpret-buffers --inputs '[[[1,2,3,4,5,6,7],[8,9,1,2,3,4,5],[6,7,8,9,1,2,3]]]' | FileCheck %s --check-prefix=UNPACK
// UNPACK: {{\[\[}}1, 2, 3, 4, 5, 6, 7], [8, 9, 1, 2, 3, 4, 5], [6, 7, 8, 9, 1, 2, 3]]

// RUN: %kc run %s --entry tiles --backend jit --inputs '[[[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]],[[1,2,3,4,5],[1,2,3,4,5],[2,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,6]]]' | FileCheck %s --check-prefix=FORALL
// RUN: %kc run %s --entry tiles --backend interpret --inputs '[[[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]],[[1,2,3,4,5],[1,2,3,4,5],[2,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,6]]]' | FileCheck %s --check-prefix=FORALL
// RUN: %kc run %s --entry tiles --backend interpret-buffers --inputs '[[[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]],[[1,2,3,4,5],[1,2,3,4,5],[2,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,6]]]' | FileCheck %s --check-prefix=FORALL
// FORALL: ({{\[\[}}2, 4, 6, 8, 10], [2, 4, 6, 8, 10], [3, 4, 6, 8, 10], [2, 4, 6, 8, 10], [2, 4, 6, 8, 10], [2, 4, 6, 8, 11]], [2, 2, 3, 2, 2, 2])

// RUN: %kc run %s --entry many --backend jit --inputs '[[1,2,3],[2,2,2],true]' | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: %kc run %s --entry many --backend interpret --inputs '[[1,2,3],[2,2,2],true]' | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: %kc run %s --entry many --backend interpret-buffers --inputs '[[1,2,3],[2,2,2],true]' | FileCheck %s --check-prefix=ELEMENTWISE
// ELEMENTWISE: [2, 6, 7]

// RUN: %kc run %s --entry gathered --backend jit --inputs '[[[1,2,3],[4,5,6],[7,8,9]],[[[2],[0]],[[1],[1]]]]' | FileCheck %s --check-prefix=GATHER
// RUN: %kc run %s --entry gathered --backend interpret --inputs '[[[1,2,3],[4,5,6],[7,8,9]],[[[2],[0]],[[1],[1]]]]' | FileCheck %s --check-prefix=GATHER
// RUN: %kc run %s --entry gathered --backend interpret-buffers --inputs '[[[1,2,3],[4,5,6],[7,8,9]],[[[2],[0]],[[1],[1]]]]' | FileCheck %s --check-prefix=GATHER
// GATHER: ({{\[\[\[}}7, 8, 9], [1, 2, 3]], {{\[\[}}4, 5, 6], [4, 5, 6]]], {{\[\[\[}}7], [1]], {{\[\[}}4], [4]]], {{\[\[}}9, 8]])

// RUN: %kc run %s --entry scattered --backend jit --inputs '[[[[10,20,30]],[[40,50,60]]],[[1,2,3],[4,5,6],[7,8,9]],[[2],[0]]]' | FileCheck %s --check-prefix=SCATTER
// RUN: %kc run %s --entry scattered --backend interpret --inputs '[[[[10,20,30]],[[40,50,60]]],[[1,2,3],[4,5,6],[7,8,9]],[[2],[0]]]' | FileCheck %s --check-prefix=SCATTER
// RUN: %kc run %s --entry scattered --backend interpret-buffers --inputs '[[[[10,20,30]],[[40,50,60]]],[[1,2,3],[4,5,6],[7,8,9]],[[2],[0]]]' | FileCheck %s --check-prefix=SCATTER
// SCATTER: {{\[\[}}40, 50, 60], [4, 5, 6], [10, 20, 30]]

// An operation that has no lowering only matters to the functions that reach it.
func.func @unsupported(%a: tensor<*xf32>) -> tensor<*xf32> {
  %0 = math.exp %a : tensor<*xf32>
  return %0 : tensor<*xf32>
}
func.func @sm(%a: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x3xf64>
  %d = tensor.empty(%n) : tensor<?x3xf64>
  %p = linalg.softmax dimension(0) ins(%a : tensor<?x3xf64>) outs(%d : tensor<?x3xf64>) -> tensor<?x3xf64>
  return %p : tensor<?x3xf64>
}
func.func @packed(%a: tensor<?x7xf32>, %m: index) -> tensor<2x?x4x2xf32> {
  %c = arith.constant -1.0 : f32
  %d = tensor.empty(%m) : tensor<2x?x4x2xf32>
  %p = linalg.pack %a padding_value(%c : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %d : tensor<?x7xf32> -> tensor<2x?x4x2xf32>
  return %p : tensor<2x?x4x2xf32>
}
func.func @unpacked(%a: tensor<2x?x4x2xf32>, %n: index) -> tensor<?x7xf32> {
  %d = tensor.empty(%n) : tensor<?x7xf32>
  %p = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %d : tensor<2x?x4x2xf32> -> tensor<?x7xf32>
  return %p : tensor<?x7xf32>
}
func.func @there_and_back(%a: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x7xf32>
  %o = arith.addi %n, %c1 : index
  %m = arith.divui %o, %c2 : index
  %p = call @packed(%a, %m) : (tensor<?x7xf32>, index) -> tensor<2x?x4x2xf32>
  %u = call @unpacked(%p, %n) : (tensor<2x?x4x2xf32>, index) -> tensor<?x7xf32>
  return %u : tensor<?x7xf32>
}
func.func @tiles(%a: tensor<6x5xf32>, %b: tensor<6x5xf32>) -> (tensor<6x5xf32>, tensor<6xf32>) {
  %s = tensor.empty() : tensor<6xf32>
  %r:2 = scf.forall (%i, %j) = (0, 0) to (6, 1) step (2, 1) shared_outs(%x = %b, %y = %s) -> (tensor<6x5xf32>, tensor<6xf32>) {
    %p = tensor.extract_slice %a[%i, 0] [2, 5] [1, 1] : tensor<6x5xf32> to tensor<2x5xf32>
    %q = tensor.extract_slice %x[%i, 0] [2, 5] [1, 1] : tensor<6x5xf32> to tensor<2x5xf32>
    %e = arith.addf %p, %q : tensor<2x5xf32>
    %f = tensor.extract_slice %e[0, 0] [2, 1] [1, 1] : tensor<2x5xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %x[%i, 0] [2, 5] [1, 1] : tensor<2x5xf32> into tensor<6x5xf32>
      tensor.parallel_insert_slice %f into %y[%i] [2] [1] : tensor<2xf32> into tensor<6xf32>
    }
  }
  return %r#0, %r#1 : tensor<6x5xf32>, tensor<6xf32>
}
func.func @many(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
  %z = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = arith.mulf %a, %z : tensor<3xf32>
  %1 = arith.cmpf olt, %0, %b : tensor<3xf32>
  %2 = arith.select %1, %0, %b : tensor<3xi1>, tensor<3xf32>
  %3 = arith.select %c, %2, %a : tensor<3xf32>
  %4 = math.fma %3, %3, %a : tensor<3xf32>
  return %4 : tensor<3xf32>
}

func.func @gathered(%a: tensor<3x?xf32>, %i: tensor<?x2x1xindex>) -> (tensor<?x2x?xf32>, tensor<?x2x1xf32>, tensor<1x2xf32>) {
  %rows = tensor.gather %a[%i] gather_dims([0]) : (tensor<3x?xf32>, tensor<?x2x1xindex>) -> tensor<?x2x?xf32>
  %firsts = tensor.extract_slice %rows[0, 0, 0] [2, 2, 1] [1, 1, 1] : tensor<?x2x?xf32> to tensor<2x2x1xf32>
  %first = tensor.cast %firsts : tensor<2x2x1xf32> to tensor<?x2x1xf32>
  %at = arith.constant dense<[[[2, 2], [2, 1]]]> : tensor<1x2x2xi32>
  %elements = tensor.gather %a[%at] gather_dims([0, 1]) : (tensor<3x?xf32>, tensor<1x2x2xi32>) -> tensor<1x2xf32>
  return %rows, %first, %elements : tensor<?x2x?xf32>, tensor<?x2x1xf32>, tensor<1x2xf32>
}
func.func @scattered(%a: tensor<2x1x3xf32>, %d: tensor<3x3xf32>, %i: tensor<2x1xi64>) -> tensor<3x3xf32> {
  %0 = tensor.scatter %a into %d[%i] scatter_dims([0]) unique : (tensor<2x1x3xf32>, tensor<3x3xf32>, tensor<2x1xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
