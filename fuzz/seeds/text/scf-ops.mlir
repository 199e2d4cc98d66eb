func.func @loops(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    %next = arith.addf %a, %a : f32
    scf.yield %next : f32
  }
  scf.for %i = %c0 to %n step %c1 {
  }
  return %sum : f32
}

func.func @branches(%c: i1, %x: f32, %y: f32) -> f32 {
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  scf.if %c {
  }
  return %r : f32
}

func.func @while(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %r = scf.while (%a = %n) : (i64) -> i64 {
    %go = arith.cmpi sgt, %a, %one : i64
    scf.condition(%go) %a : i64
  } do {
  ^bb0(%b: i64):
    %next = arith.subi %b, %one : i64
    scf.yield %next : i64
  }
  return %r : i64
}
