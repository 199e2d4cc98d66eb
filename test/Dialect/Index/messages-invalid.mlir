// What is wrong, in the words of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%x: index) {
  // expected-error@+1 {{'index.casts' op result #0 must be integer or index, but got 'f32'}}
  %0 = index.casts %x : index to f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'index.casts' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = index.casts %i : i32 to i64
  return
}
