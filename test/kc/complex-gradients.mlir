// Gradients with respect to complex numbers, df/dre + i df/dim: values of JAX 0.4 or later, conjugated, for the functions in
// Inputs/complex_gradients.py. Both modes agree with central differences of the real and imaginary parts.
// RUN: kc grad %s --entry norm --check --inputs '[[[[0.3, 1.1], [-0.7, 0.9]], [[1.3, 0.4], [0.2, -0.6]]], [[[0.8, -0.2], [0.5, 0.7]], [[-0.9, 0.1], [1.2, 0.6]]]]' | FileCheck %s --check-prefix=NORM
// RUN: kc grad %s --entry norm --check --backend interpret --inputs '[[[[0.3, 1.1], [-0.7, 0.9]], [[1.3, 0.4], [0.2, -0.6]]], [[[0.8, -0.2], [0.5, 0.7]], [[-0.9, 0.1], [1.2, 0.6]]]]' | FileCheck %s --check-prefix=NORM
// RUN: kc grad %s --entry norm --check --backend interpret-buffers --inputs '[[[[0.3, 1.1], [-0.7, 0.9]], [[1.3, 0.4], [0.2, -0.6]]], [[[0.8, -0.2], [0.5, 0.7]], [[-0.9, 0.1], [1.2, 0.6]]]]' | FileCheck %s --check-prefix=NORM
// RUN: kc grad %s --entry oscillator --check --inputs '[[1, 0.5], 0.3, 2.0, 20]' | FileCheck %s --check-prefix=OSCILLATOR
// RUN: kc grad %s --entry oscillator --check --checkpoint --inputs '[[1, 0.5], 0.3, 2.0, 20]' | FileCheck %s --check-prefix=OSCILLATOR
// RUN: kc grad %s --entry spectrum --check --memory-check --inputs '[[[1, 0], [0.5, -0.5], [-0.2, 0.7], [0.1, 0.3], [0.9, -0.4], [0.25, 0.6], [-0.8, 0.1], [0.05, -0.3]], [1, 0.5, 0.25, 2, 0, 1.5, 0.125, 3]]' 2>&1 | FileCheck %s --check-prefix=SPECTRUM
// RUN: kc grad %s --entry single --check --inputs '[[[0.5, 0.25], [-1, 2]]]' | FileCheck %s --check-prefix=SINGLE
// RUN: kc grad %s --entry holomorphic --check --inputs '[[0, 1.5707963267948966]]' | FileCheck %s --check-prefix=HOLOMORPHIC
// RUN: kc grad %s --entry holomorphic --mode forward --inputs '[[0, 1.5707963267948966]]' | FileCheck %s --check-prefix=FORWARD
// RUN: kc jacobian %s --entry holomorphic --inputs '[[0, 1.5707963267948966]]' | FileCheck %s --check-prefix=JACOBIAN
// RUN: kc jacobian %s --entry holomorphic --mode forward --inputs '[[0, 1.5707963267948966]]' | FileCheck %s --check-prefix=JACOBIAN
// RUN: kc hvp %s --entry norm --check --direction '[[[[1, 0], [0, 1]], [[0.5, 0], [0, 0]]], [[[0, 0], [1, 1]], [[0, 0], [0, -1]]]]' --inputs '[[[[0.3, 1.1], [-0.7, 0.9]], [[1.3, 0.4], [0.2, -0.6]]], [[[0.8, -0.2], [0.5, 0.7]], [[-0.9, 0.1], [1.2, 0.6]]]]' | FileCheck %s --check-prefix=HVP
// RUN: not kc grad %s --entry wrong --check --inputs '[[[1, 2], [3, 4]]]' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: kc grad %s --entry at_zero --check --inputs '[[0, 0], [1, 2]]' | FileCheck %s --check-prefix=ZERO

