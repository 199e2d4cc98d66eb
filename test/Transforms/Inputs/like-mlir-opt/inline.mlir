// Declarations stay, definitions that nothing calls go.
module {
  func.func private @decl(i32)
  func.func private @unused_def(%a: i32) -> i32 { return %a : i32 }
  func.func nested @nested_def(%a: i32) -> i32 { return %a : i32 }
  func.func @f(%a: i32) -> i32 { %0 = call @unused_def(%a) : (i32) -> i32 return %0 : i32 }
  func.func private @cand(%a: i32) -> i32 { return %a : i32 }
}
