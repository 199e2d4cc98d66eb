// RUN: %kopt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: %if mlir-opt %{ %mlir-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect %}

// Names of values that enclosing operations define before, although operations that are isolated from above cannot use them.

// expected-note@+1 {{previously defined here}}
%0 = arith.constant 1 : i32
func.func @result() {
  // expected-error@+1 {{redefinition of SSA value '%0'}}
  %0 = arith.constant 2 : i32
  return
}

// -----

// expected-note@+1 {{previously defined here}}
%x:2 = "foo.pair"() : () -> (i32, i32)
module {
  func.func @nested_module() {
    // expected-error@+1 {{redefinition of SSA value '%x'}}
    %x = arith.constant 2 : i32
    return
  }
}

// -----

// expected-note@+1 {{previously defined here}}
%x = arith.constant 1 : i32
func.func @block_argument(%c: i32) {
  cf.br ^bb1(%c : i32)
// expected-error@+1 {{redefinition of SSA value '%x'}}
^bb1(%x : i32):
  return
}

// -----

// expected-note@+1 {{previously referenced here}}
%x = arith.constant 1 : i32
// expected-error@+1 {{region entry argument '%x' is already in use}}
func.func @argument(%x: i1) {
  return
}

// -----

// expected-note@+1 {{previously referenced here}}
"foo.use"(%x) : (i32) -> ()
// expected-error@+1 {{region entry argument '%x' is already in use}}
func.func @used_before(%x: i32) {
  return
}
%x = arith.constant 1 : i32

// -----

// Names that are defined after the function, or in a region that ends before it.
func.func @before() {
  %0 = arith.constant 2 : i32
  return
}
"foo.region"() ({
  %1 = arith.constant 2 : i32
}) : () -> ()
func.func private @declared(%0: i32)
func.func @between() {
  %1 = arith.constant 2 : i32
  return
}
%0 = arith.constant 1 : i32