// A product of matrices, and the sum of the squares of its absolute values.
// NORM: arr_0: {{\[\[}}1.61{{[12][0-9]*}}+4.52{{[34][0-9]*}}i, -4.90{{[78][0-9]*}}+5.71{{[56][0-9]*}}i], [3.03{{[56][0-9]*}}+0.54{{[34][0-9]*}}i, 1.26{{[34][0-9]*}}-1.25{{[56][0-9]*}}i]]
// NORM: arr_1: {{\[\[}}3.56{{[34][0-9]*}}-1.42{{[34][0-9]*}}i, 4.85{{[34][0-9]*}}+5.80{{[12][0-9]*}}i], [-1.85{{[12][0-9]*}}-0.26{{[78][0-9]*}}i, 5.13{{[12][0-9]*}}+2.9{{[78][0-9]*}}i]]
// NORM: agrees with forward mode and central differences
// HVP: arr_0: {{\[\[}}{{6|5.99[0-9]*|6.00[0-9]*}}+9.3{{[56][0-9]*}}i, 0.4{{[78][0-9]*}}+7.4{{[34][0-9]*}}i], [6.7{{[78][0-9]*}}+0.1{{[56][0-9]*}}i, 1.7{{[78][0-9]*}}+5.8{{[12][0-9]*}}i]]
// HVP: arr_1: {{\[\[}}1.9{{[56][0-9]*}}-2.2{{[78][0-9]*}}i, 8.6{{[78][0-9]*}}+10.1{{[12][0-9]*}}i], [-2.{{[78][0-9]*}}-1.2{{[78][0-9]*}}i, {{8.03|8.04}}{{[0-9]*}}-0.{{[12][0-9]*}}i]]
// HVP: agrees with forward mode and central differences
func.func @norm(%a: tensor<2x2xcomplex<f64>>, %b: tensor<2x2xcomplex<f64>>) -> f64 {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %e = tensor.empty() : tensor<2x2xcomplex<f64>>
  %init = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %p = linalg.matmul ins(%a, %b : tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) outs(%init : tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %none = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%p : tensor<2x2xcomplex<f64>>) outs(%none : tensor<f64>) {
  ^bb0(%x: complex<f64>, %o: f64):
    %0 = complex.abs %x : complex<f64>
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.addf %o, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<f64>
  %r = tensor.extract %s[] : tensor<f64>
  return %r : f64
}

// OSCILLATOR: arr_0: -1.21255218266843{{[0-9]*}}-6.4740685983103{{[0-9]*}}i
// OSCILLATOR: arr_1: 7.9832367857102{{[0-9]*}}
// OSCILLATOR: arr_2: -0.0108095282784{{[0-9]*}}
// OSCILLATOR: agrees with forward mode and central differences
// The path of a damped oscillator: the sum of the real parts of steps z <- z exp((-d + i w) / 10), and the last absolute value.
func.func @oscillator(%z: complex<f64>, %damping: f64, %frequency: f64, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %tenth = complex.constant [0.1, 0.0] : complex<f64>
  %minus = arith.negf %damping : f64
  %rate = complex.create %minus, %frequency : complex<f64>
  %scaled = complex.mul %rate, %tenth : complex<f64>
  %step = complex.exp %scaled : complex<f64>
  %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %z, %sum = %none) -> (complex<f64>, f64) {
    %next = complex.mul %x, %step : complex<f64>
    %re = complex.re %next : complex<f64>
    %s = arith.addf %sum, %re : f64
    scf.yield %next, %s : complex<f64>, f64
  }
  %size = complex.abs %r#0 : complex<f64>
  %all = arith.addf %r#1, %size : f64
  return %all : f64
}

// SPECTRUM: blocks left: 0
// SPECTRUM: arr_0: [5.014213562{{[0-9]*}}+9.998528137{{[0-9]*}}i, 3.684314575{{[0-9]*}}-11.885786437{{[0-9]*}}i, 7.39167388{{[0-9]*}}+9.284314575{{[0-9]*}}i,
// SPECTRUM: arr_1: [{{3.49|3.48}}{{[0-9]*}}, 2.843700576{{[0-9]*}}, {{12.24|12.23}}{{[0-9]*}}, 4.949873734{{[0-9]*}}, 0.0{{[89][0-9]*}}, 2.306299423{{[0-9]*}}, {{8.2|8.19|8.20}}{{[0-9]*}}, 0.0001262658{{[0-9]*}}]
// SPECTRUM: agrees with forward mode and central differences
// A Fourier transform of eight numbers by loops of butterflies, after a permutation by reversed bits; the weighted power spectrum.
func.func @spectrum(%x: tensor<8xcomplex<f64>>, %w: tensor<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %order = arith.constant dense<[0, 4, 2, 6, 1, 5, 3, 7]> : tensor<8xindex>
  %e = tensor.empty() : tensor<8xcomplex<f64>>
  %start = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %e) -> (tensor<8xcomplex<f64>>) {
    %from = tensor.extract %order[%i] : tensor<8xindex>
    %v = tensor.extract %x[%from] : tensor<8xcomplex<f64>>
    %n = tensor.insert %v into %t[%i] : tensor<8xcomplex<f64>>
    scf.yield %n : tensor<8xcomplex<f64>>
  }
  %pi = arith.constant -3.1415926535897931 : f64
  %y = scf.for %stage = %c0 to %c3 step %c1 iter_args(%t0 = %start) -> (tensor<8xcomplex<f64>>) {
    %half = arith.shli %c1, %stage : index
    %n = arith.index_cast %half : index to i64
    %count = arith.sitofp %n : i64 to f64
    %unit = arith.divf %pi, %count : f64
    %all = scf.for %pair = %c0 to %c4 step %c1 iter_args(%t = %t0) -> (tensor<8xcomplex<f64>>) {
      %group = arith.divui %pair, %half : index
      %at = arith.remui %pair, %half : index
      %g = arith.muli %group, %half : index
      %g2 = arith.muli %g, %c2 : index
      %i = arith.addi %g2, %at : index
      %j = arith.addi %i, %half : index
      %k = arith.index_cast %at : index to i64
      %kf = arith.sitofp %k : i64 to f64
      %angle = arith.mulf %unit, %kf : f64
      %cos = math.cos %angle : f64
      %sin = math.sin %angle : f64
      %twiddle = complex.create %cos, %sin : complex<f64>
      %a = tensor.extract %t[%i] : tensor<8xcomplex<f64>>
      %b = tensor.extract %t[%j] : tensor<8xcomplex<f64>>
      %tb = complex.mul %b, %twiddle : complex<f64>
      %sum = complex.add %a, %tb : complex<f64>
      %difference = complex.sub %a, %tb : complex<f64>
      %t1 = tensor.insert %sum into %t[%i] : tensor<8xcomplex<f64>>
      %t2 = tensor.insert %difference into %t1[%j] : tensor<8xcomplex<f64>>
      scf.yield %t2 : tensor<8xcomplex<f64>>
    }
    scf.yield %all : tensor<8xcomplex<f64>>
  }
  %none = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %none) -> (f64) {
    %v = tensor.extract %y[%i] : tensor<8xcomplex<f64>>
    %u = tensor.extract %w[%i] : tensor<8xf64>
    %back = complex.conj %v : complex<f64>
    %p = complex.mul %v, %back : complex<f64>
    %power = complex.re %p : complex<f64>
    %part = arith.mulf %u, %power : f64
    %n = arith.addf %s, %part : f64
    scf.yield %n : f64
  }
  return %r : f64
}

