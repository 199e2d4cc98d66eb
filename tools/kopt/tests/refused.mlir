// Refused by kopt as by mlir-opt: the first line of what is said of each part has the same place, and the message of mlir-opt
// in it. Compared by like_mlir_opt.rs.
// -----
"t.x"() {a = -0} : () -> ()
// -----
"t.x"() {a = -0 : i8} : () -> ()
// -----
"t.x"() {a = -0xFF : i8} : () -> ()
// -----
"t.x"() {a = 0xFF : si8} : () -> ()
// -----
"t.x"() {a = 256 : i8} : () -> ()
// -----
"t.x"() {a = -129 : i8} : () -> ()
// -----
"t.x"() {a = -1 : ui8} : () -> ()
// -----
"t.x"() {a = -0 : ui8} : () -> ()
// -----
"t.x"() {a = 128 : si8} : () -> ()
// -----
"t.x"() {a = -9223372036854775809} : () -> ()
// -----
"t.x"() {a = 18446744073709551615 : index} : () -> ()
// -----
"t.x"() {a = 9223372036854775808 : index} : () -> ()
// -----
"t.x"() {a = 18446744073709551616 : index} : () -> ()
// -----
"t.x"() {a = 1 : i0} : () -> ()
// -----
"t.x"() {a = -1 : i0} : () -> ()
// -----
"t.x"() {a = 2 : i1} : () -> ()
// -----
"t.x"() {a = -2 : i1} : () -> ()
// -----
"t.x"() {a = -1 : ui1} : () -> ()
// -----
"t.x"() {a = 1 : si1} : () -> ()
// -----
"t.x"() {a = true : i1} : () -> ()
// -----
"t.x"() {a = true : i8} : () -> ()
// -----
"t.x"() {a = 1e5 : f32} : () -> ()
// -----
"t.x"() {a = .5} : () -> ()
// -----
"t.x"() {a = -.5} : () -> ()
// -----
"t.x"() {a = +1} : () -> ()
// -----
"t.x"() {a = 1 : f32} : () -> ()
// -----
"t.x"() {a = -0x7FC00000 : f32} : () -> ()
// -----
"t.x"() {a = 0x7FC00000 : f16} : () -> ()
// -----
"t.x"() {a = 0x17FC00000 : f32} : () -> ()
// -----
"t.x"() {a = 0x1.0p3 : f32} : () -> ()
// -----
"t.x"() {a = 0x : f64} : () -> ()
// -----
"t.x"() {a = 0xg} : () -> ()
// -----
"t.x"() {a = 1e400} : () -> ()
// -----
"t.x"() {a = 0x1F : f4E2M1FN} : () -> ()
// -----
"t.x"() {a = 0x7F : f6E3M2FN} : () -> ()
// -----
"t.x"() {a = 1 : none} : () -> ()
// -----
"t.x"() {a = 1.0 : i32} : () -> ()
// -----
"t.x"() {a = 1.0 : index} : () -> ()
// -----
"t.x"() {a = "\x"} : () -> ()
// -----
"t.x"() {a = "\0"} : () -> ()
// -----
"t.x"() {a = "\0g"} : () -> ()
// -----
"t.x"() {a = "unterminated} : () -> ()
// -----
"t.x"() {a = dense<[1]> : tensor<i32>} : () -> ()
// -----
"t.x"() {a = dense<[1,2]> : tensor<3xi32>} : () -> ()
// -----
"t.x"() {a = dense<[[1,2],[3]]> : tensor<2x2xi32>} : () -> ()
// -----
"t.x"() {a = dense<[[1,2],3]> : tensor<2x2xi32>} : () -> ()
// -----
"t.x"() {a = dense<1> : tensor<?xi32>} : () -> ()
// -----
"t.x"() {a = dense<1> : tensor<*xi32>} : () -> ()
// -----
"t.x"() {a = dense<1> : i32} : () -> ()
// -----
"t.x"() {a = dense<[1, 0, 2]> : tensor<3xi1>} : () -> ()
// -----
"t.x"() {a = dense<true> : tensor<3xi8>} : () -> ()
// -----
"t.x"() {a = dense<false> : tensor<3xi8>} : () -> ()
// -----
"t.x"() {a = dense<1.0> : tensor<3xi8>} : () -> ()
// -----
"t.x"() {a = dense<1> : tensor<3xf32>} : () -> ()
// -----
"t.x"() {a = dense<-0x7FC00000> : tensor<3xf32>} : () -> ()
// -----
"t.x"() {a = dense<(1,2)> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"t.x"() {a = dense<(1.0)> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"t.x"() {a = dense<1.0> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"t.x"() {a = dense<"0x010000000200"> : tensor<2xi32>} : () -> ()
// -----
"t.x"() {a = dense<"0xzz"> : tensor<2xi32>} : () -> ()
// -----
"t.x"() {a = dense<"zz"> : tensor<2xi32>} : () -> ()
// -----
"t.x"() {a = dense<["abc"]> : tensor<2x!foo.string>} : () -> ()
// -----
"t.x"() {a = dense<[1,2,]> : tensor<2xi32>} : () -> ()
// -----
"t.x"() {a = dense<-1> : tensor<2xui8>} : () -> ()
// -----
"t.x"() {a = dense<[256, 0]> : tensor<2xui8>} : () -> ()
// -----
"t.x"() {a = dense<[128, 127]> : tensor<2xsi8>} : () -> ()
// -----
"t.x"() {a = dense<1> : tensor<2xf32, "enc">} : () -> ()
// -----
"t.x"() {a = dense<"0x1"> : tensor<1xi4>} : () -> ()
// -----
"t.x"() {a = dense<[[1, 2]]> : tensor<2x1xi32>} : () -> ()
// -----
"t.x"() {a = dense<[[1, 2]]> : tensor<2xi32>} : () -> ()
// -----
"t.x"() {a = dense<0> : tensor<tensor<2xi32>>} : () -> ()
// -----
"t.x"() {a = dense<0> : tensor<2xvector<2xi32>>} : () -> ()
// -----
"t.x"() {a = dense<0> : tensor<2xnone>} : () -> ()
// -----
"t.x"() {a = sparse<[[0,0],[1,2]], [1,5,6]> : tensor<3x4xi32>} : () -> ()
// -----
"t.x"() {a = sparse<[[0,0],[1,4]], [1,5]> : tensor<3x4xi32>} : () -> ()
// -----
"t.x"() {a = sparse<[[0,0],[-1,3]], [1,5]> : tensor<3x4xi32>} : () -> ()
// -----
"t.x"() {a = sparse<[[0,0,0]], [1]> : tensor<3x4xi32>} : () -> ()
// -----
"t.x"() {a = sparse<, > : tensor<3xi32>} : () -> ()
// -----
"t.x"() {a = sparse<[[0,0]], 5> : tensor<?x4xi32>} : () -> ()
// -----
"t.x"() {a = array<i32:>} : () -> ()
// -----
"t.x"() {a = array<i32: 1.0>} : () -> ()
// -----
"t.x"() {a = array<i1: true, false, 1>} : () -> ()
// -----
"t.x"() {a = array<i1: 1, 0>} : () -> ()
// -----
"t.x"() {a = array<i8: true>} : () -> ()
// -----
"t.x"() {a = array<f64: 1>} : () -> ()
// -----
"t.x"() {a = array<i7: 1>} : () -> ()
// -----
"t.x"() {a = array<tensor<2xi32>: 1>} : () -> ()
// -----
"t.x"() {a = array<i32: 1,>} : () -> ()
// -----
"t.x"() {a = array<>} : () -> ()
// -----
"t.x"() {a = array} : () -> ()
// -----
"t.x"() {a = dense_resource<foo> : i32} : () -> ()
// -----
"t.x"() {a = dense_resource<> : tensor<i32>} : () -> ()
// -----
"t.x"() {a = distinct[0]} : () -> ()
// -----
"t.x"() {a = distinct[0]<42 : i32>, b = distinct[0]<43 : i32>} : () -> ()
// -----
"t.x"() {a = distinct[-1]<unit>} : () -> ()
// -----
"t.x"() {a = distinct[99999999999999999999]<unit>} : () -> ()
// -----
"t.x"() {a = distinct<unit>} : () -> ()
// -----
"t.x"() {a = strided<1>} : () -> ()
// -----
"t.x"() {a = strided<[1] offset: 1>} : () -> ()
// -----
"t.x"() {a = strided<[1], offest: 1>} : () -> ()
// -----
"t.x"() {a = @f::} : () -> ()
// -----
"t.x"() {a = @f::@} : () -> ()
// -----
"t.x"() {a = @f:@g} : () -> ()
// -----
"t.x"() {a = @a$b.c_d-e} : () -> ()
// -----
"t.x"() {a = @0} : () -> ()
// -----
"t.x"() {a = @é} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> d0>} : () -> ()
// -----
"t.x"() {a = affine_map<(i, i) -> (i)>} : () -> ()
// -----
"t.x"() {a = affine_map<(i)[i] -> (i)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 / 2)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 ^ 2)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 * d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d1)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (2 floordiv d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 + +1)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (9223372036854775808)>} : () -> ()
// -----
"t.x"() {a = affine_set<(d0) : (d0 > 1)>} : () -> ()
// -----
"t.x"() {a = affine_set<(d0) : (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0 -> (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<d0 -> (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0,)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0, 1) -> (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0)[d0] -> (d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 + )>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> ((d0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (1.5)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 * 1.5)>} : () -> ()
// -----
"t.x"() {a = 1, a = 2} : () -> ()
// -----
"t.x"() {"a" = 1, a = 2} : () -> ()
// -----
"t.x"() {"" = 1} : () -> ()
// -----
"t.x"() {a-b = 1} : () -> ()
// -----
"t.x"() {1 = 2} : () -> ()
// -----
"t.x"() {a = 1,} : () -> ()
// -----
"t.x"() {,} : () -> ()
// -----
"t.x"() {a =} : () -> ()
// -----
"t.x"() {a : 1} : () -> ()
// -----
"t.x"() {a = [1,]} : () -> ()
// -----
"t.x"() {a = [1 2]} : () -> ()
// -----
"t.x"() {a = {b, b}} : () -> ()
// -----
"t.x"() {a = foo} : () -> ()
// -----
"t.x"() {a = opaque<"a", "0x">} : () -> ()
// -----
"t.x"() {a = #foo} : () -> ()
// -----
"t.x"() {a = #foo<} : () -> ()
// -----
"t.x"() {a = #foo<a(b} : () -> ()
// -----
"t.x"() {a = #foo<a)b>} : () -> ()
// -----
"t.x"() {a = #foo<{[(]}>} : () -> ()
// -----
"t.x"() {a = #foo.bar <x>} : () -> ()
// -----
"t.x"() {a = #foo."x"} : () -> ()
// -----
"t.x"() {a = #"foo"} : () -> ()
// -----
"t.x"() {a = #foo."} : () -> ()
// -----
"t.x"() {a = #1} : () -> ()
// -----
"t.x"() {a = #} : () -> ()
// -----
"t.x"() {a = #arith.foo} : () -> ()
// -----
"t.x"() {a = #arith<foo>} : () -> ()
// -----
"t.x"() {a = #builtin.int<4>} : () -> ()
// -----
"t.x"() {a = #builtin.unit} : () -> ()
// -----
"t.x"() {a = unit : i32} : () -> ()
// -----
"t.x"() {a = [1] : i32} : () -> ()
// -----
"t.x"() {a = i32 : i32} : () -> ()
// -----
"t.x"() {a = loc(callsite("a" in "b"))} : () -> ()
// -----
"t.x"() {a = loc("f":1 to 2:4)} : () -> ()
// -----
"t.x"() {a = loc("f":1:)} : () -> ()
// -----
"t.x"() {a = loc("f":-1:1)} : () -> ()
// -----
"t.x"() {a = loc("f":99999999999:1)} : () -> ()
// -----
"t.x"() {a = loc(foo)} : () -> ()
// -----
"t.x"() {a = loc()} : () -> ()
// -----
"t.x"() {a = loc("a" "b")} : () -> ()
// -----
"t.x"() : () -> (i16777216)
// -----
"t.x"() : () -> (i99999999999999)
// -----
"t.x"() : () -> (i)
// -----
"t.x"() : () -> (ui)
// -----
"t.x"() : () -> (f31)
// -----
"t.x"() : () -> (f8)
// -----
"t.x"() : () -> (foo)
// -----
"t.x"() : () -> (vector<>)
// -----
"t.x"() : () -> (vector<4>)
// -----
"t.x"() : () -> (vector<4x>)
// -----
"t.x"() : () -> (vector<x4xf32>)
// -----
"t.x"() : () -> (vector<0xf32>)
// -----
"t.x"() : () -> (vector<-1xf32>)
// -----
"t.x"() : () -> (vector<?xf32>)
// -----
"t.x"() : () -> (vector<*xf32>)
// -----
"t.x"() : () -> (vector<4x4xtensor<f32>>)
// -----
"t.x"() : () -> (vector<4xnone>)
// -----
"t.x"() : () -> (vector<[4xf32>)
// -----
"t.x"() : () -> (vector<[]xf32>)
// -----
"t.x"() : () -> (vector<[?]xf32>)
// -----
"t.x"() : () -> (vector<0x4xf32>)
// -----
"t.x"() : () -> (vector<0x0xf32>)
// -----
"t.x"() : () -> (tensor<0xFxf32>)
// -----
"t.x"() : () -> (tensor<4xf32, 1, 2>)
// -----
"t.x"() : () -> (tensor<-1xf32>)
// -----
"t.x"() : () -> (tensor<4xfoo>)
// -----
"t.x"() : () -> (tensor<4xf32)
// -----
"t.x"() : () -> (tensor<99999999999999999999xf32>)
// -----
"t.x"() : () -> (tensor<9223372036854775808xf32>)
// -----
"t.x"() : () -> (tensor<4xmemref<4xf32>>)
// -----
"t.x"() : () -> (tensor<4xtuple<i32>>)
// -----
"t.x"() : () -> (tensor<4x() -> ()>)
// -----
"t.x"() : () -> (tensor<tensor<4xf32>>)
// -----
"t.x"() : () -> (tensor<4xcomplex<index>>)
// -----
"t.x"() : () -> (complex<index>)
// -----
"t.x"() : () -> (complex<tensor<f32>>)
// -----
"t.x"() : () -> (complex<complex<f32>>)
// -----
"t.x"() : () -> (complex<>)
// -----
"t.x"() : () -> (memref<>)
// -----
"t.x"() : () -> (memref<*xf32, affine_map<(d0) -> (d0)>>)
// -----
"t.x"() : () -> (memref<*xf32, strided<[1]>>)
// -----
"t.x"() : () -> (memref<*xf32, 1, 2>)
// -----
"t.x"() : () -> (memref<4xf32, 1, 2>)
// -----
"t.x"() : () -> (memref<4xf32, affine_map<(d0, d1) -> (d0)>>)
// -----
"t.x"() : () -> (memref<4x4xf32, strided<[1]>>)
// -----
"t.x"() : () -> (memref<4xf32, 1, affine_map<(d0) -> (d0)>>)
// -----
"t.x"() : () -> (memref<4xf32, [1, 2]>)
// -----
"t.x"() : () -> (memref<4xf32, 1.0>)
// -----
"t.x"() : () -> (memref<4xf32, unit>)
// -----
"t.x"() : () -> (memref<4xf32, @foo>)
// -----
"t.x"() : () -> (memref<4xf32, i32>)
// -----
"t.x"() : () -> (memref<4xf32, dense<0> : tensor<2xi32>>)
// -----
"t.x"() : () -> (memref<4xtensor<4xf32>>)
// -----
"t.x"() : () -> (memref<4xnone>)
// -----
"t.x"() : () -> (memref<4xtuple<i32>>)
// -----
"t.x"() : () -> (tuple<)
// -----
"t.x"() : () -> (tuple<i32,>)
// -----
"t.x"() : () -> (tuple<i32 f32>)
// -----
"t.x"() : () -> (tuple)
// -----
"t.x"() : () -> (none<>)
// -----
"t.x"() : () -> (() -> () -> i32)
// -----
"t.x"() : () -> () -> i32
// -----
"t.x"() : () -> (() -> () -> ())
// -----
"t.x"() : () -> i32, f32
// -----
"t.x"() : i32
// -----
"t.x"() : () -> (!foo)
// -----
"t.x"() : () -> (!foo.bar<[}>)
// -----
"t.x"() : () -> (!"foo")
// -----
"t.x"() : () -> (!)
// -----
"t.x"() : () -> (!1)
// -----
"t.x"() : () -> (!foo. bar)
// -----
"t.x"() : () -> (!foo.bar .baz)
// -----
"t.x"() : () -> (!builtin.foo)
// -----
"t.x"() : () -> (!builtin.int<32>)
// -----
"t.x"() : () -> (!arith.foo)
// -----
"t.x"() : () -> (!vector.foo<1>)
// -----
"t.x"() : () -> (!func.func)
// -----
"t.x"() : () -> (opaque<"foo", "bar">)
// -----
"t.x"() : () -> (strided<[1]>)
// -----
"t.x"() : () -> (@foo)
// -----
"t.x"() : () -> (1)
// -----
"t.x"() : () -> ("x")
// -----
"t.x"() : () -> (index<>)
// -----
"t.x"() : () -> (tensor<4xf32>,)
// -----
"t.x"() : () -> (tensor<4xf32> tensor<4xf32>)
// -----
"t.x"() : (f32) -> ()
// -----
"t.x"() : ()
// -----
"t.x"() : () -
// -----
"t.x"() : () ->
// -----
"t.x"() : () -> (
// -----
"t.x"()
// -----
"t.x"
// -----
"t.x
// -----
""() : () -> ()
// -----
x() : () -> ()
// -----
t.x() : () -> ()
// -----
t.x
// -----
return
// -----
1
// -----
@foo
// -----
%0
// -----
%0 =
// -----
%0 = "t.x"() : () -> ()
// -----
%0 = "t.x"() : () -> (i32, i32)
// -----
%0:2 = "t.x"() : () -> (i32)
// -----
%0:0 = "t.x"() : () -> ()
// -----
%0:-1 = "t.x"() : () -> (i32)
// -----
%0:a = "t.x"() : () -> (i32)
// -----
%0, %0 = "t.x"() : () -> (i32, i32)
// -----
%a:2 = "t.x"() : () -> (i32, i32) "t.u"(%a#2) : (i32) -> ()
// -----
%a:2 = "t.x"() : () -> (i32, i32) "t.u"(%a#x) : (i32) -> ()
// -----
%a = "t.x"() : () -> (i32) "t.u"(%a#1) : (i32) -> ()
// -----
%a = "t.x"() : () -> (i32) %a = "t.x"() : () -> (i32)
// -----
%a = "t.x"() : () -> (i32) "t.u"(%a) : (f32) -> ()
// -----
"t.u"(%a) : (f32) -> ()
// -----
"t.u"(%a, %b) : (f32) -> ()
// -----
"t.u"(%a, ) : (f32) -> ()
// -----
"t.u"(%a %a) : (f32) -> ()
// -----
"t.u"(a) : (f32) -> ()
// -----
"t.u"(^bb0) : (f32) -> ()
// -----
%0 = "t.x"(%1) : (i32) -> (i32) %1 = "t.x"(%0) : (i32) -> (f32)
// -----
%0a = "t.x"() : () -> (i32)
// -----
% a = "t.x"() : () -> (i32)
// -----
%é = "t.x"() : () -> (i32)
// -----
%"a" = "t.x"() : () -> (i32)
// -----
"t.x"()[^bb1] : () -> ()
// -----
"t.x"()[] : () -> ()
// -----
"t.x"()[^bb1]({^bb1: "t.y"() : () -> ()}) : () -> ()
// -----
"t.x"() ({"t.y"()[^bb1,] : () -> () ^bb1: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({"t.y"()[^bb1:2] : () -> () ^bb1: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({"t.y"()[bb1] : () -> () ^bb1: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({^bb0: ^bb0: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a : i32, %a : i32): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a: i32,): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(a: i32): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a#1: i32): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a: i32) "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0(%a: i32 {x}): "t.z"(%a) : (i32) -> ()}) : () -> ()
// -----
"t.x"() ({^bb0}) : () -> ()
// -----
"t.x"() ({},) : () -> ()
// -----
"t.x"() ({} {}) : () -> ()
// -----
"t.x"() () : () -> ()
// -----
"t.x"() ({^: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({^bb0: ^bb1: "t.z"() : () -> ()}) : () -> ()
// -----
"t.x"() ({"t.y"(%a) : (i32) -> () ^bb1: %a = "t.z"() : () -> i32}) : () -> ()
// -----
"t.x"() {a} ({}) : () -> ()
// -----
"t.x"() <{a = 1}> [] ({}) {b} : () -> ()
// -----
"t.x"() <{a, a}> : () -> ()
// -----
"builtin.module"() <{sym_name = "x"}> ({}) : () -> ()
// -----
"builtin.module"() ({}) {sym_name = "x"} : () -> ()
// -----
"builtin.module"() ({}) {foo = "x"} : () -> ()
// -----
"builtin.module"() : () -> ()
// -----
"builtin.module"() ({^bb0: ^bb1:}) : () -> ()
// -----
"builtin.module"() ({^bb0(%a: i32):}) : () -> ()
// -----
"builtin.module"() ({}, {}) : () -> ()
// -----
"arith.foo"() : () -> ()
// -----
arith.foo
// -----
foo.bar
// -----
"func.func"() : () -> ()
// -----
"func.func"() ({}) {sym_name = "f", function_type = () -> ()} : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = i32, sym_visibility = "private"}> ({}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "foo"}> ({}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "private", arg_attrs = [{}]}> ({}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = [1]}> ({}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = [{a = 1}]}> ({}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({^bb0: "t.y"() : () -> ()}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({^bb0(%a: f32): "t.y"() : () -> ()}) : () -> ()
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a %b : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b overflow : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b {overflowFlags = 1} : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i64) -> i32 { %0 = arith.addi %a, %b : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b : f32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b : i64 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b : (i32, i32) -> i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0, %1 = arith.addi %a, %b : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi(%a, %b) : i32 return %0 : i32 }
// -----
func.func @a(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b, %a : i32 return %0 : i32 }
// -----
func.func @a(%a: i32) -> i1 { %0 = arith.cmpi foo, %a, %a : i32 return %0 : i1 }
// -----
func.func @a(%a: i32) -> i1 { %0 = arith.cmpi slt %a, %a : i32 return %0 : i1 }
// -----
func.func @a(%a: f32) -> i1 { %0 = arith.cmpf slt, %a, %a : f32 return %0 : i1 }
// -----
func.func @a(%a: f32) -> f32 { %0 = arith.addf %a, %a fastmath<fast : f32 return %0 : f32 }
// -----
func.func @a(%a: f32) -> f32 { %0 = arith.addf %a, %a to_nearest_even : f32 return %0 : f32 }
// -----
func.func @a(%a: f64) -> f32 { %0 = arith.truncf %a : f64 -> f32 return %0 : f32 }
// -----
func.func @a(%a: f32) -> f64 { %0 = arith.truncf %a : f32 to f64 return %0 : f64 }
// -----
func.func @a(%a: i32) -> i32 { %0 = arith.extsi %a : i32 to i32 return %0 : i32 }
// -----
func.func @a(%a: i32) -> i64 { %0 = arith.extui %a nneg : i32 to i64 return %0 : i64 }
// -----
func.func @a(%a: i32) -> f32 { %0 = arith.uitofp %a nneg : i32 to f32 return %0 : f32 }
// -----
func.func @a(%a: i32) -> f64 { %0 = arith.bitcast %a : i32 to f64 return %0 : f64 }
// -----
func.func @a(%a: vector<4xi32>) -> vector<2xf64> { %0 = arith.bitcast %a : vector<4xi32> to vector<2xf64> return %0 : vector<2xf64> }
// -----
func.func @a(%a: tensor<4xi32>) -> tensor<?xindex> { %0 = arith.index_cast %a : tensor<4xi32> to tensor<?xindex> return %0 : tensor<?xindex> }
// -----
func.func @a(%a: i32) -> i64 { %0 = arith.index_cast %a : i32 to i64 return %0 : i64 }
// -----
func.func @a() { %c = arith.constant 1 : i32 {foo = 1} return }
// -----
func.func @a() { %c = arith.constant "x" : i32 return }
// -----
func.func @a() { %c = arith.constant unit return }
// -----
func.func @a() { %c = arith.constant 1 : ui32 return }
// -----
func.func @a() { %c = arith.constant i32 return }
// -----
func.func @a() { %c = arith.constant dense<[1,2]> : vector<[2]xi32> return }
// -----
func.func @a(%a: i32) { %0:2 = arith.addui_extended %a, %a : i32, i32 return }
// -----
func.func @a(%a: vector<2xi32>) { %0:2 = arith.addui_extended %a, %a : vector<2xi32>, i1 return }
// -----
func.func @a(%a: i32) { %0 = arith.negf %a : i32 return }
// -----
func.func @a(%a: ui32) { %0 = arith.addi %a, %a : ui32 return }
// -----
func.func @a(%a: memref<2xi32>) { %0 = arith.addi %a, %a : memref<2xi32> return }
// -----
func.func @a(%a: tensor<2xi32>, %b: tensor<?xi32>) { %0 = "arith.cmpi"(%a, %b) <{predicate = 2 : i64}> : (tensor<2xi32>, tensor<?xi32>) -> tensor<2xi1> return }
// -----
func.func @a(%a: i32) { %0 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1 return }
// -----
func.func @a(%a: i32) { %0 = "arith.cmpi"(%a) {predicate = 2 : i64} : (i32) -> i1 return }
// -----
func.func @a(%a: i32) { %0 = "arith.addi"(%a, %a) : (i32, i32) -> () return }
// -----
func.func @a(%a: i32) { "arith.addi"(%a, %a) : (i32, i32) -> (i32, i32) return }
// -----
func.func @a(%a: i32) { "arith.addi"(%a, %a) ({}) : (i32, i32) -> (i32) return }
// -----
func.func @a(%a: i32) { %r = arith.scaling_extf %a, %a : i32, i32 to i32 return }
// -----
func.func @m(%a: f32) { %0 = math.absi %a : f32 return }
// -----
func.func @m(%a: f32) { %0 = math.clampf %a to %a, %a : f32 return }
// -----
func.func @m(%a: f32, %i: i32) { %0 = math.fpowi %a, %i : f32, f32 return }
// -----
func.func @i(%a: index) { %0 = index.add %a, %a : index return }
// -----
func.func @i(%a: index) { %0 = index.cmp slt %a, %a return }
// -----
func.func @i(%a: index) { %0 = index.cmp foo(%a, %a) return }
// -----
func.func @i(%a: index) { %0 = index.constant 4.0 return }
// -----
func.func @i(%a: index) { %0 = index.constant 4 : index return }
// -----
func.func @i(%a: index) { %0 = index.casts %a : index to index return }
// -----
func.func @u() { %0 = ub.poison <1> : i32 return }
// -----
func.func @u() { %0 = ub.poison return }
// -----
func.func @f
// -----
func.func @f()
// -----
func.func foo @f()
// -----
func.func "f"()
// -----
func.func @f(i32) { return }
// -----
func.func private @f(i32, f32 {b = 1})
// -----
func.func private @f(%a: i32, f32)
// -----
func.func private @f(i32, %a: f32)
// -----
func.func @f(%a: i32, ...) { return }
// -----
func.func private @f(i32, ...)
// -----
func.func @f() -> i32 { return }
// -----
func.func @f() -> (i32, i32) { %0 = "t.x"() : () -> i32 return %0 : i32 }
// -----
func.func @f() -> (i32) { %0 = "t.x"() : () -> f32 return %0 : f32 }
// -----
func.func @f() -> (i32) { %0 = "t.x"() : () -> f32 return %0 : i32 }
// -----
func.func @f() -> (i32) { %0 = "t.x"() : () -> i32 return %0 }
// -----
func.func @f() -> (i32) { %0 = "t.x"() : () -> i32 return %0 : (i32) }
// -----
func.func @f() {a} { return }
// -----
func.func @f() { return } {a}
// -----
func.func @f() { }
// -----
func.func @f() { ^bb0: }
// -----
func.func @f() { return return }
// -----
func.func @f() { return ^bb1: }
// -----
func.func @f() { return } func.func @f() { return }
// -----
func.func @f(%a: i32) { ^bb0(%b: i32): return }
// -----
func.func @f(%a: i32) { ^bb0: return }
// -----
func.func @f(%a: i32, %a: i32) { return }
// -----
func.func @f(%a: i32) { %a = "t.x"() : () -> i32 return }
// -----
func.func @f(%a) { return }
// -----
func.func @f(%a: ) { return }
// -----
func.func @f(%a: i32,) { return }
// -----
func.func @f(%a: i32 { return }
// -----
func.func @f(%a: i32)) { return }
// -----
func.func @f() -> i32, i32 { return }
// -----
func.func @f() : i32 { return }
// -----
func.func @f() -> { return }
// -----
func.func @f() -> (i32 {a = 1}) { %0 = "t.x"() : () -> i32 return %0 : i32 }
// -----
func.func @f() { call @g() : () -> () return }
// -----
func.func @f() { call @f(1) : () -> () return }
// -----
func.func @f(%a: i32) { call @f(%a) : (f32) -> () return }
// -----
func.func @f(%a: i32) { call @f(%a) : (i32) -> i32 return }
// -----
func.func @f(%a: i32) { call @f(%a, %a) : (i32, i32) -> () return }
// -----
func.func @f(%a: i32) { call @f(%a) : () -> () return }
// -----
func.func @f(%a: i32) { %c = func.constant @f : (f32) -> () return }
// -----
func.func @f(%a: i32) { %c = func.constant @g : (f32) -> () return }
// -----
func.func @f(%a: i32) { call @f %a : (i32) -> () return }
// -----
func.func @f() { call @m::@f() : () -> () return }
// -----
module @m attributes {a = 1} { }
// -----
module @m { module @n { func.func private @f() } func.func @g() { call @n::@f() : () -> () return } }
// -----
module @m { } module @m { }
// -----
module }
// -----
module {}}
// -----
func.func @f() loc("x") { return }
// -----
func.func @f() { return loc(#nope) }
// -----
#a.b = 1 : i32
// -----
!a.b = i32
// -----
#a
// -----
#a =
// -----
!a = 1
// -----
"builtin.module"() ({ }) : () -> ()
// -----
"t.x"() : () -> () /* c */
// -----
/ x
// -----
"t.x"() : () -> ();
// -----
cf.br ^bb0
// -----
func.func @f(%c: i1, %a: i32) -> i32 { cf.cond_br %c, ^bb1, ^bb2 ^bb1(%x: i32): return %x : i32 ^bb2: cf.br ^bb1(%a: i32) }
// -----
func.func @f(%c: i1, %a: i32) -> i32 { cf.br ^bb1(%c: i1) ^bb1(%x: i32): return %x : i32 }
// -----
func.func @f(%c: i1, %a: i32) -> i32 { cf.br ^bb1(%a, %a: i32) ^bb1(%x: i32): return %x : i32 }
// -----
func.func @f(%c: i1, %a: i32) -> i32 { cf.br ^nope }
// -----
func.func @f(%c: i1, %a: i32) -> i32 { cf.br bb1 ^bb1: return %a : i32 }
// -----
func.func @f(%c: i1, %a: i32) -> i32 { ^bb1: cf.br ^bb1 }
// -----
func.func @f(%c: i32) { cf.switch %c : i32, [ 1: ^bb1 ] ^bb1: return }
// -----
func.func @f(%c: i32) { cf.switch %c : i32, [ default: ^bb1 1: ^bb1 ] ^bb1: return }
// -----
func.func @f(%c: i1) { cf.assert %c "msg" return }
// -----
func.func @f(%c: i1) { cf.assert %c, msg return }
// -----
func.func @f(%c: i32) { cf.assert %c, "msg" return }
// -----
func.func @f(%n: index) { scf.for %i = %n to %n { } return }
// -----
func.func @f(%n: i32) { scf.for %i = %n to %n step %n { scf.yield } return }
// -----
func.func @f(%n: index, %x: f32) { %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32, f32) { scf.yield %a : f32 } return }
// -----
func.func @f(%n: index, %x: f32) { %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) { } return }
// -----
func.func @f(%n: index, %x: f32) { %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) { scf.yield %n : index } return }
// -----
func.func @f(%c: i1) { %r = scf.if %c -> i32 { scf.yield } return }
// -----
func.func @f(%c: i1) { %r = scf.if %c -> (i32) { %0 = "t.x"() : () -> i32 scf.yield %0 : i32 } return }
// -----
func.func @f(%c: i32) { scf.if %c { } return }
// -----
func.func @f(%c: i1) { scf.if %c return }
// -----
func.func @f(%c: i1) { scf.if %c { } else return }
// -----
func.func @f(%x: f32) { %r = scf.while (%a = %x) : (f32) -> f32 { scf.yield %a : f32 } do { ^bb0(%b: f32): scf.yield %b : f32 } return }
// -----
func.func @f(%x: f32) { scf.yield }
// -----
func.func @f(%n: index) { scf.parallel (%i, %j) = (%n) to (%n, %n) step (%n, %n) { } return }
// -----
func.func @f(%n: index) { scf.forall (%i, %j) in (%n) { } return }
// -----
func.func @f(%n: index) { scf.index_switch %n case 1 { scf.yield } case 1 { scf.yield } default { scf.yield } return }
// -----
func.func @f(%n: index) { scf.index_switch %n case 1 { scf.yield } return }
// -----
func.func @f(%n: i32) { scf.index_switch %n default { scf.yield } return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.dim %t, %i : tensor<?xf32> %1 = tensor.extract %t[%i] : tensor<?xf32> %2 = tensor.extract %t[] : tensor<?xf32> return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.extract %t[%i, %i] : tensor<?xf32> return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.cast %t : tensor<?xf32> to tensor<4xi32> return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.cast %t : tensor<?xf32> to tensor<4x4xf32> return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.empty() : tensor<?xf32> return }
// -----
func.func @f(%t: tensor<?xf32>, %i: index) { %0 = tensor.empty(%i) : tensor<4xf32> return }
// -----
func.func @f(%t: tensor<?xf32>, %x: f32) { %0 = tensor.splat %x : tensor<?xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.extract_slice %t[0] [2, 1] [1, 1] : tensor<4x4xf32> to tensor<2xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.extract_slice %t[0, 0] [5, 1] [1, 1] : tensor<4x4xf32> to tensor<5x1xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x4xf32> into tensor<16xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<15xf32> return }
// -----
func.func @f(%t: tensor<4x4xf32>) { %0 = tensor.collapse_shape %t [[1, 0]] : tensor<4x4xf32> into tensor<16xf32> return }
// -----
func.func @f(%t: tensor<16xf32>) { %0 = tensor.expand_shape %t [[0, 1]] : tensor<16xf32> into tensor<4x4xf32> return }
// -----
func.func @f(%t: tensor<16xf32>) { %0 = tensor.expand_shape %t [[0, 1]] output_shape [4, 5] : tensor<16xf32> into tensor<4x5xf32> return }
// -----
func.func @f(%t: tensor<4xf32>, %x: f32) { %0 = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %x : f32 } : tensor<4xf32> to tensor<5xf32> return }
// -----
func.func @f(%t: tensor<4xf32>, %x: i32) { %0 = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %x : i32 } : tensor<4xf32> to tensor<6xf32> return }
// -----
func.func @f(%t: tensor<4xf32>, %x: f32) { %0 = tensor.pad %t low[1] high[1] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<4xf32> to tensor<6xf32> return }
// -----
func.func @f(%n: index, %x: f32) { %0 = tensor.generate %n { ^bb0(%i: index): tensor.yield %x : f32 } : tensor<4xf32> return }
// -----
func.func @f(%t: tensor<4xf32>, %u: tensor<4x4xf32>) { %0 = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<8xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.load %m[%i, %i] : memref<4xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %i: i32) { %0 = memref.load %m[%i] : memref<4xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: i32) { memref.store %x, %m[%i] : memref<4xf32> return }
// -----
func.func @f() { %0 = memref.alloc() : memref<?xf32> return }
// -----
func.func @f() { %0 = memref.alloc() {alignment = 3} : memref<4xf32> return }
// -----
func.func @f() { %0 = memref.alloc() {alignment = 8 : i32} : memref<4xf32> return }
// -----
func.func @f(%i: index) { %0 = memref.alloc(%i) : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>> return }
// -----
func.func @f(%m: memref<4xf32>) { %0 = memref.cast %m : memref<4xf32> to memref<5xf32> return }
// -----
func.func @f(%m: memref<4x4xf32>) { %0 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32> return }
// -----
func.func @f(%m: memref<4x4xf32>) { %0 = memref.transpose %m (i, j) -> (i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>> return }
// -----
memref.global @g : memref<2xf32> = dense<[1, 2]> : tensor<2xi32>
// -----
func.func @f() { %0 = memref.get_global @g : memref<2xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) { %0 = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32 return }
// -----
func.func @f(%m: memref<4xf32>, %i: index) { memref.prefetch %m[%i], read, locality<5>, data : memref<4xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.extract %v[4] : f32 from vector<4xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.extract %v[0, 1] : f32 from vector<4xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.broadcast %v : vector<4xf32> to vector<3xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.shape_cast %v : vector<4xf32> to vector<5xf32> return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.reduction <and>, %v : vector<4xf32> into f32 return }
// -----
func.func @f(%v: vector<4xf32>) { %0 = vector.transpose %v, [0, 1] : vector<4xf32> to vector<4xf32> return }
// -----
func.func @f(%v: vector<4x2xf32>) { %0 = vector.transpose %v, [0, 1] : vector<4x2xf32> to vector<2x4xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) { %0 = vector.transfer_read %m[%i, %i], %x : memref<4xf32>, vector<4xf32> return }
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: i32) { %0 = vector.transfer_read %m[%i], %x : memref<4xf32>, vector<4xf32> return }
// -----
func.func @f(%i: index) { %0 = vector.create_mask %i, %i : vector<4xi1> return }
// -----
func.func @f() { %0 = vector.constant_mask [5] : vector<4xi1> return }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<9x16xf32>, %c: tensor<4x16xf32>) { %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<9x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32> return }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) { linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) return }
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) { %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4xf32> return }
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) { %0 = linalg.reduce { arith.addf } ins(%a : tensor<4xf32>) outs(%b : tensor<f32>) dimensions = [1] return }
// -----
func.func @f(%a: tensor<4x2xf32>, %b: tensor<2x4xf32>) { %0 = linalg.transpose ins(%a : tensor<4x2xf32>) outs(%b : tensor<2x4xf32>) permutation = [1, 1] return }
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4x2xf32>) { %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<4x2xf32>) dimensions = [0] return }
// -----
func.func @f(%b: tensor<4x2xf32>) { %i = linalg.index 0 : index return }
// -----
func.func @f(%b: tensor<4x2xf32>, %x: f32) { %0 = linalg.fill ins(%x : f32) outs(%b : tensor<4x2xf32>) return }
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = 32, "a" = 1>} {}
// -----
module attributes {dlti.foo = 1} {}
// -----
%0 = memref.alloca() : memref<4xf32}
// -----
module attributes dlti.foo { = 3 } {}
// -----
func.constant private @other(i32) -> i32
// -----
"private" "private" @scalar : memref<f32>
// -----
func.func @f() {
  %0 = 4 "foo" : i32
  return
}
// -----
func.func @f() {
  scf.forall (%k) in (3, 5) { }
  return
}
// -----
func.func @closed_twice(%a: i32) -> i32 {
  return %a : 
}
}
// -----
func.func @f() {
  scf.forall )%k, %l) in (4) { }
  return
}
// -----
func.func @f() {
  scf.forall (%k) in (4, %x) { }
  return
}
// -----
func.func private @declared(f32, tensor<? ?xf32>) -> (i64, i1)
// -----
func.func @f(%s: f32) {
  %0 : arith.truncf %s : f32 to f32
  return
}
// -----
func.func @operand(%i: i32) {
  %0 , arith.addf %i, %i : i32
  return
}
// -----
module attributes {a.fast = #arith.fastmath< nnan ,  >, a.flow = #arith.overflow<nuw,nsw>} {}
// -----
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.cmpi %x, %x : i32
  return %0 : i32
}
// -----
func.func @string_case(%a: f16) -> i1 {
  %0 = arith.cmpi "slt", %a, %a : f16
  return %0 : i1
}
// -----
"linalg.mmt4d"() <{operandSegmentSizes = array<i0: 1, 0>}> ({
^bb0:
  linalg.yield
}) : () -> ()
// -----
func.func @f(%n: i32) {
  %0 = "arith.cmpi"(%n, %n) <{}"arith.cmpi" : (i32, i32) -> i1
  return
}
// -----
func.func @elsewhere(%i: i0) {
  %0 = arith.addf %i, %i : i0 loc("elsewhere.mlir":100:3
  return
}
// -----
func.func @f(%v1: vector<4xf32>) {
  %0 = vector.extract %v1[0%m 0] : f32 from vector<4xf32>
  return
}
// -----
func.func @f(%w: vector<2x4xf32>) {
  %0 = vector.extract %w[0, <, 2] : f32 from vector<2x4xf32>
  return
}
// -----
"linalg.conv_3d"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0:
  linalg.pooling_nwc_sum
}) : () -> ()
// -----
func.func @condition_inside(%c: i1) -> i1 {
  cf.cond_br %c, ^yes, ^no
^c:
  return %c : i1
^no:
  return %c : i1
}
// -----
func.func @f(%i: i32, %x: index) {
  %0 = tensor.generate %x { ^bb0(%a: i1): tensor.yield %i : i32 } : tensor<?xf32>
  return
}
// -----
func.func @f(%s: f32, %x: index) {
  %0 = tensor.generate  { ^bb0(%a: index): tensor.yield %s : f32 } : tensor<4x5xf32>
  return
}
// -----
func.func @f(%t: tensor<4x5xi32>) {
  linalg.exp ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) -> tensor<0x5xi32>
  return
}
// -----
func.func @f(%m: memref<4x5xf32>, %x: vector<2x2xi32>) {
  memref.prefetch %m[%x %x, %x], read, locality<5>, data : memref<4x5xf32>
  return
}
// -----
func.func @f(%b: tensor<2x5xi1>) {
  linalg.sub ins(%b, %b : tensor<2x5xi1>, tensor<2x5xi1>) outs(%b : tensor<2x5xi1>) -> tensor<2x5xi1>
  return
}
// -----
func.func @f(%f: tensor<4x5xf32>) {
  linalg.copy {cast = 4294967296} ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
// -----
func.func @known(%x: i32, %y: i32) -> i32 {
  %true = arith.constant i32
  cf.cond_br %true, ^yes(%x : i32), ^no
^yes(%p: i32):
  return %p : i32
^no:
  return %y : i32
}
// -----
func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  %0 = tensor.pad %f low[1] high[1, 1] { ^bb0(%a: ui16, %c: ui16): tensor.yield %s : f32 } : tensor<4x5xf32> to tensor<5x6xf32>
  return
}
// -----
func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  %0 = tensor.pad %f low[1, 1] high[1, 1] { ^bb0(%a: memref<?xf32>): tensor.yield %s : f32 } : tensor<4x5xf32> to tensor<6x7xf32>
  return
}
// -----
func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  linalg.pack %f outer_dims_perm = [0] inner_dims_pos = [0> 1] ] = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}
// -----
func.func @spaces(%m: memref<4xf32, 1>) -> memref<4xf32, 3> {
  %0 = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32, 2>
  %1 = memref.memory_space_cast %0 : memref<4xf32, 2> to memref<4xf32, 3return
  > %1 : memref<4xf32, 3>
}
// -----
func.func @conv_1d_f32(%0: tensor<4xindex>, %1: tensor<3xindex>, %2: tensor<2xindex>) -> tensor<2xindex> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<4xindex>, tensor<3xindex>) outs(%2 : tensor<2xindex>) -> tensor<2xindex>
  return %r : tensor<2xindex>
}
// -----
func.func @div_unsigned_i32(%0: tensor<4x?xi1>, %1: tensor<4x?xi1>, %2: tensor<4x?xi1>) -> tensor<4x?xi1> {
  %r = linalg.div_unsigned ins(%0, %1 : tensor<4x?xi1>, tensor<4x?xi1>) outs(%2 : tensor<4x?xi1>) -> tensor<4x?xi1>
  return %r , tensor<4x?xi1>
}
// -----
func.func @whole_subview(%m: memref<8x16xf32, strided<[16, 1]>>) -> memref<8x16xf32, strided<[16, 1]>> {
  %0 = memref.subview %m[0, 0] [8, 16] [1, 1] : memref<8x16xf32, strided<[16, 1]>> to memref<8x16xf32, strided<[16, 1]>>
  return %0 : memref<8x16xf32, strided<[, 1]>>
}
// -----
func.func @powers(%x: f32, %a: i32, %i: index, %v: vector<4xf32>, %w: vector<4xi32>) {
  %r0 = math.fpowi %x, %a : f32, i32
  %r1 = math.fpowi %x, %i : f32, index
  %r2 = math.fpowi %v, %w fastmath< <fast> : vector<4xf32>, vector<4xi32>
  %r3 = math.ipowi %a, %a : i32
  return
}
// -----
func.func @switches(%a: f16, %b: i64) {
  cf.switch %a : f16, [
    default: ^bb1(%a : f16),
    42: ^bb2(%a, %b : f16, i64),
    -1: ^bb3
  ]
^bb1(%p: f16):
  cf.switch %b : i64, [
    default: ^bb3
  ] {note}
^bb2(%q: f16, %r: i64):
  cf.switch %a : f16, [
    default: ^bb3,
    1: ^bb3
  ]
^bb3:
  return
}
// -----
func.func @switches(%a: i32, %b: i64) {
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    42: ^bb2(%a, %b : i32, i64),
    -?: ^bb3
  ]
^bb1(%p: i32):
  cf.switch %b : i64, [
    default: ^bb3
  ] {note}
^bb2(%q: i32, %r: i64):
  cf.switch %a : i32, [
    default: ^bb3,
    1: ^bb3
  ]
^bb3:
  return
}
// -----
#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @nothing(%m: memref<4xindex>, %e: memref<3x0xf32>, %x: index) {
  linalg.copy ins(%m : memref<4xindex>) outs(%m : memref<4xindex>)
  linalg.fill ins(%x : index) outs(%e : memref<3x0xf32>)
  return
}
// -----
func.func @reduced_subview(%m: memref<8x16xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c4 = arith.constant 4 : index
  %c2 = arith.cmpf 2 : index
  %0 = memref.subview %m[%c2, 0] [1, %c4] [1, %c2] : memref<8x16xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %0 : memref<?xf32, strided<[?], offset: ?>>
}
// -----
func.func @switches(%a: i32, %b: i64) {
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    9223372036854775808: ^bb2(%a, %b : i32, i64),
    -1: ^bb3
  ]
^bb1(%p: i32):
  cf.switch %b : i64, [
    default: ^bb3
  ] {note}
^bb2(%q: i32, %r: i64):
  cf.switch %a : i32, [
    default: ^bb3,
    1: ^bb3
  ]
^bb3:
  return
}
// -----
func.func @pooling_nwc_max_i32(%0: tensor<0x13x4xi32>, %1: tensor<5xi32>, %2: tensor<0x3x4xi32>) -> tensor<0x3x4xi32> {
  %r = linalg.pooling_nwc_max {dilations = dense<0> : tensor<1xi64>, strides = dense<0> : tensor<1xi64>} ins(%0, %1 : tensor<0x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<0x3x4xi32>) -> tensor<0x3x4xi32>
  return %r : tensor<0x3x4xi32>
}
// -----
func.func @identities(%m: memref<4x6xf32>) -> (memref<4x6xf32>, memref<24xf32>) {
  %0 = memref.atomic_rmw %m to offset: [0], sizes: [4, 6], strides: [6, 1] : memref<4x6xf32> to memref<4x6xf32>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [24], strides: [1] : memref<4x6xf32> to memref<24xf32>
  return %0, %1 : memref<4x6xf32>, memref<24xf32>
}
// -----
func.func @pooling_nwc_max_f32(%0: tensor<2x13x4xf32>, %1: tensor<5xf32>, %2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.pooling_nwc_max_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xf32>, tensor<5xf32>) outs(%2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
// -----
func.func @pooling_nwc_min_unsigned_i32(%0: tensor<2x13x4xi32>, %1: tensor<5xi32>, %2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x13x4xi32>, tensor<5xi32>) outs(%2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}
// -----
func.func @classify(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  %r0 = math.isfinite %x : f32
  %r1 = math.isfinite %v : vector<4xf32>
  %r2 = math.isinf %x : f32
  %r3 = math.isinf %v : vector<4xf32>
  %r4 = math.isnan %x : f32
  %r5 = math.isnan %v : vector<4xf32>
  %r6 = math.isnormal %x : f32
  %r7 = math.isnormal %v : vector<4xi8>
  return
}
// -----
func.func @depthwise_conv_1d_ncw_cw_f32(%0: tensor<2x4x13xf32>, %1: tensor<4x5xf32>, %2: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %r = linalg.pooling_nwc_min_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<2x4x13xf32>, tensor<4x5xf32>) outs(%2 : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}
// -----
func.func @conv_2d_nhwc_fhwc_f32(%0: tensor<2x15x19x8xf32>, %1: tensor<5x6x7x8xf32>, %2: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi8>} ins(%0, %1 : tensor<2x15x19x8xf32>, tensor<5x6x7x8xf32>) outs(%2 : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}
// -----
func.func private @f() -> (i32, )
// -----
func.func private @f() -> (i32 f32)
// -----
func.func @f(%a: tensor<4x2xf32>, %b: tensor<2x4xf32>) { %0 = linalg.transpose ins(%a : tensor<4x2xf32>) outs(%b : tensor<2x4xf32>) permutation = [1, 0, ] return }
// -----
func.func @f(%a: tensor<4xf32>) { %0 = linalg.map ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) (%x: f32, ) { linalg.yield %x : f32 } return }
// -----
"builtin.module"() ({
  "builtin.module"() ({}) : () -> ()
}) : () -> ()
// -----
func.func @f() {
  "builtin.module"() ({}) : () -> ()
  return
}
// -----
"test.op"() ({
  "builtin.module"() ({}) {sym_name = "a"} : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({}) : () -> ()
// -----
module {
  "builtin.module"() ({}) : () -> ()
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([0, 0]), ^a, ^b
^a:
  return
^b:
  return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1]), ^a, ^b
^a:
  return
^b:
  return
}
// -----
func.func @f(%a: vector<8xf32>, %b: vector<4x16xf32>) {
  %0 = vector.broadcast %b : vector<4x16xf32> to vector<8xf32>
}
// -----
func.func @f() {
  %0 = arith.constant 1 : i32
}
// -----
func.func @f(%c: i1) {
  cf.br ^a
^a:
  "foo.x"() ({
    %0 = arith.constant 1 : i32
  ^bb1:
    %1 = arith.constant 1 : i32
  }) : () -> ()
  %0 = arith.constant 1 : i32
}
// -----
func.func @f(%a: tensor<f32>, %i: index) -> index {
  %0 = tensor.dim %a, %i : tensor<f32>
  return %0 : index
}
// -----
func.func @f(%a: tensor<2xf32, "foo">) -> tensor<2xf64, "bar"> {
  %0 = arith.extf %a : tensor<2xf32, "foo"> to tensor<2xf64, "bar">
  return %0 : tensor<2xf64, "bar">
}
// -----
func.func @f(%a: tensor<2xi32, "foo">) -> tensor<2xf64> {
  %0 = arith.sitofp %a : tensor<2xi32, "foo"> to tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
func.func @f(%a: tensor<2xi32, "foo">) -> tensor<2xf32> {
  %0 = arith.bitcast %a : tensor<2xi32, "foo"> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f() attributes {sym_visibility = "private"}
// -----
func.func @f() attributes {sym_name = "private"}
// -----
func.func @f() {
  scf.forall (%i) in (4) {
  } {mapping = ["a"]}
  return
}
// -----
func.func @f() {
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.mask<51>]}
  return
}
// -----
func.func @f() {
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.warp<x>, #gpu.mask<51>, #gpu.mask<51>]}
  return
}
// -----
func.func @f() {
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.address_space<global>]}
  return
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["window"]} outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>] ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>], iterator_types = ["parallel"]} outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%v: vector<2x4xf32>, %e: memref<2x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v : vector<2x4xf32>) outs(%e : memref<2x4xf32>) {
   ^bb0(%a: f32, %b : f32):
   linalg.yield %a : f32
  }
  return
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {iterator_types = ["parallel"]} outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic [1] outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], foo = 2} {foo = 1} outs(%t : tensor<4xi32>) {
  ^bb0(%a: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%a: tensor<4xi32>, %b: i32) {
  linalg.fill {operandSegmentSizes = array<i32: 1, 1>} ins(%b : i32) outs(%a: tensor<4xi32>) -> tensor<4xi32>
  return
}
// -----
func.func @f(%a: index) {
  scf.for unsigned %i = %a to %a step %a {
  } {unsignedCmp}
  return
}
// -----
func.func @f(%a: index) {
  scf.index_switch %a
  case 1 {
    return
  }
  default {
    scf.yield
  }
  return
}
// -----
func.func @f(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.subview %m[0, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
}
// -----
func.func @f(%v : vector<4x6xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction #arith.fastmath<fast>, %v, %acc [1] : vector<4x6xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
// -----
module attributes {a.b = #dlti.target_system_spec<>} {}
// -----
module attributes {a.b = #dlti.target_system_spec<"a" = 1>} {}
// -----
module attributes {a.b = #dlti.target_device_spec<#dlti.dl_entry<i32, 1>>} {}
// -----
module attributes {a.b = #dlti.target_system_spec<#dlti.dl_entry<i32, #dlti.target_device_spec<#dlti.dl_entry<"a", 1>>>>} {}
// -----
module attributes {a.b = #dlti.map<#dlti.dl_entry<"", 1>>} {}
// -----
module attributes {a.b = #dlti.map<#dlti.dl_entry<"a", 1>, "a" = 1>} {}
// -----
module {}
{-# dialect_resources: {builtin: {blob: "not hex"}} #-}
// -----
module {}
{-# dialect_resources: {builtin: {blob: true}} #-}
// -----
module {}
{-# dialect_resources: {builtin: {blob: "0x08"}} #-}
// -----
module {}
{-# dialect_resources: {builtin: {blob: "0x0300000001"}} #-}
// -----
module {}
{-# external_resources: {foo: {blob: 3}} #-}
