// Loops with unsigned bounds whose sign bit is set, in both back ends. An induction variable that overflows is a fault of the interpreter.
// RUN: %kc run %s --entry narrow --inputs '[-128]' | FileCheck %s --check-prefix=NARROW
// RUN: %kc run %s --entry narrow --inputs '[-128]' --backend interpret | FileCheck %s --check-prefix=NARROW
// NARROW: {{^}}(28, -1)
// RUN: %kc run %s --entry wide --inputs '[9223372036854775806, -9223372036854775806]' | FileCheck %s --check-prefix=WIDE
// RUN: %kc run %s --entry wide --inputs '[9223372036854775806, -9223372036854775806]' --backend interpret | FileCheck %s --check-prefix=WIDE
// WIDE: {{^}}4
// RUN: not %kc run %s --entry overflows --backend interpret 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: error: the induction variable of a loop overflows: 130 is more than 127
func.func @narrow(%to: i8) -> (i64, i8) {
  %from = arith.constant 100 : i8
  %step = arith.constant 1 : i8
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = arith.constant 0 : i8
  %count, %last = scf.for unsigned %i = %from to %to step %step iter_args(%n = %zero, %at = %first) -> (i64, i8) : i8 {
    %next = arith.addi %n, %one : i64
    scf.yield %next, %i : i64, i8
  }
  %minus = arith.addi %last, %to : i8
  return %count, %minus : i64, i8
}

func.func @wide(%from: i64, %to: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %count = scf.for unsigned %i = %from to %to step %one iter_args(%n = %zero) -> (i64) : i64 {
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  return %count : i64
}

func.func @overflows() -> i64 {
  %from = arith.constant 100 : i8
  %to = arith.constant 127 : i8
  %step = arith.constant 10 : i8
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %count = scf.for %i = %from to %to step %step iter_args(%n = %zero) -> (i64) : i8 {
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  return %count : i64
}
