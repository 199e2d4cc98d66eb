// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

module @outer attributes {my.note} {
  func.func @casts(%a: i32, %b: f32) -> index {
    %0 = builtin.unrealized_conversion_cast %a : i32 to index
    %1:2 = builtin.unrealized_conversion_cast %a, %b : i32, f32 to index, i64
    %2 = builtin.unrealized_conversion_cast to f32 {note = 1 : i32}
    return %0 : index
  }
  module {
  }
  module @inner {
  }
}
