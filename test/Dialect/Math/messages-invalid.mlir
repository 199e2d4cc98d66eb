// What is wrong, in the words of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%i: i32) {
  // expected-error@+1 {{'math.absf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.absf %i : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'math.absi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = math.absi %s : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'math.exp' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.exp %i : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'math.fpowi' op operand #1 must be signless-integer-like, but got 'f32'}}
  %0 = math.fpowi %s, %s : f32, f32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'math.ipowi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = math.ipowi %s, %s : f32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'math.ctlz' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = math.ctlz %s : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'math.clampf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = math.clampf %i to [%i, %i] : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'math.exp' op requires the same type for all operands and results}}
  %0 = "math.exp"(%s) : (f32) -> f64
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'math.sincos' op operand #0 must be floating-point-like, but got 'i32'}}
  %0:2 = math.sincos %i : i32
  return
}

// -----

func.func @a_rank_and_none(%a: tensor<?x3xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'math.tanh' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "math.tanh"(%a) : (tensor<?x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
