func.func @unknown_callee(%x: i32) {
  call @nowhere(%x) : (i32) -> ()
  return
}

func.func private @takes_one(f32) -> f32

func.func @calls_badly(%x: i32, %y: f32) {
  %0 = call @takes_one(%x) : (i32) -> f32
  %1 = call @takes_one(%y, %y) : (f32, f32) -> f32
  call @takes_one(%y) : (f32) -> ()
  return
}
