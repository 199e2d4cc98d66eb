// 2^40 rows without elements take neither memory nor time.
// RUN: %kc run %s --inputs '[1099511627776, 0]' -o %t.npz
// RUN: %kc run %s --inputs '[1099511627776, 0]' -o %t.npz --schedule=off
// RUN: %kc run %s --inputs '[1099511627776, 0]' -o %t.npz --backend interpret-buffers
// RUN: %kc run %s --inputs '[1099511627776, 0]' -o %t.npz --backend interpret
// RUN: %kc run %s --inputs '[2, 3]' | FileCheck %s
// CHECK: ({{\[}}[2, 2, 2], [2, 2, 2]], 6)
func.func @main(%n: index, %m: index) -> (tensor<?x?xf32>, f32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y, %sum = func.call @double(%x, %zero) : (tensor<?x?xf32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>)
  %s = tensor.extract %sum[] : tensor<f32>
  return %y, %s : tensor<?x?xf32>, f32
}
func.func private @double(%x: tensor<?x?xf32>, %init: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) attributes {no_inline} {
  %y = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<?x?xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  return %y, %sum : tensor<?x?xf32>, tensor<f32>
}
