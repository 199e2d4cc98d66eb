func.func @condition(%c: i1, %x: f32) {
  %r = scf.while (%q = %x) : (f32) -> (f32) {
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%e: f32):
    scf.yield %e : f32
  }
  return
}

func.func @yielded(%c: index, %x: f32) {
  %r = scf.for %i = %c to %c step %c iter_args(%a = %x) -> (f32) {
    scf.yield %i : index
  }
  return
}

func.func @cases(%i: index) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

func.func @step(%i: index) {
  %c0 = arith.constant 0 : index
  scf.parallel (%j) = (%i) to (%i) step (%c0) {
  }
  return
}

func.func @reduction(%i: index, %x: f32, %y: i32) {
  %r = scf.parallel (%j) = (%i) to (%i) step (%i) init (%x) -> f32 {
    scf.reduce(%y : i32) {
    ^bb0(%l: i32, %q: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}

func.func @mapping(%i: index) {
  scf.forall (%j) in (%i) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}

func.func @in_parallel(%i: index) {
  scf.forall (%j) in (%i) {
    scf.forall.in_parallel {
      %0 = arith.constant 1 : i32
    }
  }
  return
}
