// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @matmul(
// GENERIC-LABEL: sym_name = "matmul"
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // White space in an expression is not kept.
  // CHECK: %[[P:.*]] = iexpr.expr "ik*kj~ijk"(%arg0, %arg1) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  // GENERIC: "iexpr.expr"(%{{.*}}, %{{.*}}) <{inputs = ["ik", "kj"], operator = "*", output = "ijk"}>
  %0 = iexpr.expr " ik * kj ~ ijk "(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  // CHECK: iexpr.expr "+ijk~ij|i:16,k:4|ikji'k'0"(%[[P]]) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  // GENERIC: "iexpr.expr"(%{{.*}}) <{inputs = ["ijk"], loops = "ikji'k'0", operator = "+", output = "ij", splits = ["i:16", "k:4"]}>
  %1 = iexpr.expr "+ijk~ij|i:16,k:4|ikji'k'0"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @forms(
func.func @forms(%a: tensor<2x3xf32>, %s: tensor<f64>, %t: tensor<?xi1>, %d: tensor<?x4xf64>) {
  // CHECK: iexpr.expr "ij~ji"(%arg0) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = iexpr.expr "ij~ji"(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: iexpr.expr "-.~."(%arg1) : (tensor<f64>) -> tensor<f64>
  %1 = iexpr.expr "-.~."(%s) : (tensor<f64>) -> tensor<f64>
  // CHECK: iexpr.expr "||i~."(%arg2) : (tensor<?xi1>) -> tensor<i1>
  %2 = iexpr.expr "||i~."(%t) : (tensor<?xi1>) -> tensor<i1>
  // A truth value is a number where one is asked for.
  // CHECK: iexpr.expr "i*ij~ji"(%arg2, %arg3) {note} : (tensor<?xi1>, tensor<?x4xf64>) -> tensor<4x?xf64>
  %3 = iexpr.expr "i*ij~ji"(%t, %d) {note} : (tensor<?xi1>, tensor<?x4xf64>) -> tensor<4x?xf64>
  // One extent of an index is enough: the other one is checked when it runs.
  // CHECK: iexpr.expr "ii~i||"(%arg3) : (tensor<?x4xf64>) -> tensor<4xf64>
  %4 = iexpr.expr "ii~i||"(%d) : (tensor<?x4xf64>) -> tensor<4xf64>
  // CHECK: iexpr.expr "ij>>.~ij"(%arg3, %arg1) : (tensor<?x4xf64>, tensor<f64>) -> tensor<?x4xi1>
  %5 = iexpr.expr "ij>>.~ij"(%d, %s) : (tensor<?x4xf64>, tensor<f64>) -> tensor<?x4xi1>
  return
}
