// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize{region-simplify=aggressive})" | grep . > %t.ours
// RUN: %mlir-opt %s --canonicalize="region-simplify=aggressive" | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: FileCheck %s < %t.ours
// RUN: %kopt %s --pass-pipeline="builtin.module(simplify-cfg{merge-identical-blocks})" | FileCheck %s --check-prefix=CFG

// Two blocks do the same.
// CHECK-LABEL: func.func @same
// CHECK-NEXT: %[[S:.*]] = arith.addi %arg1, %arg2
// CHECK-NEXT: return %[[S]]
// CFG-LABEL: func.func @same
// CFG: cf.cond_br %arg0, ^[[B:bb[0-9]+]], ^[[B]]
// CFG-NOT: cf.cond_br
// CFG: return
func.func @same(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %s = arith.addi %x, %y : i32
  cf.br ^e(%s : i32)
^b:
  %t = arith.addi %x, %y : i32
  cf.br ^e(%t : i32)
^e(%r: i32):
  return %r : i32
}

// With values that differ: one argument for both places where they stand.
// CHECK-LABEL: func.func @differ
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg1, %arg2
// CHECK-NEXT: memref.store %[[S]]
// CHECK-NEXT: return %[[S]]
// CFG-LABEL: func.func @differ
// CFG: cf.cond_br %arg0, ^[[B:bb[0-9]+]](%arg1 : i32), ^[[B]](%arg2 : i32)
func.func @differ(%c: i1, %x: i32, %y: i32, %m: memref<i32>) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[] : memref<i32>
  cf.br ^e(%x : i32)
^b:
  memref.store %y, %m[] : memref<i32>
  cf.br ^e(%y : i32)
^e(%r: i32):
  return %r : i32
}

// Not merged: values with uses elsewhere, and values of different types.
// CHECK-LABEL: func.func @others
// CHECK: cf.switch
// CHECK: arith.addi %{{.*}} : i32
// CHECK: arith.addi %{{.*}} : i64
func.func @others(%f: i32, %x: i32, %y: i64, %m: memref<i32>, %n: memref<i64>) {
  cf.switch %f : i32, [
    default: ^a,
    1: ^b,
    2: ^end
  ]
^a:
  %s = arith.addi %x, %x : i32
  memref.store %s, %m[] : memref<i32>
  cf.br ^end
^b:
  %t = arith.addi %y, %y : i64
  memref.store %t, %n[] : memref<i64>
  cf.br ^end
^end:
  return
}
