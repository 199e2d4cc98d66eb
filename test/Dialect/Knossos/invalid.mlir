// RUN: %kopt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected a rank from 1 to 16, found 0}}
knossos.func private @rank(!knossos.tensor<0, tuple<>>) -> i64

// -----

// expected-error @below {{a tensor of numbers is a builtin tensor: 'tensor<?x?xf32>'}}
knossos.func private @numbers(!knossos.tensor<2, f32>) -> i64

// -----

knossos.func @unzip(%v: !knossos.tensor<1, tensor<?xf32>>) -> i64 {
  // expected-error @below {{expected a tensor of tuples}}
  %p = unzip %v : !knossos.tensor<1, tensor<?xf32>>
  %i = constant 1 : i64
  return %i : i64
}

// -----

knossos.func @sparse(%shape: !knossos.tensor<1, tuple<>>, %n: i64) -> tuple<tensor<?xf32>> {
  // expected-error @below {{must yield an index and a value for each shape, and have a tensor of these values as its result}}
  %r = build_from_sparse %shape[%n] {
  ^bb0(%i: i64):
    %us = knossos.tuple() : () -> tuple<>
    knossos.yield %us : tuple<>
  } : !knossos.tensor<1, tuple<>> -> tuple<tensor<?xf32>>
  return %r : tuple<tensor<?xf32>>
}

// -----

knossos.func @scan(%x: f32, %v: tensor<?xf32>) -> tuple<f32, tensor<?xf32>> {
  // expected-error @below {{must yield a tuple of the next accumulator and a value, and have a tuple of these as its result}}
  %r = scan %x, %v {
  ^bb0(%a: f32, %e: f32):
    knossos.yield %e : f32
  } : f32, tensor<?xf32> -> tuple<f32, tensor<?xf32>>
  return %r : tuple<f32, tensor<?xf32>>
}

// -----

knossos.func @scan(%x: f32, %v: tensor<?x?xf32>) -> tuple<f32, tensor<?xf32>> {
  // expected-error @below {{scans vectors only}}
  %r = scan %x, %v {
  ^bb0(%a: f32, %e: f32):
    %p = knossos.tuple(%a, %e) : (f32, f32) -> tuple<f32, f32>
    knossos.yield %p : tuple<f32, f32>
  } : f32, tensor<?x?xf32> -> tuple<f32, tensor<?xf32>>
  return %r : tuple<f32, tensor<?xf32>>
}

// -----

knossos.func @bench(%v: tensor<?xf32>) -> i64 {
  // expected-error @below {{must yield a number}}
  // expected-error @below {{the time must be a float}}
  %t = bench {
  ^bb0(%n: i64):
    knossos.yield %v : tensor<?xf32>
  } : i64
  return %t : i64
}
