// LLVM has vectors of one dimension only: other shapes are reshaped around its tests of a float's class.
// RUN: %kc run %s --entry f --inputs '[[[1.0, "inf", "nan"], ["-inf", 1e-40, 0]]]' | FileCheck %s
// RUN: %kc run %s --entry f --inputs '[[[1.0, "inf", "nan"], ["-inf", 1e-40, 0]]]' --backend interpret | FileCheck %s
// CHECK: {{\[\[}}false, true, false], [true, false, false]]
// CHECK: {{\[\[}}true, false, false], [false, false, false]]
func.func @f(%x: tensor<2x3xf32>) -> (tensor<2x3xi1>, tensor<2x3xi1>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %vector = vector.transfer_read %x[%zero, %zero], %none : tensor<2x3xf32>, vector<2x3xf32>
  %infinite = math.isinf %vector : vector<2x3xf32>
  %normal = math.isnormal %vector : vector<2x3xf32>
  %empty = tensor.empty() : tensor<2x3xi1>
  %first = vector.transfer_write %infinite, %empty[%zero, %zero] : vector<2x3xi1>, tensor<2x3xi1>
  %second = vector.transfer_write %normal, %empty[%zero, %zero] : vector<2x3xi1>, tensor<2x3xi1>
  return %first, %second : tensor<2x3xi1>, tensor<2x3xi1>
}
