// Casts that undo each other fold; a conversion leaves casts that are part of the program.
func.func @undone(%a: i32) -> (i32, i32) {
  %0 = builtin.unrealized_conversion_cast %a : i32 to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
  %2 = builtin.unrealized_conversion_cast %a : i32 to i32
  return %1, %2 : i32, i32
}
func.func @several(%a: i32, %b: i64) -> (i32, i64, i32) {
  %0 = builtin.unrealized_conversion_cast %a, %b : i32, i64 to f32
  %1:2 = builtin.unrealized_conversion_cast %0 : f32 to i32, i64
  %2 = builtin.unrealized_conversion_cast %0 : f32 to i32
  return %1#0, %1#1, %2 : i32, i64, i32
}
func.func @live(%a: i64, %c: i1) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  scf.if %c {
    "use"(%0) : (i32) -> ()
  }
  return %0 : i32
}
