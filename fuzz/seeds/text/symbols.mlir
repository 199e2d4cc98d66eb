func.func private @even(%n: i32) {
  call @odd(%n) : (i32) -> ()
  return
}
func.func private @odd(%n: i32) {
  call @even(%n) : (i32) -> ()
  return
}
func.func private @helper(%n: i32) {
  return
}
func.func @main(%n: i32) {
  call @helper(%n) : (i32) -> ()
  return
}
