// Negative elements of constants whose width is not a multiple of 8, as unsigned numbers.
// RUN: %kc run %s --entry extended --inputs '[[1, 2]]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry extended --inputs '[[1, 2]]' | FileCheck %s
// CHECK: ([27, 27], [0, 1])
func.func @extended(%x: vector<2xi5>) -> (vector<2xi32>, vector<2xi5>) {
  %c = arith.constant dense<-5> : vector<2xi5>
  %e = arith.extui %c : vector<2xi5> to vector<2xi32>
  %low, %high = arith.mului_extended %x, %c : vector<2xi5>
  return %e, %high : vector<2xi32>, vector<2xi5>
}
// RUN: %kc run %s --entry table --inputs '[2]' --backend interpret | FileCheck %s --check-prefix=TABLE
// RUN: %kc run %s --entry table --inputs '[2]' | FileCheck %s --check-prefix=TABLE
// TABLE: (16, 36893488147419103216)
func.func @table(%i: index) -> (i32, i128) {
  %narrow = arith.constant dense<[-5, 3, -16]> : tensor<3xi5>
  %wide = arith.constant dense<[-5, 3, -16]> : tensor<3xi65>
  %a = tensor.extract %narrow[%i] : tensor<3xi5>
  %b = tensor.extract %wide[%i] : tensor<3xi65>
  %x = arith.extui %a : i5 to i32
  %y = arith.extui %b : i65 to i128
  return %x, %y : i32, i128
}
