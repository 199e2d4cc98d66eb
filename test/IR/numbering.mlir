// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-skip-regions | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-skip-regions | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// Numbers and names of values and blocks.

module {
  "t.iso"() ({
    %0 = "t.a"() : () -> i32
    %1:2 = "t.b"(%0) : (i32) -> (i32, i32)
    "t.c"() ({
      ^bb0(%x: i32, %y: i32):
        %5 = "t.a"(%1#1) : (i32) -> i32
        "t.br"(%5)[^bb2, ^bb1] : (i32) -> ()
      ^bb2:
        %7 = "t.a"(%1#0) : (i32) -> i32
        "t.end"() : () -> ()
      ^bb1(%z: f32):
        %fwd = "t.a"() : () -> i32
        "t.br"()[^bb2] : () -> ()
    }, {
    }, {
      ^bb0:
    }, {
       "t.x"() : () -> ()
       ^q:
       "t.x"() : () -> ()
       ^r:
       "t.x"()[^r] : () -> ()
    }) : () -> ()
  }) : () -> ()
  func.func @a(%arg: i32) -> i32 {
    %c = arith.constant 4 : i32
    %d = arith.constant 5 : i64
    %e = arith.addi %c, %arg : i32
    return %e : i32
  }
  func.func @b(%arg: i32, %q : f32) -> i32 {
    %c = arith.constant 4 : i32
    %t = arith.constant true
    %f = arith.constant 1.0 : f32
    %g = arith.constant dense<1.0> : tensor<4xf32>
    %e = arith.addi %c, %arg : i32
    %h:2 = "t.x"() ({
      ^bb0(%u : i32):
       %z = arith.addi %c, %u : i32
    }) : () -> (i32, i32)
    return %h#1 : i32
  }
  func.func private @decl(i32, f32) -> (i64)
  module @nested {
    func.func @b(%arg: i32, %q : f32) -> i32 {
      %c = arith.constant 4 : i32
      %x = arith.addi %c, %arg : i32
      cf.br ^bb1(%x : i32)
    ^bb1(%m : i32):
      return %m : i32
    }
  }
}
