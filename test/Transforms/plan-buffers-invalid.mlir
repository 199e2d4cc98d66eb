// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" --split-input-file --verify-diagnostics

// The effect of concurrent iterations on a shared tensor is unknown.
func.func @shared(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'scf.forall' op has no bufferization}}
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @each(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.select' op with a condition for each element has no bufferization}}
  %r = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @loop(%t: tensor<4xf32>, %n: index) {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  // expected-error@+1 {{'scf.for' op forwards the buffer of a tensor, whose lifetime ends in its block}}
  %r = scf.for %i = %n to %n step %n iter_args(%a = %m) -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  }
  return
}
