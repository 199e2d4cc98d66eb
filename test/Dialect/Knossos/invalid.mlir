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
