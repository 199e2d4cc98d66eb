func.func private @declared(f32, tensor<?xf32>) -> (i64, i1)

func.func @with_attributes(%x: i32 {test.a = 1 : i32}) -> (i32 {test.b}) attributes {test.c = "x"} {
  return %x : i32
}

func.func @calls(%x: f32, %t: tensor<?xf32>) -> i64 {
  %r:2 = call @declared(%x, %t) : (f32, tensor<?xf32>) -> (i64, i1)
  return %r#0 : i64
}
