// RUN: %kopt %s --canonicalize | FileCheck %s

// Identities of real numbers that rounding, signed zeros or infinities invalidate are applied only to operations with the flags that
// permit them; mlir-opt applies some of them to all.

// CHECK-LABEL: func.func @create_of_parts
// CHECK-NEXT: return %arg0
func.func @create_of_parts(%x: complex<f32>) -> complex<f32> {
  %re = complex.re %x : complex<f32>
  %im = complex.im %x : complex<f32>
  %0 = complex.create %re, %im : complex<f32>
  return %0 : complex<f32>
}

// CHECK-LABEL: func.func @parts_of_create
// CHECK-NEXT: return %arg0, %arg1
func.func @parts_of_create(%re: f32, %im: f32) -> (f32, f32) {
  %x = complex.create %re, %im : complex<f32>
  %0 = complex.re %x : complex<f32>
  %1 = complex.im %x : complex<f32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @parts_of_constant
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[IM:.*]] = arith.constant -2.000000e+00 : f32
// CHECK: return %[[RE]], %[[IM]]
func.func @parts_of_constant() -> (f32, f32) {
  %x = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %0 = complex.re %x : complex<f32>
  %1 = complex.im %x : complex<f32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @parts_of_negated
// CHECK-NEXT: %[[RE:.*]] = arith.negf %arg0
// CHECK-NEXT: %[[IM:.*]] = arith.negf %arg1
// CHECK-NEXT: return %[[RE]], %[[IM]]
func.func @parts_of_negated(%re: f32, %im: f32) -> (f32, f32) {
  %x = complex.create %re, %im : complex<f32>
  %n = complex.neg %x : complex<f32>
  %0 = complex.re %n : complex<f32>
  %1 = complex.im %n : complex<f32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @conj_parts
// CHECK-NEXT: %[[CONJ:.*]] = complex.conj %arg0
// CHECK-NEXT: %[[RE:.*]] = complex.re %arg0
// CHECK-NEXT: %[[IM:.*]] = complex.im %[[CONJ]]
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %arg2
// CHECK-NEXT: return %[[RE]], %[[IM]], %[[NEG]]
func.func @conj_parts(%x: complex<f32>, %re: f32, %im: f32) -> (f32, f32, f32) {
  %c = complex.conj %x : complex<f32>
  %0 = complex.re %c : complex<f32>
  %1 = complex.im %c : complex<f32>
  %y = complex.create %re, %im : complex<f32>
  %d = complex.conj %y : complex<f32>
  %2 = complex.im %d : complex<f32>
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: func.func @involutions
// CHECK-NEXT: return %arg0, %arg0
func.func @involutions(%x: complex<f32>) -> (complex<f32>, complex<f32>) {
  %0 = complex.neg %x : complex<f32>
  %1 = complex.neg %0 : complex<f32>
  %2 = complex.conj %x : complex<f32>
  %3 = complex.conj %2 : complex<f32>
  return %1, %3 : complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @differences
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg1
func.func @differences(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %s = complex.sub %a, %b fastmath<reassoc> : complex<f32>
  %0 = complex.add %s, %b fastmath<reassoc> : complex<f32>
  %1 = complex.add %b, %s fastmath<reassoc> : complex<f32>
  %t = complex.add %a, %b fastmath<reassoc> : complex<f32>
  %2 = complex.sub %t, %b fastmath<reassoc> : complex<f32>
  %3 = complex.sub %t, %a fastmath<reassoc> : complex<f32>
  return %0, %1, %2, %3 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @rounded_differences
// CHECK: complex.sub
// CHECK: complex.add
func.func @rounded_differences(%a: complex<f32>, %b: complex<f32>) -> complex<f32> {
  %s = complex.sub %a, %b : complex<f32>
  %0 = complex.add %s, %b : complex<f32>
  return %0 : complex<f32>
}

// The logarithm of an exponential is the number up to multiples of 2 pi i.

// CHECK-LABEL: func.func @powers
// CHECK-NEXT: %[[EXP:.*]] = complex.exp %arg0 fastmath<fast>
// CHECK-NEXT: %[[LOG:.*]] = complex.log %[[EXP]] fastmath<fast>
// CHECK-NEXT: return %arg0, %[[LOG]]
func.func @powers(%a: complex<f32>) -> (complex<f32>, complex<f32>) {
  %l = complex.log %a fastmath<reassoc> : complex<f32>
  %0 = complex.exp %l fastmath<reassoc> : complex<f32>
  %e = complex.exp %a fastmath<fast> : complex<f32>
  %1 = complex.log %e fastmath<fast> : complex<f32>
  return %0, %1 : complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @neutral
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
func.func @neutral(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %negative = complex.constant [-0.0 : f32, -0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.add %zero, %a fastmath<nsz> : complex<f32>
  %1 = complex.add %a, %negative : complex<f32>
  %2 = complex.sub %a, %zero : complex<f32>
  %3 = complex.mul %one, %a fastmath<nnan,ninf,nsz> : complex<f32>
  %4 = complex.mul %a, %one fastmath<fast> : complex<f32>
  %5 = complex.div %a, %one fastmath<fast> : complex<f32>
  return %0, %1, %2, %3, %4, %5 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// A sum with zero is not negative zero, and infinities times zero are NaN.

// CHECK-LABEL: func.func @not_neutral
// CHECK: complex.add
// CHECK: complex.mul
// CHECK: complex.div
func.func @not_neutral(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.add %a, %zero : complex<f32>
  %1 = complex.mul %a, %one : complex<f32>
  %2 = complex.div %a, %one : complex<f32>
  return %0, %1, %2 : complex<f32>, complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[PRODUCT:.*]] = complex.constant [8.000000e+00, 6.000000e+00] : complex<f64>
// CHECK-DAG: %[[ABS:.*]] = arith.constant 5.000000e+00 : f64
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[BITS:.*]] = arith.constant 4611686019492741120 : i64
// CHECK: return %[[PRODUCT]], %[[ABS]], %[[TRUE]], %[[BITS]]
func.func @constants() -> (complex<f64>, f64, i1, i64) {
  %a = complex.constant [3.0, -4.0] : complex<f64>
  %b = complex.constant [0.0, 2.0] : complex<f64>
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = complex.mul %a, %b : complex<f64>
  %1 = complex.abs %a : complex<f64>
  %2 = complex.neq %a, %b : complex<f64>
  %3 = complex.bitcast %c : complex<f32> to i64
  return %0, %1, %2, %3 : complex<f64>, f64, i1, i64
}

// CHECK-LABEL: func.func @bitcasts
// CHECK-NEXT: %[[FLOAT:.*]] = complex.bitcast %arg0 : complex<f32> to f64
// CHECK-NEXT: %[[NUMBER:.*]] = complex.bitcast %arg1 : i64 to complex<f32>
// CHECK-NEXT: return %arg0, %[[FLOAT]], %arg1, %[[NUMBER]], %arg0
func.func @bitcasts(%x: complex<f32>, %i: i64) -> (complex<f32>, f64, i64, complex<f32>, complex<f32>) {
  %0 = complex.bitcast %x : complex<f32> to complex<f32>
  %1 = complex.bitcast %x : complex<f32> to i64
  %2 = arith.bitcast %1 : i64 to f64
  %3 = complex.bitcast %i : i64 to complex<f32>
  %4 = complex.bitcast %3 : complex<f32> to i64
  %5 = arith.bitcast %i : i64 to f64
  %6 = complex.bitcast %5 : f64 to complex<f32>
  %7 = complex.bitcast %1 : i64 to complex<f32>
  return %0, %2, %4, %6, %7 : complex<f32>, f64, i64, complex<f32>, complex<f32>
}

// There is no constant for a tensor of complex numbers that a folder creates.
// CHECK-LABEL: func.func @splat
// CHECK: tensor.splat
func.func @splat() -> tensor<2xcomplex<f64>> {
  %c = complex.constant [0.0, 1.0] : complex<f64>
  %s = tensor.splat %c : tensor<2xcomplex<f64>>
  return %s : tensor<2xcomplex<f64>>
}
