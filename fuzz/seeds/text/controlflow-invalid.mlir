func.func @f0(%c: i32) {
  "cf.assert"(%c) {msg = "x"} : (i32) -> ()
  return
}




func.func @f1(%c: i1) {
  "cf.assert"(%c) {msg = 1 : i32} : (i1) -> ()
  return
}




func.func @f2(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i64):
  return
}




func.func @f3(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1:
  return
}
