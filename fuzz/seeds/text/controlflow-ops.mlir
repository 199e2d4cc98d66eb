func.func @assertion(%c: i1) {
  cf.assert %c, "it holds"
  cf.assert %c, "with \"quotes\"" {note}
  return
}

func.func @branches(%c: i1, %a: i32, %x: f32) {
  cf.br ^bb1
^bb1:
  cf.br ^bb2(%a, %x : i32, f32)
^bb2(%p: i32, %q: f32):
  cf.cond_br %c, ^bb1, ^bb3(%p : i32)
^bb3(%r: i32):
  cf.cond_br %c weights([1, 7]), ^bb2(%r, %q : i32, f32), ^bb4 {note}
^bb4:
  return
}

func.func @switches(%a: i32, %b: i64) {
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    42: ^bb2(%a, %b : i32, i64),
    -1: ^bb3
  ]
^bb1(%p: i32):
  cf.switch %b : i64, [
    default: ^bb3
  ] {note}
^bb2(%q: i32, %r: i64):
  cf.switch %a : i32, [
    default: ^bb3,
    1: ^bb3
  ]
^bb3:
  return
}
