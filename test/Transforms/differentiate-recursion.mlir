// The derivative of a recursive function makes one call of itself at each level, which gives value and gradient together.
// RUN: %kopt %s --differentiate --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @power.rev_0(
// CHECK-NOT: call @power(
// CHECK: call @power.rev_0(
// CHECK-NOT: call
// CHECK-LABEL: func.func private @power.rev(
// CHECK-NOT: call @power(
// CHECK: call @power.rev_0(
// CHECK-NOT: call
// CHECK-LABEL: func.func @gradient
func.func @power(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %done = arith.cmpi eq, %n, %c0 : i64
  %result = scf.if %done -> (f64) {
    scf.yield %one : f64
  } else {
    %less = arith.subi %n, %c1 : i64
    %rest = func.call @power(%less, %x) : (i64, f64) -> f64
    %product = arith.mulf %x, %rest : f64
    scf.yield %product : f64
  }
  return %result : f64
}

func.func @gradient(%n: i64, %x: f64, %d: f64) -> f64 {
  %g = diff.rev @power(%n, %x)(%d) : (i64, f64, f64) -> f64
  return %g : f64
}
