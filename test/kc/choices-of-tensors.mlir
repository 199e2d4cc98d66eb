// A choice between tensors of unknown extents is one of whole tensors, also in derivatives.
// RUN: %kc run %s --entry chosen --inputs '[[1,2,3],[4],false]' | FileCheck %s
// RUN: %kc run %s --entry chosen --inputs '[[1,2,3],[4],false]' --schedule=off | FileCheck %s
// RUN: %kc run %s --entry chosen --inputs '[[1,2,3],[4],false]' --backend interpret | FileCheck %s
// CHECK: {{^}}[0]
// RUN: %kc grad %s --entry branch --inputs '[[1,2,3],[4],false]' --memory-check | FileCheck %s --check-prefix=GRAD
// RUN: %kc grad %s --entry branch --inputs '[[1,2,3],[4],false]' --schedule=off | FileCheck %s --check-prefix=GRAD
// RUN: %kc grad %s --entry branch --inputs '[[1,2,3],[4],false]' --backend interpret | FileCheck %s --check-prefix=GRAD
// GRAD: arr_0: [1, 1, 1]
// GRAD-NEXT: arr_1: [0]
// The cotangent of each tensor has its own extents.
// RUN: %kc grad %s --entry chosen --inputs '[[1,2,3],[4],false]' --memory-check | FileCheck %s --check-prefix=CHOSEN
// RUN: %kc grad %s --entry chosen --inputs '[[1,2,3],[4],false]' --schedule=off | FileCheck %s --check-prefix=CHOSEN
// RUN: %kc grad %s --entry chosen --inputs '[[1,2,3],[4],false]' --backend interpret | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: arr_0: [0, 0, 0]
// CHOSEN-NEXT: arr_1: [0]
// RUN: %kc grad %s --entry chosen --inputs '[[1,2,3],[4],true]' | FileCheck %s --check-prefix=KEPT
// KEPT: arr_0: [1, 1, 1]
// KEPT-NEXT: arr_1: [0]
func.func @chosen(%x: tensor<?xf64>, %a: tensor<?xf64>, %p: i1) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %d = tensor.dim %a, %c0 : tensor<?xf64>
  %zeros = tensor.splat %z[%d] : tensor<?xf64>
  %r = arith.select %p, %x, %zeros : tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @branch(%a: tensor<?xf64>, %b: tensor<?xf64>, %p: i1) -> tensor<?xf64> {
  %r = scf.if %p -> tensor<?xf64> {
    scf.yield %b : tensor<?xf64>
  } else {
    scf.yield %a : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
