func.func @f0(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}




func.func @f1(%a: f32) {
  %0 = arith.addi %a, %a : f32
  return
}




func.func @f2(%a: si32) {
  %0 = arith.addi %a, %a : si32
  return
}




func.func @f3(%a: memref<2xi32>) {
  %0 = arith.addi %a, %a : memref<2xi32>
  return
}
