// REQUIRES: mlir-opt
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %mlir-opt --split-input-file --verify-diagnostics %s

func.func @a(%x: f4E2M1FN, %s: f8E8M0FNU) {
  // expected-error@below {{'arith.scaling_extf' op operand types 'f4E2M1FN', 'f8E8M0FNU' and result type 'f4E2M1FN' are cast incompatible}}
  %0 = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f4E2M1FN
  return
}

// -----

func.func @a(%x: f32, %s: f8E8M0FNU) {
  // expected-error@below {{'arith.scaling_truncf' op operand types 'f32', 'f8E8M0FNU' and result type 'f64' are cast incompatible}}
  %0 = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f64
  return
}

// -----

func.func @a(%x: i32, %s: f8E8M0FNU) {
  // expected-error@below {{'arith.scaling_extf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.scaling_extf %x, %s : i32, f8E8M0FNU to f32
  return
}
