// RUN: not kc run %s --entry wide --inputs '[1]' 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not kc run %s --entry vector --inputs '[1]' 2>&1 | FileCheck %s --check-prefix=VECTOR

// WIDE: error: argument #1 of function 'wide' has type 'i128', which callers cannot use
// WIDE: note: callers pass and receive indices, integers of at most 64 bits, floats (f16, bf16, f32, f64), and ranked tensors and memrefs of these
func.func @wide(%a: i64, %b: i128) -> i64 {
  return %a : i64
}

// VECTOR: error: result #0 of function 'vector' has type 'vector<4xf32>', which callers cannot use
func.func @vector(%a: f32) -> vector<4xf32> {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  return %0 : vector<4xf32>
}
