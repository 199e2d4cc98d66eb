// REQUIRES: mlir-opt
// RUN: %kopt %s > %t.kopt && %mlir-opt %s > %t.mlir && diff %t.mlir %t.kopt
// RUN: %kopt --mlir-print-op-generic %s > %t.kopt && %mlir-opt --mlir-print-op-generic %s > %t.mlir && diff %t.mlir %t.kopt

func.func @poison() {
  %0 = ub.poison : vector<4xi64>
  %1 = ub.poison <#ub.poison> : i32
  %2 = ub.poison {tag} : f32
  ub.unreachable
}
