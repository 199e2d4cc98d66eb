func.func @known_condition(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.if %false -> (i32) {
    scf.yield %x : i32
  } else {
    %s = arith.muli %x, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}

func.func @to_select(%c: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @unused_result(%c: i1, %x: i32, %y: f32) -> f32 {
  %r:2 = scf.if %c -> (i32, f32) {
    %a = arith.muli %x, %x : i32
    %b = arith.mulf %y, %y : f32
    scf.yield %a, %b : i32, f32
  } else {
    scf.yield %x, %y : i32, f32
  }
  return %r#1 : f32
}

func.func @nested(%a: i1, %b: i1, %m: memref<i32>, %x: i32) {
  scf.if %a {
    scf.if %b {
      memref.store %x, %m[] : memref<i32>
    }
  }
  return
}

func.func @trips(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = scf.for %i = %c1 to %c0 step %c1 iter_args(%p = %x) -> (i32) {
    %s = arith.muli %p, %p : i32
    scf.yield %s : i32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %x) -> (i32) {
    %s = arith.muli %p, %p : i32
    scf.yield %s : i32
  }
  return %none, %once : i32, i32
}

func.func @carried(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x) -> (i32, i32) {
    %s = arith.addi %p, %q : i32
    scf.yield %s, %q : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @while_never(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.while (%p = %x) : (i32) -> i32 {
    %s = arith.muli %p, %p : i32
    scf.condition(%false) %s : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return %r : i32
}

func.func @while_unused(%x: i32, %y: f32) -> i32 {
  %r:2 = scf.while (%p = %x, %u = %y) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi slt, %p, %x : i32
    scf.condition(%c) %p, %y : i32, f32
  } do {
  ^bb0(%q: i32, %v: f32):
    %n = arith.addi %q, %x : i32
    scf.yield %n, %y : i32, f32
  }
  return %r#0 : i32
}
