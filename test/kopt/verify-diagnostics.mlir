// All diagnostics are expected, in each part.
// RUN: %kopt %s --split-input-file --verify-diagnostics
// RUN: %kopt %s --split-input-file --verify-diagnostics=only-expected
// One part has an expected error; standard output is unaffected.
// RUN: %kopt %s -split-input-file -verify-diagnostics -o %t.out
// RUN: FileCheck %s --input-file=%t.out
// CHECK: func.func private @good
func.func private @good()

// -----

func.func @same_line() {
  %0 = "arith.addi"() : () -> i32 // expected-error {{'arith.addi' op expected 2 operands, but found 0}}
  return
}

// -----

func.func @near() {
  // expected-error@+1 {{expected 2 operands}}
  %0 = "arith.addi"() : () -> i32
  %1 = "arith.addi"() : () -> i32
  // expected-error@-1 {{'arith.addi' op}}
  // Two comments after another mean the same line.
  %4 = "arith.addi"() : () -> i32 %5 = "arith.addi"() : () -> f32
  // expected-error @above {{expected 2 operands}}
  // expected-error @above {{signless-integer-like}}
  return
}

// -----

func.func @below_over_other_comments() {
  // expected-error @below {{expected 2 operands}}
  // expected-error-re @below {{all of {value, {{re[a-z]*}}} have same {{t.pe$}}}}
  %0 = "arith.addi"() : () -> i32 %1 = "arith.constant"() {value = 1 : i64} : () -> i32
  return
}

// -----

// A comment can match any number of diagnostics of its line.
func.func @several() {
  // expected-error@+1 {{op expected}}
  %0 = "arith.addi"() : () -> i32 %1 = "arith.addi"() : () -> i32
  return
}

// -----

func.func @notes() {
  // expected-error@+2 {{Dialect `foo' not found}}
  // expected-note@below {{Available dialects}}
  foo.bar
  return
}
