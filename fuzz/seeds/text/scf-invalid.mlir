func.func @yields_too_little(%c: i1) {
  %r = scf.if %c -> (f32) {
    scf.yield
  } else {
    scf.yield
  }
  return
}

func.func @no_else(%c: i1, %x: f32) {
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  }
  return
}
