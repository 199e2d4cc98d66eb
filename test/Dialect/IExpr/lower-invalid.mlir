// RUN: not %kopt %s --lower 2>&1 | FileCheck %s

func.func @graph_input(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  // CHECK: error: `+ij~i||0ij`: graph input with a compute site: input 0 is not computed by an expression
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %0 = iexpr.expr "+ij~i||0ij"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @not_aligned(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr "^ij~ij"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: error: `-ij~ij||ji0`: producer axes align with consumer axes [i, j], expected [j, i]
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %1 = iexpr.expr "-ij~ij||ji0"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @online(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr "+ij~i||ji"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  // CHECK: error: `ij/i~ij||ji1`: stage 1 is read before `+ij~i` is complete, and its partial results reach the result without a reduction that could be corrected
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %1 = iexpr.expr "ij/i~ij||ji1"(%a, %0) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
