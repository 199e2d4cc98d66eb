// RUN: %kopt %s --split-input-file --verify-diagnostics

// What MLIR takes here prints, but does not read back.

// expected-error@+1 {{expected op with 1 input and 1 output}}
"linalg.exp"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0:
  linalg.yield
}) : () -> ()

// -----

func.func @f(%a: memref<f32>) {
  // expected-error@+1 {{expected op with 2 inputs and 1 output}}
  "linalg.add"(%a) <{operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }) : (memref<f32>) -> ()
  return
}
