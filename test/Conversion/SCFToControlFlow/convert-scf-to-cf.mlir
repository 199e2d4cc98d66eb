// RUN: %kopt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(convert-scf-to-cf)" | FileCheck %s

// CHECK-LABEL: func.func @simple_for(%arg0: index, %arg1: index, %arg2: index, %arg3: f32) -> f32 {
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg3 : index, f32)
// CHECK-NEXT: ^bb1(%0: index, %1: f32):
// CHECK-NEXT: %2 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %2, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %3 = arith.addf %1, %arg3 : f32
// CHECK-NEXT: %4 = arith.addi %0, %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%4, %3 : index, f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %1 : f32
// CHECK-NEXT: }
func.func @simple_for(%a: index, %b: index, %s: index, %x: f32) -> f32 {
  %r = scf.for %i = %a to %b step %s iter_args(%acc = %x) -> (f32) {
    %n = arith.addf %acc, %x : f32
    scf.yield %n : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @unsigned_for(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = arith.cmpi ult, %0, %arg1 : i32
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "test.use"(%0) : (i32) -> ()
// CHECK-NEXT: %2 = arith.addi %0, %arg2 : i32
// CHECK-NEXT: cf.br ^bb1(%2 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unsigned_for(%a: i32, %b: i32, %s: i32) {
  scf.for unsigned %i = %a to %b step %s : i32 {
    "test.use"(%i) : (i32) -> ()
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @nest(%arg0: index, %arg1: index, %arg2: i1) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb8
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg0 : index)
// CHECK-NEXT: ^bb3(%2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %2, %arg1 : index
// CHECK-NEXT: cf.cond_br %3, ^bb4, ^bb7
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: cf.cond_br %arg2, ^bb5, ^bb6
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: "test.use"(%0, %2) : (index, index) -> ()
// CHECK-NEXT: cf.br ^bb6
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: %4 = arith.addi %2, %arg1 : index
// CHECK-NEXT: cf.br ^bb3(%4 : index)
// CHECK-NEXT: ^bb7:
// CHECK-NEXT: "test.after"() : () -> ()
// CHECK-NEXT: %5 = arith.addi %0, %arg1 : index
// CHECK-NEXT: cf.br ^bb1(%5 : index)
// CHECK-NEXT: ^bb8:
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @nest(%a: index, %b: index, %c: i1) {
  scf.for %i = %a to %b step %b {
    scf.for %j = %a to %b step %b {
      scf.if %c {
        "test.use"(%i, %j) : (index, index) -> ()
        scf.yield
      }
    }
    "test.after"() : () -> ()
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @if_else(%arg0: i1, %arg1: f32, %arg2: f32) -> (f32, f32) {
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: %0 = arith.addf %arg1, %arg2 : f32
// CHECK-NEXT: cf.br ^bb3(%0, %arg1 : f32, f32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg2, %arg2 : f32, f32)
// CHECK-NEXT: ^bb3(%1: f32, %2: f32):
// CHECK-NEXT: cf.br ^bb4
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: "test.use"(%1) : (f32) -> ()
// CHECK-NEXT: return %1, %2 : f32, f32
// CHECK-NEXT: }
func.func @if_else(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %r:2 = scf.if %c -> (f32, f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s, %x : f32, f32
  } else {
    scf.yield %y, %y : f32, f32
  }
  "test.use"(%r#0) : (f32) -> ()
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: func.func @if_alone(%arg0: i1) {
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "test.then"() : () -> ()
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "test.else"() : () -> ()
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.cond_br %arg0, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: "test.then"() : () -> ()
// CHECK-NEXT: cf.br ^bb5
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @if_alone(%c: i1) {
  scf.if %c {
    "test.then"() : () -> ()
    scf.yield
  } else {
    "test.else"() : () -> ()
    scf.yield
  }
  scf.if %c {
    "test.then"() : () -> ()
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @while(%arg0: i32, %arg1: f32) -> (i32, f32) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = "test.more"(%0) : (i32) -> i1
// CHECK-NEXT: cf.cond_br %1, ^bb2(%0, %arg1 : i32, f32), ^bb3
// CHECK-NEXT: ^bb2(%2: i32, %3: f32):
// CHECK-NEXT: %4 = arith.addi %2, %2 : i32
// CHECK-NEXT: cf.br ^bb1(%4 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %0, %arg1 : i32, f32
// CHECK-NEXT: }
func.func @while(%x: i32, %y: f32) -> (i32, f32) {
  %r:2 = scf.while (%a = %x) : (i32) -> (i32, f32) {
    %c = "test.more"(%a) : (i32) -> i1
    scf.condition(%c) %a, %y : i32, f32
  } do {
  ^bb0(%b: i32, %z: f32):
    %n = arith.addi %b, %b : i32
    scf.yield %n : i32
  }
  return %r#0, %r#1 : i32, f32
}

// CHECK-LABEL: func.func @do_while(%arg0: i32) -> i32 {
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = arith.addi %0, %0 : i32
// CHECK-NEXT: %2 = "test.more"(%1) : (i32) -> i1
// CHECK-NEXT: cf.cond_br %2, ^bb1(%1 : i32), ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: return %1 : i32
// CHECK-NEXT: }
func.func @do_while(%x: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %n = arith.addi %a, %a : i32
    %c = "test.more"(%n) : (i32) -> i1
    scf.condition(%c) %n : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @execute_region(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.cond_br %arg0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb4(%arg1 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: %0 = arith.addi %arg1, %arg1 : i32
// CHECK-NEXT: cf.br ^bb4(%0 : i32)
// CHECK-NEXT: ^bb4(%1: i32):
// CHECK-NEXT: return %1 : i32
// CHECK-NEXT: }
func.func @execute_region(%c: i1, %x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %x : i32
  ^bb2:
    %n = arith.addi %x, %x : i32
    scf.yield %n : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @index_switch(%arg0: index, %arg1: i32, %arg2: i32) -> i32 {
// CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i64
// CHECK-NEXT: cf.switch %0 : i64, [
// CHECK-NEXT: default: ^bb3,
// CHECK-NEXT: 2: ^bb1,
// CHECK-NEXT: 5: ^bb2
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.br ^bb4(%arg1 : i32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %1 = arith.addi %arg1, %arg2 : i32
// CHECK-NEXT: cf.br ^bb4(%1 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4(%arg2 : i32)
// CHECK-NEXT: ^bb4(%2: i32):
// CHECK-NEXT: return %2 : i32
// CHECK-NEXT: }
func.func @index_switch(%i: index, %x: i32, %y: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 2 {
    scf.yield %x : i32
  }
  case 5 {
    %n = arith.addi %x, %y : i32
    scf.yield %n : i32
  }
  default {
    scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @parallel(%arg0: index, %arg1: index, %arg2: index) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg1 : index)
// CHECK-NEXT: ^bb3(%2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %2, %arg0 : index
// CHECK-NEXT: cf.cond_br %3, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: "test.use"(%0, %2) : (index, index) -> ()
// CHECK-NEXT: %4 = arith.addi %2, %arg2 : index
// CHECK-NEXT: cf.br ^bb3(%4 : index)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %5 = arith.addi %0, %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%5 : index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @parallel(%a: index, %b: index, %s: index) {
  scf.parallel (%i, %j) = (%a, %b) to (%b, %a) step (%s, %s) {
    "test.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @reduce(%arg0: index, %arg1: index, %arg2: index, %arg3: f32, %arg4: i64) -> (f32, i64) {
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg3, %arg4 : index, f32, i64)
// CHECK-NEXT: ^bb1(%0: index, %1: f32, %2: i64):
// CHECK-NEXT: %3 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %3, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg1, %1, %2 : index, f32, i64)
// CHECK-NEXT: ^bb3(%4: index, %5: f32, %6: i64):
// CHECK-NEXT: %7 = arith.cmpi slt, %4, %arg0 : index
// CHECK-NEXT: cf.cond_br %7, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: %8 = "test.value"(%0, %4) : (index, index) -> f32
// CHECK-NEXT: %9 = "test.value"(%0, %4) : (index, index) -> i64
// CHECK-NEXT: %10 = arith.addf %5, %8 : f32
// CHECK-NEXT: %11 = arith.addi %4, %arg2 : index
// CHECK-NEXT: cf.br ^bb3(%11, %10, %9 : index, f32, i64)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %12 = arith.addi %0, %arg2 : index
// CHECK-NEXT: cf.br ^bb1(%12, %5, %6 : index, f32, i64)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return %1, %2 : f32, i64
// CHECK-NEXT: }
func.func @reduce(%a: index, %b: index, %s: index, %x: f32, %y: i64) -> (f32, i64) {
  %r:2 = scf.parallel (%i, %j) = (%a, %b) to (%b, %a) step (%s, %s) init (%x, %y) -> (f32, i64) {
    %v = "test.value"(%i, %j) : (index, index) -> f32
    %w = "test.value"(%i, %j) : (index, index) -> i64
    scf.reduce (%v, %w : f32, i64) {
    ^bb0(%l: f32, %m: f32):
      %n = arith.addf %l, %m : f32
      scf.reduce.return %n : f32
    }, {
    ^bb0(%l: i64, %m: i64):
      scf.reduce.return %m : i64
    }
  }
  return %r#0, %r#1 : f32, i64
}

// CHECK-LABEL: func.func @loop_attributes(%arg0: index, %arg1: i1) {
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "test.use"(%0) : (index) -> ()
// CHECK-NEXT: %2 = arith.addi %0, %arg0 : index
// CHECK-NEXT: cf.br ^bb1(%2 : index) {llvm.loop_annotation = #loop_annotation}
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: cf.cond_br %arg1, ^bb5, ^bb6
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: "test.x"() : () -> ()
// CHECK-NEXT: cf.br ^bb4 {llvm.loop_annotation = #loop_annotation}
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: cf.br ^bb7
// CHECK-NEXT: ^bb7:
// CHECK-NEXT: cf.cond_br %arg1, ^bb7, ^bb8 {llvm.loop_annotation = #loop_annotation}
// CHECK-NEXT: ^bb8:
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @loop_attributes(%a: index, %c: i1) {
  scf.for %i = %a to %a step %a {
    "test.use"(%i) : (index) -> ()
    scf.yield
  } {llvm.loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  scf.while : () -> () { scf.condition(%c) } do { "test.x"() : () -> () 
   scf.yield } attributes {llvm.loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield } attributes {llvm.loop_annotation = #llvm.loop_annotation<mustProgress = true>}
  return
}

// The points of a forall are those of a nest of loops.
// CHECK-LABEL: func.func @forall(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: f32) {
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%c3 : index)
// CHECK-NEXT: ^bb3(%2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %2, %c7 : index
// CHECK-NEXT: cf.cond_br %3, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: memref.store %arg3, %arg2[%0, %2] : memref<?x?xf32>
// CHECK-NEXT: %4 = arith.addi %2, %c2 : index
// CHECK-NEXT: cf.br ^bb3(%4 : index)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %5 = arith.addi %0, %c1 : index
// CHECK-NEXT: cf.br ^bb1(%5 : index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return
func.func @forall(%lb: index, %ub: index, %m: memref<?x?xf32>, %v: f32) {
  scf.forall (%i, %j) = (%lb, 3) to (%ub, 7) step (1, 2) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  return
}
