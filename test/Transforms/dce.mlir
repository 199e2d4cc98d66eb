// RUN: %kopt %s --pass-pipeline="builtin.module(dce)" | FileCheck %s

// Erases a loop without effects, with everything that only it uses.
// CHECK-LABEL: func.func @dead_loop
// CHECK-NEXT: return
func.func @dead_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (i32) {
    %next = arith.addi %acc, %acc : i32
    scf.yield %next : i32
  }
  return
}

// CHECK-LABEL: func.func @loop_that_writes
// CHECK: scf.for
// CHECK-NOT: arith.addi
// CHECK: memref.store
func.func @loop_that_writes(%n: index, %m: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %dead = arith.addi %v, %v : i32
    memref.store %v, %m[%i] : memref<4xi32>
  }
  return
}

// Erases an argument that is only forwarded to itself, and an unreachable block.
// CHECK-LABEL: func.func @circle
// CHECK: cf.br ^bb1{{$}}
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: return
// CHECK-NOT: ^bb3
func.func @circle(%c: i1, %a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%x: i32):
  %y = arith.addi %x, %a : i32
  cf.cond_br %c, ^bb1(%y : i32), ^bb2
^bb2:
  return
^bb3:
  cf.br ^bb2
}

// A computation on buffers has no result, and is not dead.
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: linalg.generic
func.func @buffers(%m: memref<4xf32>, %o: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%m : memref<4xf32>) outs(%o : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  }
  return
}
