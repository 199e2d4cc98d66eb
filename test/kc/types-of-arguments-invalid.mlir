// RUN: not kc run %s --entry complex --inputs '[1]' 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not kc run %s --entry scalable --inputs '[1]' 2>&1 | FileCheck %s --check-prefix=SCALABLE
// RUN: not kc run %s --entry wide --inputs '[1, 340282366920938463463374607431768211456]' 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not kc run %s --entry wide --inputs '[1, 2]' -o %t.npz 2>&1 | FileCheck %s --check-prefix=ARCHIVE
// RUN: not kc run %s --entry vector --inputs '[[1, 2, 3]]' 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not kc build %s --emit=header 2>&1 | FileCheck %s --check-prefix=LIBRARY

// COMPLEX: error: result 1 of function 'complex' has type 'complex<f16>', which callers cannot use
// COMPLEX: {{.*}}types-of-arguments-invalid.mlir:[[#@LINE+2]]:1
// COMPLEX: note: callers pass and receive indices, integers, floats (f16, bf16, f32, f64), complex numbers (complex<f32>, complex<f64>), and vectors of a fixed length, ranked tensors and memrefs of these
func.func @complex(%a: f16) -> complex<f16> {
  %0 = complex.create %a, %a : complex<f16>
  return %0 : complex<f16>
}

// SCALABLE: error: argument 1 of function 'scalable' has type 'vector<[4]xf32>', which callers cannot use
func.func @scalable(%a: vector<[4]xf32>) {
  return
}

// WIDE: error: argument 2: 340282366920938463463374607431768211456 is out of the range of int128 (-170141183460469231731687303715884105728 to 170141183460469231731687303715884105727)
// ARCHIVE: error: '{{.*}}.npz' holds tensors of NumPy's number types, but 'result' is an integer (int128)
// LIBRARY: error: argument 2 of function 'wide' has type 'i128', which libraries cannot have
// LIBRARY: {{.*}}types-of-arguments-invalid.mlir:[[#@LINE+3]]:1
// LIBRARY: note: callers of a library pass and receive indices, integers of up to 64 bits, Booleans, floats (f16, bf16, f32, f64), complex numbers (complex<f32>, complex<f64>), vectors of these of a fixed length, and ranked tensors and memrefs, whose integers have 8, 16, 32 or 64 bits
// LIBRARY: error: result 1 of function 'wide' has type 'i128', which libraries cannot have
func.func @wide(%a: i64, %b: i128) -> i128 {
  return %b : i128
}

// VECTOR: error: argument 1: expected a tensor of shape [4], found [3]
func.func @vector(%a: vector<4xi32>) -> i32 {
  %0 = vector.extract %a[0] : i32 from vector<4xi32>
  return %0 : i32
}

// LIBRARY: error: argument 1 of function 'narrow' has type 'tensor<4xi7>', which libraries cannot have
// LIBRARY: error: argument 2 of function 'narrow' has type 'vector<2xi65>', which libraries cannot have
// LIBRARY: error: result 1 of function 'narrow' has type 'vector<2xi65>', which libraries cannot have
func.func @narrow(%a: tensor<4xi7>, %b: vector<2xi65>) -> vector<2xi65> {
  return %b : vector<2xi65>
}
