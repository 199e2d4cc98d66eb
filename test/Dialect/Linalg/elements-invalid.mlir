// REQUIRES: mlir-opt
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %mlir-opt --split-input-file --verify-diagnostics %s

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.map' op expected shape of input (5) to match shape of output (4)}}
  %0 = linalg.map { arith.addi } ins(%a, %b : tensor<4xi32>, tensor<5xi32>) outs(%a : tensor<4xi32>)
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.map' op expects number of operands to match the arity of mapper, but got: 3 and 2}}
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i32, %y : i32) { linalg.yield %x : i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.map' op expected element type of input 'i32' to match bbArg type 'i64'}}
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i64, %y : i32, %z: i32) { linalg.yield %z : i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.map' op expected type of bb argument #2 ('i64') to match element or self type of the corresponding operand ('i32')}}
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i32, %y : i32, %z: i64) { linalg.yield %y : i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i32, %y : i32, %z: i32) { linalg.yield %x, %y : i32, i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.reduce' op init dimensions [4] doesn't match input dimensions after reduction [5]}}
  %0 = linalg.reduce { arith.addi } ins(%t : tensor<4x5xi32>) outs(%a : tensor<4xi32>) dimensions = [0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.reduce' op number of dimensions after reduction 0 doesn't match the init rank 1}}
  %0 = linalg.reduce { arith.addi } ins(%t : tensor<4x5xi32>) outs(%a : tensor<4xi32>) dimensions = [0, 1]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  %0 = linalg.reduce { arith.addi } ins(%t : tensor<4x5xi32>) outs(%a : tensor<4xi32>) dimensions = [1, 0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.reduce' op expects all outputs to have the same shapes. Shape at output-index 1 is not equal to the shape at output-index 0.}}
  %0:2 = linalg.reduce ins(%t, %t : tensor<4x5xi32>, tensor<4x5xi32>) outs(%a, %b : tensor<4xi32>, tensor<5xi32>) dimensions = [1] (%x : i32, %y : i32, %z: i32, %w: i32) { linalg.yield %x, %y : i32, i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.reduce' op input element type 'i32' does not match corresponding block argument type 'i64'}}
  %0 = linalg.reduce ins(%t : tensor<4x5xi32>) outs(%a : tensor<4xi32>) dimensions = [1] (%x : i64, %y : i32) { linalg.yield %y : i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.broadcast' op input dim 0 should match init dim 1. input: 4, init: 5}}
  %0 = linalg.broadcast ins(%a : tensor<4xi32>) outs(%t : tensor<4x5xi32>) dimensions = [0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 2, init rank: 2}}
  %0 = linalg.broadcast ins(%a : tensor<4xi32>) outs(%t : tensor<4x5xi32>) dimensions = [0, 1]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 3}}
  %0 = linalg.broadcast ins(%a : tensor<4xi32>) outs(%t : tensor<4x5xi32>) dimensions = [3]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.transpose' op dim(result, 0) = 4 doesn't match dim(input, permutation[0]) = 5}}
  %0 = linalg.transpose ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) permutation = [1, 0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.transpose' op permutation is not valid}}
  %0 = linalg.transpose ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) permutation = [1, 1]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.transpose' op input rank 2 does not match init rank 1}}
  %0 = linalg.transpose ins(%t : tensor<4x5xi32>) outs(%a : tensor<4xi32>) permutation = [1, 0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.transpose' op size of permutation 1 does not match the argument rank 2}}
  %0 = linalg.transpose ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) permutation = [0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>, %m: memref<5x4xi32>) {
  // expected-error@below {{'linalg.transpose' op expected to have pure tensor or buffer semantics}}
  linalg.transpose ins(%t : tensor<4x5xi32>) outs(%m : memref<5x4xi32>) permutation = [1, 0]
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.index' op expected parent op with LinalgOp interface}}
  linalg.index 0 : index
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  // expected-error@below {{'linalg.index' op expected dim (4) to be lower than the number of loops (1) of the enclosing LinalgOp}}
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i32, %y : i32, %z: i32) { %c = linalg.index 4 : index
  linalg.yield %y : i32 }
  return
}

// -----

func.func @a(%a: tensor<4xi32>, %b: tensor<5xi32>, %t: tensor<4x5xi32>) {
  %0 = linalg.map ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) (%x : i32, %y : i32, %z: i32) { %c = arith.constant 0 : i64
  // expected-error@below {{'linalg.yield' op type of yield operand 1 ('i64') doesn't match the element type of the enclosing linalg.generic op ('i32')}}
  linalg.yield %c : i64 }
  return
}
