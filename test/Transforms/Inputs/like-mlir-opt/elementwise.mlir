func.func @add(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = arith.addf %a, %b fastmath<contract> : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
func.func @compare(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xi1> {
  %0 = arith.cmpf olt, %a, %b : tensor<?xf32>
  return %0 : tensor<?xi1>
}
func.func @scalar_condition(%c: i1, %a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = arith.select %c, %a, %b : tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @rank_0(%a: tensor<f64>) -> tensor<f64> {
  %0 = math.exp %a : tensor<f64>
  return %0 : tensor<f64>
}
func.func @scalars(%a: f64, %b: vector<4xf32>) -> (f64, vector<4xf32>) {
  %0 = math.exp %a : f64
  %1 = math.exp %b : vector<4xf32>
  return %0, %1 : f64, vector<4xf32>
}
func.func @two_results(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi1>) {
  %0, %1 = arith.addui_extended %a, %b : tensor<2xi32>, tensor<2xi1>
  return %0, %1 : tensor<2xi32>, tensor<2xi1>
}
