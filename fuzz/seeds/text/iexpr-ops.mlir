func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr " ik * kj ~ ijk "(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %1 = iexpr.expr "+ijk~ij|i:16,k:4|ikji'k'0"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @forms(%a: tensor<2x3xf32>, %s: tensor<f64>, %t: tensor<?xi1>, %d: tensor<?x4xf64>) {
  %0 = iexpr.expr "ij~ji"(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = iexpr.expr "-.~."(%s) : (tensor<f64>) -> tensor<f64>
  %2 = iexpr.expr "||i~."(%t) : (tensor<?xi1>) -> tensor<i1>
  %3 = iexpr.expr "i*ij~ji"(%t, %d) {note} : (tensor<?xi1>, tensor<?x4xf64>) -> tensor<4x?xf64>
  %4 = iexpr.expr "ii~i||"(%d) : (tensor<?x4xf64>) -> tensor<4xf64>
  %5 = iexpr.expr "ij>>.~ij"(%d, %s) : (tensor<?x4xf64>, tensor<f64>) -> tensor<?x4xi1>
  return
}
