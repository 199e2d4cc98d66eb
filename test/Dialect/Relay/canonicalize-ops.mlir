// RUN: %kopt %s --relay-canonicalize-ops | FileCheck %s

// A bias along the channels becomes a sum, for which its shape is extended.
// CHECK-LABEL: relay.func @main
// CHECK: %[[B:.*]] = constant dense<{{\[\[\[}}1.000000e+00]], {{.*}} : tensor<2x1x1xf32>
// CHECK: add %arg0, %[[B]]
relay.func @main(%x: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %b = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.nn.bias_add %x, %b : (tensor<1x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  relay.return %0 : tensor<1x2x3x3xf32>
}
