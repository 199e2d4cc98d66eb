// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

// CHECK-LABEL: func.func @tensors(
func.func @tensors(%n: index, %x: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  // CHECK: tensor.empty(%arg0) : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // CHECK: tensor.splat %arg1[%arg0] : tensor<?xf32>
  %s = tensor.splat %x[%n] : tensor<?xf32>
  // CHECK: tensor.insert %arg1 into %{{.*}}[%c0] : tensor<?xf32>
  %i = tensor.insert %x into %s[%c0] : tensor<?xf32>
  // CHECK: tensor.dim %{{.*}}, %c0 : tensor<?xf32>
  %d = tensor.dim %i, %c0 : tensor<?xf32>
  // CHECK: %[[G:.*]] = tensor.generate %{{.*}} {
  // CHECK-NEXT: ^bb0(%[[J:.*]]: index):
  // CHECK-NEXT: %[[Y:.*]] = tensor.extract %{{.*}}[%[[J]]] : tensor<?xf32>
  // CHECK-NEXT: tensor.yield %[[Y]] : f32
  // CHECK-NEXT: } : tensor<?xf32>
  %g = tensor.generate %d {
  ^bb0(%j: index):
    %y = tensor.extract %i[%j] : tensor<?xf32>
    tensor.yield %y : f32
  } : tensor<?xf32>
  // CHECK: tensor.from_elements %arg1, %arg1 : tensor<2xf32>
  %f = tensor.from_elements %x, %x : tensor<2xf32>
  // CHECK: tensor.cast %{{.*}} : tensor<2xf32> to tensor<?xf32>
  %c = tensor.cast %f : tensor<2xf32> to tensor<?xf32>
  %z = tensor.extract %c[%c0] : tensor<?xf32>
  return %g, %z : tensor<?xf32>, f32
}
