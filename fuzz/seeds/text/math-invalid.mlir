func.func @f0(%a: i32) {
  %0 = math.absf %a : i32
  return
}




func.func @f1(%a: f32) {
  %0 = math.absi %a : f32
  return
}




func.func @f2(%a: f32, %b: f64) {
  %0 = "math.powf"(%a, %b) : (f32, f64) -> f32
  return
}




func.func @f3(%a: f32) {
  %0 = "math.isnan"(%a) : (f32) -> i32
  return
}
