// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

func.func @matmul(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func @elementwise(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %a : tensor<?xf32>
  %1 = arith.mulf %0, %b : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @requests(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>, %v: tensor<?xf32>) -> (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0:3 = diff.rev @matmul(%a, %b, %c)(%c) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>)
  %1 = diff.fwd @matmul(%a, %b, %c)(%a, %b, %c) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %2:2 = diff.rev @elementwise(%v, %v)(%v) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1, %0#2, %1, %2#0, %2#1 : tensor<4x5xf32>, tensor<5x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<?xf32>, tensor<?xf32>
}
