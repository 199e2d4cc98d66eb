func.func @casts(%i: i32) {
  %0 = index.casts %i : i32 to i32
  return
}

func.func @operand(%x: f32) {
  %0 = "index.castu"(%x) : (f32) -> i32
  return
}

func.func @constant() {
  %0 = "index.constant"() <{value = 1 : i32}> : () -> index
  return
}
