// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f() {
  // expected-error@+1 {{'func.call' op 'nothing' does not reference a valid function}}
  %0 = func.call @nothing() : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'nothing'}}
  %0 = func.constant @nothing : () -> ()
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'func.return' op must be the last operation in the parent block}}
  func.return %s : f32
  return
}

// -----

func.func @f(%f: () -> ()) {
  // expected-error@+1 {{invalid properties {arg_attrs = 1 : i32} for op func.call_indirect: Invalid attribute `arg_attrs` in property conversion: 1 : i32}}
  "func.call_indirect"(%f) <{arg_attrs = 1 : i32}> : (() -> ()) -> ()
  return
}
