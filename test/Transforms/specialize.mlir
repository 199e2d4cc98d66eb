// RUN: %kopt %s --specialize | FileCheck %s
// RUN: %kopt %s --specialize=max-functions=1 | FileCheck %s --check-prefix=ONE

// Each call with a constant has a copy of the callee, in which recursion on the constant ends.
// CHECK-LABEL: func.func @main
// CHECK: call @power_0(%arg0) : (i64) -> i64
// CHECK-LABEL: func.func private @power(
// CHECK: func.func private @power_0(%arg0: i64)
// CHECK: call @power_1(%arg0) : (i64) -> i64
// CHECK: func.func private @power_1(%arg0: i64)
// CHECK: call @power_2(%arg0) : (i64) -> i64
// CHECK: func.func private @power_2(%arg0: i64)
// CHECK-NEXT: arith.constant 1
// ONE: call @power_0(%arg0) : (i64) -> i64
// ONE: func.func private @power_0
// ONE: call @power(%arg0, %
// ONE-NOT: @power_1
func.func @main(%x: i64) -> i64 {
  %two = arith.constant 2 : i64
  %0 = func.call @power(%x, %two) : (i64, i64) -> i64
  return %0 : i64
}
func.func private @power(%x: i64, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %0 = scf.if %done -> (i64) {
    scf.yield %one : i64
  } else {
    %less = arith.subi %n, %one : i64
    %rest = func.call @power(%x, %less) : (i64, i64) -> i64
    %product = arith.muli %x, %rest : i64
    scf.yield %product : i64
  }
  return %0 : i64
}

// A function that must not be inlined is not cloned.
// CHECK-LABEL: func.func @kept
// CHECK: call @out_of_line(%{{.*}})
func.func @kept() -> i64 {
  %two = arith.constant 2 : i64
  %0 = func.call @out_of_line(%two) : (i64) -> i64
  return %0 : i64
}
func.func private @out_of_line(%x: i64) -> i64 attributes {no_inline} {
  return %x : i64
}

// The argument of the second call is the result of the first one, which is replaced before.
// CHECK-LABEL: func.func @chain
// CHECK: %[[ONCE:.*]] = call @power_0(%arg0) : (i64) -> i64
// CHECK: call @power_0(%[[ONCE]]) : (i64) -> i64
func.func @chain(%x: i64) -> i64 {
  %two = arith.constant 2 : i64
  %0 = func.call @power(%x, %two) : (i64, i64) -> i64
  %1 = func.call @power(%0, %two) : (i64, i64) -> i64
  return %1 : i64
}
