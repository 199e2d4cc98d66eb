// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f() {
  // expected-error@+1 {{reference to an undefined block}}
  cf.br ^bb1
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected attribute value}}
  %t1 = arith.constant true cf.assert %t1, no
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{expected 'default'}}
  cf.switch %i : i32, [ 1: ^bb1 ] ^bb1:
  return
}
