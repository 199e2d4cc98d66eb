func.func @public_declaration(i32)

func.func @wrong_return(%x: i32) -> f32 {
  return %x : i32
}
