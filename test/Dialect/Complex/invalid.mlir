// RUN: not %kopt --split-input-file %s 2>&1 | FileCheck %s

func.func @part(%x: complex<f32>) {
  // CHECK: error: 'complex.abs' op failed to verify that complex element type matches result type
  %0 = "complex.abs"(%x) : (complex<f32>) -> f64
  return
}

// -----

func.func @constant() {
  // CHECK: error: 'complex.constant' op requires attribute's element types ('f32', 'f64') to match the element type of the op's return type ('f32')
  %0 = complex.constant [1.0 : f32, 1.0 : f64] : complex<f32>
  return
}

// -----

func.func @bits(%x: complex<f32>) {
  // CHECK: error: 'complex.bitcast' op casting bitwidths do not match
  %0 = complex.bitcast %x : complex<f32> to i32
  return
}
