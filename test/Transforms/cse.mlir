// RUN: %kopt %s --pass-pipeline="builtin.module(cse)" | FileCheck %s

// CHECK-LABEL: func.func @repeated
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK-NEXT: %[[R:.*]] = arith.muli %[[SUM]], %[[SUM]]
// CHECK-NEXT: return %[[R]]
func.func @repeated(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %dead = arith.subi %a, %b : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}

// A value computed in one branch is available neither in the other one nor after the join.
// CHECK-LABEL: func.func @dominance
// CHECK: ^bb1:
// CHECK-NEXT: arith.addi
// CHECK-NEXT: cf.br ^bb3
// CHECK: ^bb2:
// CHECK-NEXT: arith.addi
// CHECK-NEXT: cf.br ^bb3
// CHECK: ^bb3
// CHECK-NEXT: arith.addi
// CHECK-NOT: arith.muli
// CHECK: return
func.func @dominance(%c: i1, %a: i32) -> (i32, i32) {
  %m = arith.muli %a, %a : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = arith.addi %a, %m : i32
  cf.br ^bb3(%0 : i32)
^bb2:
  %1 = arith.addi %a, %m : i32
  cf.br ^bb3(%1 : i32)
^bb3(%x: i32):
  %2 = arith.addi %a, %m : i32
  %n = arith.muli %a, %a : i32
  %s = arith.xori %2, %n : i32
  return %x, %s : i32, i32
}

// A read is not repeated until something may write.
// CHECK-LABEL: func.func @reads
// CHECK-NEXT: %[[A:.*]] = memref.load
// CHECK-NEXT: memref.store %[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.load
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]], %[[B]]
func.func @reads(%m: memref<4xi32>, %i: index) -> (i32, i32, i32, i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  %1 = memref.load %m[%i] : memref<4xi32>
  memref.store %1, %m[%i] : memref<4xi32>
  %2 = memref.load %m[%i] : memref<4xi32>
  %3 = memref.load %m[%i] : memref<4xi32>
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// The write of an inner region counts.
// CHECK-LABEL: func.func @inner_write
// CHECK: memref.load
// CHECK: memref.store
// CHECK: memref.load
func.func @inner_write(%c: i1, %m: memref<4xi32>, %i: index) -> (i32, i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  scf.if %c {
    memref.store %0, %m[%i] : memref<4xi32>
  }
  %1 = memref.load %m[%i] : memref<4xi32>
  return %0, %1 : i32, i32
}

// Regions are compared by content; expressions of the enclosing region are available in them.
// CHECK-LABEL: func.func @regions
// CHECK: arith.addi
// CHECK-NEXT: %[[IF:.*]] = scf.if
// CHECK-NOT: arith.addi
// CHECK-NOT: scf.if %arg0 -> (i32) {{.*}}muli
// CHECK: scf.if
// CHECK: arith.xori
// CHECK: return %[[IF]], %[[IF]], %{{.*}}, %{{.*}}
func.func @regions(%c: i1, %a: i32) -> (i32, i32, i32, i32) {
  %s = arith.addi %a, %a : i32
  %0 = scf.if %c -> (i32) {
    %x = arith.addi %a, %a : i32
    %y = arith.muli %x, %a : i32
    scf.yield %y : i32
  } else {
    scf.yield %a : i32
  }
  %1 = scf.if %c -> (i32) {
    %x = arith.muli %a, %s : i32
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  %2 = scf.if %c -> (i32) {
    %x = arith.xori %a, %s : i32
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  return %0, %1, %2, %s : i32, i32, i32, i32
}

// An assertion is erased if one with the same condition dominates it. It is no write: memory is read once before and after it.
// CHECK-LABEL: func.func @assertions
// CHECK-NEXT: %[[X:.*]] = memref.load
// CHECK-NEXT: data.assert %arg0, "first"
// CHECK-NEXT: cf.assert %arg1, "third"
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: call @effect
// CHECK-NEXT: }
// CHECK-NEXT: return %[[SUM]]
func.func @assertions(%c: i1, %d: i1, %m: memref<f32>) -> f32 {
  %x = memref.load %m[] : memref<f32>
  data.assert %c, "first"
  data.assert %c, "first"
  cf.assert %d, "third"
  %y = memref.load %m[] : memref<f32>
  %z = arith.addf %x, %y : f32
  scf.if %d {
    cf.assert %c, "second"
    func.call @effect() : () -> ()
  }
  return %z : f32
}
func.func private @effect()
