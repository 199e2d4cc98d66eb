// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect -o /dev/null

func.func @execute(%c: i1, %x: i64) -> i64 {
  %v = scf.execute_region -> i64 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb3(%x : i64)
  ^bb2:
    cf.br ^bb3(%x : i64)
  ^bb3(%y: i64):
    scf.yield %y : i64
  }
  scf.execute_region no_inline {
    scf.yield
  }
  %a:2 = scf.execute_region -> (i64, i64) {
    scf.yield %x, %x : i64, i64
  } {tag = 1 : i32}
  scf.execute_region -> () {
    scf.yield
  }
  %w = scf.execute_region -> i64 no_inline {
    scf.yield %x : i64
  } {tag}
  return %v : i64
}

func.func @switch(%i: index, %x: i32) -> i32 {
  %r = scf.index_switch %i {tag = "t"} -> i32
  case 2 {
    scf.yield %x : i32
  }
  case -5 {
    scf.yield %x : i32
  }
  case -0x10 {
    scf.yield %x : i32
  }
  default {
    %0 = arith.addi %x, %x : i32
    scf.yield %0 : i32
  }
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  default {
  }
  scf.index_switch %i
  default {
    scf.yield
  }
  %m:2 = scf.index_switch %i -> i32, f32
  default {
    %f = arith.constant 1.0 : f32
    scf.yield %x, %f : i32, f32
  }
  return %r : i32
}

func.func @parallel(%a: index, %b: index, %s: index, %x: f32) -> f32 {
  scf.parallel (%i, %j) = (%a, %b) to (%b, %b) step (%s, %s) {
    %0 = arith.addi %i, %j : index
  }
  scf.parallel (%i) = (%a) to (%b) step (%s) {
    scf.reduce
  } {mapping = 1 : i32}
  %r = scf.parallel (%i) = (%a) to (%b) step (%s) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %q: f32):
      %0 = arith.addf %l, %q : f32
      scf.reduce.return %0 : f32
    }
  }
  %p:2 = scf.parallel (%i) = (%a) to (%b) step (%s) init (%x, %x) -> (f32, f32) {
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%l: f32, %q: f32):
      scf.reduce.return %l : f32
    }, {
    ^bb0(%l: f32, %q: f32):
      scf.reduce.return %q : f32
    } {tag}
  }
  return %r : f32
}

func.func @forall(%n: index, %m: index, %t: tensor<8x?xf32>) -> tensor<8x?xf32> {
  scf.forall (%i, %j) in (%n, 4) {
    %0 = arith.addi %i, %j : index
  }
  scf.forall (%i, %j) = (%n, 0) to (8, %m) step (2, %n) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8x?xf32>) {
    scf.forall.in_parallel {
    }
  } {mapping = [#gpu.block<x>]}
  scf.forall (%i) = (0) to (8) step (1) {
    scf.forall.in_parallel {
    } {tag}
  }
  return %r : tensor<8x?xf32>
}

func.func @loops(%a: i32, %b: i32, %c: i1, %x: f32) {
  scf.for unsigned %i = %a to %b step %b : i32 {
  } {tag = 1 : i64}
  %z = scf.for %i = %a to %b step %b iter_args(%y = %x) -> (f32) : i32 {
    scf.yield %y : f32
  }
  scf.if %c {
  } else {
  } {tag}
  scf.if %c {
    scf.yield
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {tag}
  %r:2 = scf.while (%q = %x) : (f32) -> (i1, f32) {
    scf.condition(%c) %c, %q : i1, f32
  } do {
  ^bb0(%d: i1, %e: f32):
    scf.yield %e : f32
  }
  return
}

// CHECK-LABEL: func.func @forall_from_zero_by_one
func.func @forall_from_zero_by_one(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.forall (%{{.*}}) in (%arg0) shared_outs
  %r = scf.forall (%i) = (%c0) to (%n) step (%c1) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  // CHECK: } {mapping = [#gpu.warp<x>, #gpu.mask<51>]}
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.warp<x>, #gpu.mask<51>]}
  return %r : tensor<?xf32>
}
