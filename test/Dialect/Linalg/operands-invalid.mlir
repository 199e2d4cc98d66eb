// RUN: %kopt %s --split-input-file --verify-diagnostics

// MLIR accepts and prints these operations, but cannot parse the result.

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

// -----

func.func @f(%a: tensor<4xindex>, %i: index) {
  // expected-error@+1 {{expected 0 sizes of inner tiles, but found 2}}
  %0 = "linalg.unpack"(%a, %a, %i, %i) <{inner_dims_pos = array<i64>, static_inner_tiles = array<i64>}> : (tensor<4xindex>, tensor<4xindex>, index, index) -> tensor<4xindex>
  return
}
