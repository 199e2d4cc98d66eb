// The differences are mlir-opt's.
// REQUIRES: mlir-opt
// RUN: not %kopt %s --split-input-file --verify-diagnostics -o %t 2>&1 | grep -o "error: .*" | sort > %t.ours
// RUN: not %mlir-opt %s --split-input-file --verify-diagnostics -o %t 2>&1 | grep -o " error: .*" | cut -c2- | sort > %t.theirs
// RUN: diff %t.theirs %t.ours

// expected-error@+2 {{not this}}
// expected-note-re@+1 {{not {{.*}} this}}
func.func private @a()

// -----

// expected-warning@+2 {{expected 2 operands}}
func.func @b() {
  %0 = "arith.addi"() : () -> i32
  return
}

// -----

func.func @c() {
  %0 = "arith.addi"() : () -> i32
  // expected-error-re@above {{op {{[a-z]+}} 2 operands}}
  // expected-error@above {{but found 0}}
  // expected-error@above {{but found 1}}
  return
}

// -----

// expected-error@below {{dangling}}
