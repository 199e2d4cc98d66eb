// What is wrong, in the words of mlir-opt.
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
