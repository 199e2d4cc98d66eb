// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null
// The generic form equals the output of mlir-opt.

#set = affine_set<(d0)[s0] : (d0 - s0 >= 0)>
module attributes {foo.name = "x", foo.list = [1, 2.5, "s", @f::@g, unit]} {
  func.func @f(%x: i32, %t: tensor<?x4xf32>) -> i32 attributes {foo.set = #set} {
    %0:2 = "foo.two"(%x) <{p = 1 : i8}> {a = dense<[1, 2]> : tensor<2xi64>} : (i32) -> (i32, !foo.type<i32, "q">)
    "foo.props"() <["a", 1]> : () -> ()
    "foo.region"(%0#0) ({
    ^bb0(%a: i32):
      "foo.branch"(%a)[^bb1] : (i32) -> ()
    ^bb1:
      "foo.end"() : () -> ()
    }) : (i32) -> ()
    return %0#0 : i32
  }
}
