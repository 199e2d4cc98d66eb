// RUN: %kopt %s --relay-fast-math | FileCheck %s

// CHECK-LABEL: relay.func @chain
// CHECK: fast_exp
relay.func @chain(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = relay.multiply %0, %one : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %2 = relay.transpose %1 {axes = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = relay.subtract %2, %zero : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = relay.exp %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  relay.return %4 : tensor<2x3xf32>
}
