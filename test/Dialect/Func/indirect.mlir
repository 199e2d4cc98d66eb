// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func private @callee(i32, f32) -> (i32, f32)
func.func private @attrs(i32 {a.b}, f32) -> (i32 {a.c = 1 : i32}, f32) attributes {tag}
func.func @indirect(%x: i32 {a.k}, %y: f32) -> (i32 {a.l}) attributes {no_inline} {
  %f = func.constant @callee : (i32, f32) -> (i32, f32)
  %g = func.constant {tag} @callee : (i32, f32) -> (i32, f32)
  %0:2 = func.call_indirect %f(%x, %y) : (i32, f32) -> (i32, f32)
  %1:2 = call_indirect %g(%x, %y) {tag} : (i32, f32) -> (i32, f32)
  %2:2 = func.call @callee(%x, %y) {no_inline} : (i32, f32) -> (i32, f32)
  return %0#0 : i32
}

func.func @attributes_of_arguments(%f: (i32) -> i32, %x: i32) -> i32 {
  %0 = "func.call_indirect"(%f, %x) <{arg_attrs = [{foo.a = 1 : i32}], res_attrs = [{foo.b}]}> : ((i32) -> i32, i32) -> i32
  %1 = "func.call"(%0) <{arg_attrs = [{foo.a = 1 : i32}], callee = @other, no_inline, res_attrs = [{foo.b}]}> : (i32) -> i32
  return %1 : i32
}

func.func private @other(i32) -> i32
