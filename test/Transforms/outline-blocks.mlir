// RUN: %kopt %s --pass-pipeline="builtin.module(outline{attribute=cold})" | FileCheck %s

// A region of several blocks: each exit returns the forwarded values.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK: scf.execute_region -> i32 {
// CHECK-NEXT: %[[R:.*]] = func.call @blocks_outlined_0(%[[C]], %[[X]]) : (i1, i32) -> i32
// CHECK-NEXT: scf.yield %[[R]] : i32
// CHECK-NEXT: }
// CHECK-NOT: cold
// CHECK: func.func private @blocks_outlined_0(%[[A:.*]]: i1, %[[B:.*]]: i32) -> i32 {
// CHECK-NEXT: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-NEXT: cf.cond_br %[[A]], ^bb1, ^bb2(%[[B]] : i32)
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[B]], %[[THREE]]
// CHECK-NEXT: cf.br ^bb2(%[[P]] : i32)
// CHECK-NEXT: ^bb2(%[[V:.*]]: i32):
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[V]], %[[THREE]]
// CHECK-NEXT: cf.cond_br %[[LESS]], ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %[[B]] : i32
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[V]], %[[B]]
// CHECK-NEXT: return %[[S]] : i32
func.func @blocks(%c: i1, %x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b(%x : i32)
  ^a:
    %0 = arith.muli %x, %c3 : i32
    cf.br ^b(%0 : i32)
  ^b(%1: i32):
    %2 = arith.cmpi slt, %1, %c3 : i32
    cf.cond_br %2, ^d, ^e
  ^d:
    scf.yield %x : i32
  ^e:
    %3 = arith.addi %1, %x : i32
    scf.yield %3 : i32
  } {cold}
  return %r : i32
}

// Not outlined: forwarded storage, and exits with different attributes.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: call
func.func @kept(%c: i1, %x: i32) -> memref<i32> {
  %r = scf.execute_region -> memref<i32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    %0 = memref.alloc() : memref<i32>
    scf.yield %0 : memref<i32>
  ^b:
    %1 = memref.alloc() : memref<i32>
    scf.yield %1 : memref<i32>
  } {cold}
  %s = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield {way = 1 : i32} %x : i32
  ^b:
    %0 = arith.addi %x, %x : i32
    scf.yield %0 : i32
  } {cold}
  return %r : memref<i32>
}
