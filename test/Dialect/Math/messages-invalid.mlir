// Diagnostics with the wording of mlir-opt.
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

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.absf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.absf' op failed to infer returned types}}
  %0 = "math.absf"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.acos' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.acos' op failed to infer returned types}}
  %0 = "math.acos"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.acosh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.acosh' op failed to infer returned types}}
  %0 = "math.acosh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.asin' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.asin' op failed to infer returned types}}
  %0 = "math.asin"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.asinh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.asinh' op failed to infer returned types}}
  %0 = "math.asinh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.atan' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.atan' op failed to infer returned types}}
  %0 = "math.atan"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.atanh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.atanh' op failed to infer returned types}}
  %0 = "math.atanh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.cbrt' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.cbrt' op failed to infer returned types}}
  %0 = "math.cbrt"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.ceil' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.ceil' op failed to infer returned types}}
  %0 = "math.ceil"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.cos' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.cos' op failed to infer returned types}}
  %0 = "math.cos"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.cosh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.cosh' op failed to infer returned types}}
  %0 = "math.cosh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.erf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.erf' op failed to infer returned types}}
  %0 = "math.erf"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.erfc' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.erfc' op failed to infer returned types}}
  %0 = "math.erfc"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.exp' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.exp' op failed to infer returned types}}
  %0 = "math.exp"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.exp2' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.exp2' op failed to infer returned types}}
  %0 = "math.exp2"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.expm1' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.expm1' op failed to infer returned types}}
  %0 = "math.expm1"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.floor' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.floor' op failed to infer returned types}}
  %0 = "math.floor"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.log' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.log' op failed to infer returned types}}
  %0 = "math.log"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.log10' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.log10' op failed to infer returned types}}
  %0 = "math.log10"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.log1p' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.log1p' op failed to infer returned types}}
  %0 = "math.log1p"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.log2' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.log2' op failed to infer returned types}}
  %0 = "math.log2"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.round' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.round' op failed to infer returned types}}
  %0 = "math.round"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.roundeven' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.roundeven' op failed to infer returned types}}
  %0 = "math.roundeven"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.rsqrt' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.rsqrt' op failed to infer returned types}}
  %0 = "math.rsqrt"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.sin' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.sin' op failed to infer returned types}}
  %0 = "math.sin"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.sinh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.sinh' op failed to infer returned types}}
  %0 = "math.sinh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.sqrt' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.sqrt' op failed to infer returned types}}
  %0 = "math.sqrt"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.tan' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.tan' op failed to infer returned types}}
  %0 = "math.tan"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.tanh' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.tanh' op failed to infer returned types}}
  %0 = "math.tanh"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+2 {{'math.trunc' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'math.trunc' op failed to infer returned types}}
  %0 = "math.trunc"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'math.atan2' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'math.atan2' op failed to infer returned types}}
  %0 = "math.atan2"(%b, %a) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'math.copysign' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'math.copysign' op failed to infer returned types}}
  %0 = "math.copysign"(%b, %a) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'math.powf' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'math.powf' op failed to infer returned types}}
  %0 = "math.powf"(%b, %a) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'math.clampf' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'math.clampf' op failed to infer returned types}}
  %0 = "math.clampf"(%b, %a, %b) : (tensor<?xf32>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'math.fma' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'math.fma' op failed to infer returned types}}
  %0 = "math.fma"(%b, %a, %b) : (tensor<?xf32>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+2 {{'math.absi' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'}}
  // expected-error@+1 {{'math.absi' op failed to infer returned types}}
  %0 = "math.absi"(%a) : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+2 {{'math.ctlz' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'}}
  // expected-error@+1 {{'math.ctlz' op failed to infer returned types}}
  %0 = "math.ctlz"(%a) : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+2 {{'math.ctpop' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'}}
  // expected-error@+1 {{'math.ctpop' op failed to infer returned types}}
  %0 = "math.ctpop"(%a) : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+2 {{'math.cttz' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'}}
  // expected-error@+1 {{'math.cttz' op failed to infer returned types}}
  %0 = "math.cttz"(%a) : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+2 {{'math.ipowi' op inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<?xi32>'}}
  // expected-error@+1 {{'math.ipowi' op failed to infer returned types}}
  %0 = "math.ipowi"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'math.fpowi' op failed to verify that all of {lhs, result} have same type}}
  %0 = "math.fpowi"(%a, %i) : (tensor<4xf32>, tensor<4xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'math.sincos' op failed to verify that all of {operand, sin, cos} have same type}}
  %0:2 = "math.sincos"(%a) : (tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'math.isfinite' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isfinite"(%a) : (tensor<4xf32>) -> tensor<?xi1>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'math.isinf' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isinf"(%a) : (tensor<4xf32>) -> tensor<?xi1>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'math.isnan' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isnan"(%a) : (tensor<4xf32>) -> tensor<?xi1>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'math.isnormal' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isnormal"(%a) : (tensor<4xf32>) -> tensor<?xi1>
  return
}
