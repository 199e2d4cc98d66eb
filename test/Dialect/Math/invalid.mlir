// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @f0(%a: i32) {
  // CHECK: error: 'math.absf' op operand #0 must be floating-point-like, but got 'i32'
  %0 = math.absf %a : i32
  return
}

// -----

func.func @f1(%a: f32) {
  // CHECK: error: 'math.absi' op operand #0 must be signless-integer-like, but got 'f32'
  %0 = math.absi %a : f32
  return
}

// -----

func.func @f2(%a: f32, %b: f64) {
  // CHECK: error: 'math.powf' op requires the same type for all operands and results
  %0 = "math.powf"(%a, %b) : (f32, f64) -> f32
  return
}

// -----

func.func @f3(%a: f32) {
  // CHECK: error: 'math.isnan' op result #0 must be bool-like, but got 'i32'
  %0 = "math.isnan"(%a) : (f32) -> i32
  return
}

// -----

func.func @f4(%a: vector<2xf32>) {
  // CHECK: error: 'math.isnan' op failed to verify that result type has i1 element type and same shape as operands
  %0 = "math.isnan"(%a) : (vector<2xf32>) -> i1
  return
}

// -----

func.func @f5(%a: f32) {
  // CHECK: error: 'math.fpowi' op operand #1 must be signless-integer-like, but got 'f32'
  %0 = math.fpowi %a, %a : f32, f32
  return
}

// -----

func.func @f6(%a: f32, %b: i32) {
  // CHECK: error: 'math.fpowi' op failed to verify that all of {lhs, result} have same type
  %0 = "math.fpowi"(%a, %b) : (f32, i32) -> f64
  return
}

// -----

func.func @f7(%a: vector<4xf32>, %b: i32) {
  // CHECK: error: 'math.fpowi' op requires the same shape for all operands and results
  %0 = "math.fpowi"(%a, %b) : (vector<4xf32>, i32) -> vector<4xf32>
  return
}

// -----

func.func @f8(%a: f32) {
  // CHECK: error: 'math.sincos' op failed to verify that all of {operand, sin, cos} have same type
  %0:2 = "math.sincos"(%a) : (f32) -> (f32, f64)
  return
}
