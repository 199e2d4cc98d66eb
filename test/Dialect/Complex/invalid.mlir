// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s %}

func.func @part(%x: complex<f32>) {
  // expected-error@+1 {{'complex.abs' op failed to verify that complex element type matches result type}}
  %0 = "complex.abs"(%x) : (complex<f32>) -> f64
  return
}

// -----

func.func @real(%x: complex<f32>) {
  // expected-error@+1 {{'complex.re' op failed to verify that complex element type matches result type}}
  %0 = "complex.re"(%x) : (complex<f32>) -> f64
  return
}

// -----

func.func @create(%x: f32, %y: f64) {
  // expected-error@+1 {{'complex.create' op failed to verify that}}
  %0 = "complex.create"(%x, %y) : (f32, f64) -> complex<f32>
  return
}

// -----

func.func @integers(%x: complex<i32>) {
  // expected-error@+1 {{'complex.neg' op operand #0 must be complex type with floating-point elements, but got 'complex<i32>'}}
  %0 = complex.neg %x : complex<i32>
  return
}

// -----

func.func @tensor(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'complex.add' op operand #0 must be complex type with floating-point elements, but got 'tensor<4xcomplex<f32>>'}}
  %0 = "complex.add"(%x, %x) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @types(%x: complex<f32>, %y: complex<f64>) {
  // expected-error@+1 {{'complex.mul' op requires the same type for all operands and results}}
  %0 = "complex.mul"(%x, %y) : (complex<f32>, complex<f64>) -> complex<f32>
  return
}

// -----

func.func @compared(%x: complex<f32>, %y: complex<f64>) {
  // expected-error@+1 {{'complex.eq' op failed to verify that all of {lhs, rhs} have same type}}
  %0 = "complex.eq"(%x, %y) : (complex<f32>, complex<f64>) -> i1
  return
}

// -----

func.func @power(%x: complex<f32>, %n: si32) {
  // expected-error@+1 {{'complex.powi' op operand #1 must be signless integer, but got 'si32'}}
  %0 = complex.powi %x, %n : complex<f32>, si32
  return
}

// -----

func.func @power(%x: complex<f32>, %n: i32) {
  // expected-error@+1 {{'complex.powi' op failed to verify that all of {lhs, result} have same type}}
  %0 = "complex.powi"(%x, %n) : (complex<f32>, i32) -> complex<f64>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{'complex.constant' op requires 'value' to be a complex constant, represented as array of two values}}
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{'complex.constant' op requires attribute's element types ('f32', 'f64') to match the element type of the op's return type ('f32')}}
  %0 = complex.constant [1.0 : f32, 1.0 : f64] : complex<f32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{'complex.constant' op result #0 must be complex-type, but got 'f32'}}
  %0 = "complex.constant"() {value = [1.0 : f32, 1.0 : f32]} : () -> f32
  return
}

// -----

func.func @bits(%x: complex<f32>) {
  // expected-error@+1 {{'complex.bitcast' op casting bitwidths do not match}}
  %0 = complex.bitcast %x : complex<f32> to i32
  return
}

// -----

func.func @bits(%x: complex<f32>) {
  // expected-error@+1 {{'complex.bitcast' op requires that either input or output has a complex type}}
  %0 = complex.bitcast %x : complex<f32> to complex<f64>
  return
}

// -----

func.func @bits(%x: i64) {
  // expected-error@+1 {{'complex.bitcast' op requires that either input or output has a complex type}}
  %0 = complex.bitcast %x : i64 to f64
  return
}

// -----

func.func @bits(%x: tensor<2xf32>) {
  // expected-error@+1 {{'complex.bitcast' op operand must be int/float/complex}}
  %0 = complex.bitcast %x : tensor<2xf32> to complex<f32>
  return
}

// -----

func.func @bits(%x: complex<f32>) {
  // expected-error@+1 {{'complex.bitcast' op result must be int/float/complex}}
  %0 = complex.bitcast %x : complex<f32> to vector<2xf32>
  return
}

// -----

// expected-error@+1 {{expected ','}}
"test.op"() {value = #complex.number<:f64 1.0>} : () -> ()

// -----

// expected-note@+2 {{add a trailing dot to make the literal a float}}
// expected-error@+1 {{unexpected decimal integer literal for a floating point value}}
"test.op"() {value = #complex.number<:f64 1, 2>} : () -> ()

// -----

// expected-error@+1 {{expected floating point literal}}
"test.op"() {value = #complex.number<:f64 1.0, "a">} : () -> ()