// SINGLE: arr_0: [1+0.5i, -2+4i]
// SINGLE: agrees with forward mode and central differences
func.func @single(%a: tensor<2xcomplex<f32>>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %a[%c0] : tensor<2xcomplex<f32>>
  %y = tensor.extract %a[%c1] : tensor<2xcomplex<f32>>
  %0 = complex.abs %x : complex<f32>
  %1 = arith.mulf %0, %0 : f32
  %2 = complex.abs %y : complex<f32>
  %3 = arith.mulf %2, %2 : f32
  %4 = arith.addf %1, %3 : f32
  return %4 : f32
}

// The gradient of a complex result is that of its real part: exp(i pi / 2) is i, the derivative of the real part is conj(i).
// HOLOMORPHIC: arr_0: {{.*}}-1i
// HOLOMORPHIC: agrees with forward mode and central differences
// FORWARD: arr_0: {{.*}}-1i
// The derivatives of the real part, then of the imaginary part.
// JACOBIAN: arr_0: {{.*}}-1i
// JACOBIAN-NEXT: arr_0: 1+{{.*}}i
func.func @holomorphic(%z: complex<f64>) -> complex<f64> {
  %0 = complex.exp %z : complex<f64>
  return %0 : complex<f64>
}

// A rule that leaves out the conjugate.
// WRONG: error: the gradient does not agree with other ways to compute it
// WRONG: note: arr_0[0].im: 4, but -4 by central differences
func.func private @square(%x: complex<f64>) -> complex<f64> {
  %0 = complex.mul %x, %x : complex<f64>
  return %0 : complex<f64>
}
func.func private @square_rev(%x: complex<f64>, %ct: complex<f64>) -> complex<f64> {
  %0 = complex.add %x, %x : complex<f64>
  %1 = complex.mul %0, %ct : complex<f64>
  return %1 : complex<f64>
}
diff.rule @square "rev" by @square_rev
func.func @wrong(%a: tensor<2xcomplex<f64>>) -> complex<f64> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<2xcomplex<f64>>
  %0 = func.call @square(%x) : (complex<f64>) -> complex<f64>
  return %0 : complex<f64>
}

// The derivative of the absolute value at zero is zero, and a root with an infinite slope that is not selected has none.
// ZERO: arr_0: 0+0i
// ZERO: arr_1: 2+4i
func.func @at_zero(%z: complex<f64>, %x: complex<f64>) -> f64 {
  %yes = arith.constant true
  %root = complex.sqrt %z : complex<f64>
  %chosen = arith.select %yes, %x, %root : complex<f64>
  %0 = complex.abs %chosen : complex<f64>
  %1 = arith.mulf %0, %0 : f64
  %2 = complex.abs %z : complex<f64>
  %3 = arith.addf %1, %2 : f64
  return %3 : f64
}
