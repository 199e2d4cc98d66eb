// A function with explicit public visibility can be called, like one without a visibility.
// RUN: %kc run %s --entry said --inputs '[[1, 2, 3]]' | FileCheck %s
// RUN: %kc run %s --entry unsaid --inputs '[[1, 2, 3]]' | FileCheck %s
// RUN: %kc run %s --entry said --inputs '[[1, 2, 3]]' --backend interpret | FileCheck %s
// RUN: %kc grad %s --entry said --inputs '[[1, 2, 3]]' --check | FileCheck %s --check-prefix=GRADIENT
// RUN: %kc build %s --emit=header --output=- | FileCheck %s --check-prefix=HEADER
// CHECK: [1, 4, 9]
// GRADIENT: [2, 4, 6]
// GRADIENT: agrees with forward mode and central differences
// HEADER: said(
// HEADER: unsaid(
// HEADER-NOT: hidden(
func.func public @said(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = call @hidden(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @unsaid(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = call @hidden(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func private @hidden(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = arith.mulf %x, %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
