// RUN: not %kopt %s --split-input-file 2>&1 | FileCheck %s

func.func @grammar(%a: tensor<?x?xf32>) {
  // CHECK: error: custom op 'iexpr.expr' expected `~` between inputs and output, found `i`
  // CHECK-NEXT: invalid.mlir:[[#@LINE+1]]:24
  %0 = iexpr.expr "+ij i"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @rule(%a: tensor<?x?xf32>) {
  // CHECK: error: custom op 'iexpr.expr' operator `-` is not reducible
  // CHECK-NEXT: invalid.mlir:[[#@LINE+1]]:20
  %0 = iexpr.expr "-ij~i"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @schedule(%a: tensor<?x?xf32>) {
  // CHECK: error: custom op 'iexpr.expr' the loop order must have every part of every axis; missing: `i'`
  %0 = iexpr.expr "+ij~i|i:2|ij"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @generic(%a: tensor<?x?xf32>) {
  // CHECK: error: 'iexpr.expr' op has a malformed expression: expected a pattern, found `?`
  %0 = "iexpr.expr"(%a) <{inputs = ["?"], output = "i", operator = "+"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  // CHECK: error: 'iexpr.expr' op has a malformed expression: an expression has one or two inputs, found 0
  %1 = "iexpr.expr"(%a) <{inputs = [], output = "i"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  // CHECK: error: 'iexpr.expr' op `ij~i`: an expression without operator must keep all axes; `j` is not in the output
  %2 = "iexpr.expr"(%a) <{inputs = ["ij"], output = "i"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @attributes(%a: tensor<?x?xf32>) {
  // CHECK: error: 'iexpr.expr' op has a malformed expression: 'inputs' is not that of `ij~ij`
  %0 = "iexpr.expr"(%a) <{inputs = ["i", "j"], output = "ij"}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: error: 'iexpr.expr' op has a malformed expression: 'operator' is not that of `i*j~ij`
  %1 = "iexpr.expr"(%a) <{inputs = ["i*j"], output = "ij"}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: error: 'iexpr.expr' op has a malformed expression: 'splits' is not that of `ij~ij||ij`
  %2 = "iexpr.expr"(%a) <{inputs = ["ij"], output = "ij", loops = "ij"}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @operands(%a: tensor<2x3xf32>, %b: tensor<4xf32>, %c: tensor<2x3xf64>, %d: tensor<2xi32>, %e: tensor<?xi1>) {
  // CHECK: error: 'iexpr.expr' op `ij+j~ij`: index `j` is 3 in dimension 1 of operand #0, but 4 in dimension 0 of operand #1
  %0 = iexpr.expr "ij+j~ij"(%a, %b) : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  // CHECK: error: 'iexpr.expr' op `ij+ij~ij`: operands are of f32 and of f64, but must be of one type of numbers
  %1 = iexpr.expr "ij+ij~ij"(%a, %c) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf32>
  // CHECK: error: 'iexpr.expr' op `-i~i`: operand #0 has elements of i32, expected f32, f64 or i1
  %2 = iexpr.expr "-i~i"(%d) : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: error: 'iexpr.expr' op `&&i~.`: operator `&&` takes truth values, but operand #0 has elements of f32
  %3 = iexpr.expr "&&i~."(%b) : (tensor<4xf32>) -> tensor<i1>
  // CHECK: error: 'iexpr.expr' op `-i~i`: operand #0 has rank 2, but `i` names 1 dimensions
  %4 = iexpr.expr "-i~i"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: error: 'iexpr.expr' op `i-i~i`: expected 2 operands, but got 1
  %5 = iexpr.expr "i-i~i"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: error: 'iexpr.expr' op `ij~ji`: expected a result of tensor<3x2xf32>, but got tensor<2x3xf32>
  %6 = iexpr.expr "ij~ji"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: error: 'iexpr.expr' op `>>i~i`: expected a result of tensor<4xi1>, but got tensor<4xf32>
  %7 = iexpr.expr ">>i~i"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: error: 'iexpr.expr' op `+i~i`: operator `+` gives f32 or f64, not i1
  %8 = iexpr.expr "+i~i"(%e) : (tensor<?xi1>) -> tensor<?xi1>
  return
}
