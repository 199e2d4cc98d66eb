// RUN: %kopt %s --relay-remove-unused-functions | FileCheck %s

// A private function that nothing calls is removed; recursion does not keep it.
// CHECK-NOT: @unused
// CHECK: relay.func private @used
// CHECK: relay.func @main
relay.func private @unused(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call @unused(%x) : (tensor<f32>) -> tensor<f32>
  relay.return %0 : tensor<f32>
}
relay.func private @used(%x: tensor<f32>) -> tensor<f32> {
  relay.return %x : tensor<f32>
}
relay.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call @used(%x) : (tensor<f32>) -> tensor<f32>
  relay.return %0 : tensor<f32>
}
