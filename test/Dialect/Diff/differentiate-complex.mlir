// The derivatives of complex numbers consist of operations of the dialect. The transpose of a multiplication is one by the conjugate.
// RUN: %kopt %s --differentiate | FileCheck %s

// A quotient may be singular, so a zero stays zero.
// CHECK-LABEL: func.func private @quotient.rev
// CHECK: %[[QUOTIENT:.*]] = complex.div %arg0, %arg1
// CHECK: %[[Y:.*]] = complex.conj %arg1
// CHECK: %[[CT:.*]] = complex.div %arg2, %[[Y]]
// CHECK: %[[NONE:.*]] = complex.eq %arg2, %{{.*}}
// CHECK: %[[DX:.*]] = arith.select %[[NONE]], %{{.*}}, %[[CT]] : complex<f64>
// CHECK: %[[MINUS:.*]] = complex.neg %[[CT]]
// CHECK: %[[BACK:.*]] = complex.conj %[[QUOTIENT]]
// CHECK: complex.mul %[[MINUS]], %[[BACK]]
// CHECK-LABEL: func.func private @quotient.fwd
// CHECK: %[[QUOTIENT:.*]] = complex.div %arg0, %arg1
// CHECK: %[[SECOND:.*]] = complex.mul %arg3, %[[QUOTIENT]]
// CHECK: %[[DIFFERENCE:.*]] = complex.sub %arg2, %[[SECOND]]
// CHECK: complex.div %[[DIFFERENCE]], %arg1
func.func @quotient(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %0 = complex.div %x, %y : complex<f64>
  return %0 : complex<f64>
}

// The cotangents of both parts of a number are put together without a sum.
// CHECK-LABEL: func.func private @parts.rev
// CHECK-NOT: complex.add
// CHECK: %[[RE:.*]] = arith.mulf %arg1, %{{.*}}
// CHECK: complex.create
// CHECK-NOT: complex.add
// CHECK: return
func.func @parts(%z: complex<f64>) -> f64 {
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %0 = arith.mulf %re, %im : f64
  return %0 : f64
}

// A contraction for each operand, by the conjugate of the other one.
// CHECK-LABEL: func.func private @product.rev
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: %[[BY:.*]] = complex.conj %in
// CHECK: %[[PRODUCT:.*]] = complex.mul %in_0, %[[BY]]
// CHECK: complex.add %[[PRODUCT]], %out fastmath<reassoc,nsz,contract>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: complex.conj
// CHECK-NOT: scf.for
func.func @product(%a: tensor<4x5xcomplex<f32>>, %b: tensor<5x6xcomplex<f32>>, %c: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x5xcomplex<f32>>, tensor<5x6xcomplex<f32>>) outs(%c : tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %0 : tensor<4x6xcomplex<f32>>
}

// CHECK-LABEL: func.func @requests
func.func @requests(%x: complex<f64>, %y: complex<f64>, %s: f64, %a: tensor<4x5xcomplex<f32>>, %b: tensor<5x6xcomplex<f32>>, %c: tensor<4x6xcomplex<f32>>) -> (complex<f64>, complex<f64>, complex<f64>, complex<f64>, tensor<4x5xcomplex<f32>>, tensor<5x6xcomplex<f32>>) {
  %f = diff.fwd @quotient(%x, %y)(%x, %y) : (complex<f64>, complex<f64>, complex<f64>, complex<f64>) -> complex<f64>
  %r:2 = diff.rev @quotient(%x, %y)(%x) : (complex<f64>, complex<f64>, complex<f64>) -> (complex<f64>, complex<f64>)
  %p = diff.rev @parts(%x)(%s) : (complex<f64>, f64) -> complex<f64>
  %m:2 = diff.rev @product(%a, %b, %c)(%c) {wrt = [0, 1]} : (tensor<4x5xcomplex<f32>>, tensor<5x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> (tensor<4x5xcomplex<f32>>, tensor<5x6xcomplex<f32>>)
  return %f, %r#0, %r#1, %p, %m#0, %m#1 : complex<f64>, complex<f64>, complex<f64>, complex<f64>, tensor<4x5xcomplex<f32>>, tensor<5x6xcomplex<f32>>
}
