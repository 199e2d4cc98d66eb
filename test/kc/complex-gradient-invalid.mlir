// Complex numbers have no derivatives: floats that flow into them are an error, instead of a gradient of zero.
// RUN: not kc grad %s --entry f --inputs '[1, 2]' 2>&1 | FileCheck %s
// RUN: not kc jacobian %s --entry f --inputs '[1, 2]' 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: not kc grad %s --entry number --inputs '[[1, 2]]' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: kc grad %s --entry beside --inputs '[[1, 2], 3]' | FileCheck %s --check-prefix=BESIDE

// CHECK: note: 'complex.create' op has an operand to differentiate, but its result has type 'complex<f64>', which has no cotangent here
// CHECK: {{.*}}complex-gradient-invalid.mlir:[[#@LINE+3]]:8
// FORWARD: note: 'complex.create' op has an operand to differentiate
func.func @f(%x: f64, %y: f64) -> f64 {
  %a = complex.create %x, %y : complex<f64>
  %b = complex.mul %a, %a : complex<f64>
  %c = complex.abs %b : complex<f64>
  return %c : f64
}

// NUMBER: error: no parameter has a derivative: none contains floats
func.func @number(%a: complex<f64>) -> f64 {
  %c = complex.abs %a : complex<f64>
  return %c : f64
}

// BESIDE: arr_1: 6
func.func @beside(%a: complex<f64>, %x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  %1 = complex.abs %a : complex<f64>
  %2 = arith.addf %0, %1 : f64
  return %2 : f64
}
