// RUN: %kopt %s --pass-pipeline="builtin.module(mem2reg)" | FileCheck %s
// RUN: %mlir-opt %s --mem2reg | FileCheck %s --check-prefix=UPSTREAM
// Upstream differs in two ways: what nobody wrote is `ub.poison` there and zero here, as evaluation has it; and upstream
// leaves slots that regions of structured control flow use.

// Where branches bring different values the block gets an argument.
// CHECK-LABEL: func.func @merge
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK-NEXT: cf.cond_br %[[C]], ^[[THEN:.*]], ^[[END:.*]](%[[X]] : i32)
// CHECK: ^[[THEN]]:
// CHECK-NEXT: cf.br ^[[END]](%[[Y]] : i32)
// CHECK: ^[[END]](%[[R:.*]]: i32):
// CHECK-NEXT: return %[[R]]
// UPSTREAM-LABEL: func.func @merge
// UPSTREAM-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// UPSTREAM-NEXT: cf.cond_br %[[C]], ^[[THEN:.*]], ^[[END:.*]](%[[X]] : i32)
// UPSTREAM: ^[[THEN]]:
// UPSTREAM-NEXT: cf.br ^[[END]](%[[Y]] : i32)
// UPSTREAM: ^[[END]](%[[R:.*]]: i32):
// UPSTREAM-NEXT: return %[[R]]
func.func @merge(%c: i1, %x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.cond_br %c, ^then, ^end
^then:
  memref.store %y, %m[] : memref<i32>
  cf.br ^end
^end:
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

// A loop between blocks: the head gets the argument, and no block where the value is not read later.
// CHECK-LABEL: func.func @loop
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : index, i32)
// CHECK: ^[[HEAD]](%[[I:.*]]: index, %[[V:.*]]: i32):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[END:.*]]
// CHECK: ^[[BODY]]:
// CHECK: %[[NEXT:.*]] = arith.addi %[[V]], %[[V]]
// CHECK: cf.br ^[[HEAD]](%{{.*}}, %[[NEXT]] : index, i32)
// CHECK: ^[[END]]:
// CHECK-NEXT: return %[[V]]
// UPSTREAM-LABEL: func.func @loop
// UPSTREAM: ^bb1(%[[I:.*]]: index, %[[V:.*]]: i32):
// UPSTREAM: return %[[V]]
func.func @loop(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %l = memref.load %m[] : memref<i32>
  %two = arith.addi %l, %l : i32
  memref.store %two, %m[] : memref<i32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

// Structured control flow passes the value through.
// CHECK-LABEL: func.func @structured
// CHECK-NOT: memref
// CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[IF:.*]] = scf.if {{.*}} -> (i32)
// CHECK: %[[S:.*]] = arith.addi %[[A]], %[[A]]
// CHECK: scf.yield %[[S]]
// CHECK: } else {
// CHECK: scf.yield %[[A]]
// CHECK: scf.yield %[[IF]]
// CHECK: %[[WHILE:.*]] = scf.while (%[[W:.*]] = %[[FOR]]) : (i32) -> i32
// CHECK: scf.condition(%{{.*}}) %[[W]]
// CHECK: ^bb0(%[[D:.*]]: i32):
// CHECK: %[[Q:.*]] = arith.muli %[[D]], %[[D]]
// CHECK: scf.yield %[[Q]]
// CHECK: return %[[WHILE]]
// UPSTREAM-LABEL: func.func @structured
// UPSTREAM: memref.alloca
func.func @structured(%c: i1, %n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %l = memref.load %m[] : memref<i32>
      %s = arith.addi %l, %l : i32
      memref.store %s, %m[] : memref<i32>
    }
  }
  scf.while : () -> () {
    %l = memref.load %m[] : memref<i32>
    %more = arith.cmpi slt, %l, %x : i32
    scf.condition(%more)
  } do {
    %l = memref.load %m[] : memref<i32>
    %q = arith.muli %l, %l : i32
    memref.store %q, %m[] : memref<i32>
    scf.yield
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

// A region of several blocks, and one of the cases of a switch.
// CHECK-LABEL: func.func @several
// CHECK-NOT: memref
// CHECK: scf.execute_region -> i32
// CHECK: ^bb{{[0-9]}}(%[[V:.*]]: i32):
// CHECK-NEXT: scf.yield %[[V]]
// CHECK: scf.index_switch %{{.*}} -> i32
// CHECK-NEXT: case 2 {
// CHECK-NEXT: scf.yield %arg2
// CHECK: default {
func.func @several(%c: i1, %n: index, %x: i32) -> i32 {
  %m = memref.alloca() : memref<1x1xi32>
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    memref.store %x, %m[%n, %n] : memref<1x1xi32>
    cf.br ^b
  ^b:
    scf.yield
  }
  scf.index_switch %n
  case 2 {
    memref.store %x, %m[%n, %n] : memref<1x1xi32>
    scf.yield
  }
  default {
  }
  %r = memref.load %m[%n, %n] : memref<1x1xi32>
  return %r : i32
}

// Regions that run in any order may contain reads only.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT: memref.alloca
// CHECK: memref.store %arg1, %arg2
func.func @parallel(%n: index, %x: i32, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %l = memref.load %m[] : memref<i32>
    memref.store %l, %out[%i] : memref<?xi32>
    scf.reduce
  }
  return
}

// A slot of its own in each iteration.
// CHECK-LABEL: func.func @inside
// CHECK: scf.for
// CHECK-NEXT: memref.store %arg1, %arg2
func.func @inside(%n: index, %x: i32, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    %l = memref.load %m[] : memref<i32>
    memref.store %l, %out[%i] : memref<?xi32>
  }
  return
}

// Not promoted: escaping slots, and slots written in a loop without order.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: memref.alloca
// CHECK-NOT: memref.alloca
// UPSTREAM-LABEL: func.func @kept
// UPSTREAM-COUNT-4: memref.alloca
// UPSTREAM-NOT: memref.alloca
func.func @kept(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %passed = memref.alloca() : memref<i32>
  func.call @use(%passed) : (memref<i32>) -> ()
  %two = memref.alloca() : memref<2xi32>
  memref.store %x, %two[%c0] : memref<2xi32>
  %any = memref.alloca() : memref<i32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %any[] : memref<i32>
    scf.reduce
  }
  %l = memref.load %any[] : memref<i32>
  %cast = memref.alloca() : memref<1xi32>
  %as = memref.cast %cast : memref<1xi32> to memref<?xi32>
  memref.store %x, %as[%c0] : memref<?xi32>
  return %l : i32
}
func.func private @use(memref<i32>)

// A slot that is never written is one constant, which is created only if the slot is read.
// CHECK-LABEL: func.func @unwritten
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: return %[[Z]], %[[Z]]
// UPSTREAM-LABEL: func.func @unwritten
// UPSTREAM-NEXT: %[[Z:.*]] = ub.poison : f32
// UPSTREAM-NEXT: return %[[Z]], %[[Z]]
func.func @unwritten() -> (f32, f32) {
  %m = memref.alloca() : memref<f32>
  %a = memref.load %m[] : memref<f32>
  %b = memref.load %m[] : memref<f32>
  return %a, %b : f32, f32
}

// A slot without loads needs no block argument.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%x: i32) {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.br ^end
^end:
  return
}
