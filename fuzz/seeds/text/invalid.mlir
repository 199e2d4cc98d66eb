func.func @undefined() -> i32 {
  return %nothing : i32
}

func.func @misspelt(%x: i32) -> i32 {
  %r = arith.adi %x, %x : i32
  return %r : i32
}

func.func @wrong_type(%x: i32) -> i32 {
  %r = arith.addf %x, %x : f32
  return %x : i32
}
