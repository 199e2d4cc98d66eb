// RUN: %kopt %s --pass-pipeline="builtin.module(inline{default-pipeline=})" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(inline{default-pipeline=},simplify-cfg,canonicalize)" | FileCheck %s --check-prefix=SIMPLE
// RUN: %kopt %s --pass-pipeline="builtin.module(inline{max-callee-operations=1 default-pipeline=})" | FileCheck %s --check-prefix=SMALL

// A callee of one block replaces the call, and is erased when it has no calls left.
// CHECK-LABEL: func.func @one_block
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: return %[[SUM]]
// SMALL: func.func @one_block
func.func @one_block(%x: i32) -> i32 {
  %r = func.call @twice(%x) : (i32) -> i32
  return %r : i32
}
// CHECK-NOT: @twice
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

// One of several blocks is put between the halves of the caller's block.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: %[[C:.*]] = arith.cmpi
// CHECK-NEXT: cf.br ^[[ENTRY:bb[0-9]+]](%arg0, %[[C]] : i32, i1)
// CHECK-NEXT: ^[[AFTER:bb[0-9]+]](%[[R:.*]]: i32):
// CHECK-NEXT: arith.muli %[[R]], %[[R]]
// CHECK: ^[[ENTRY]](%{{.*}}: i32, %{{.*}}: i1):
// CHECK-NEXT: cf.cond_br
// CHECK: cf.br ^[[AFTER]](%{{.*}} : i32)
// CHECK: cf.br ^[[AFTER]](%{{.*}} : i32)
// SIMPLE-LABEL: func.func @blocks
// SIMPLE-NOT: call
// SIMPLE-LABEL: func.func @stay
func.func @blocks(%x: i32) -> i32 {
  %c = arith.cmpi slt, %x, %x : i32
  %r = func.call @choose(%x, %c) : (i32, i1) -> i32
  %p = arith.muli %r, %r : i32
  return %p : i32
}
func.func private @choose(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^then, ^else
^then:
  %0 = arith.addi %x, %x : i32
  return %0 : i32
^else:
  return %x : i32
}

// Callees with several blocks are not inlined into structured control flow, nor are recursive calls.
// CHECK-LABEL: func.func @stay
// CHECK: scf.if
// CHECK: func.call @kept
// CHECK: call @recursive
func.func @stay(%x: i32, %c: i1) -> i32 {
  %0 = scf.if %c -> (i32) {
    %1 = func.call @kept(%x, %c) : (i32, i1) -> i32
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  %2 = func.call @recursive(%0) : (i32) -> i32
  return %2 : i32
}
// CHECK: func.func private @kept
func.func private @kept(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^then, ^else
^then:
  return %x : i32
^else:
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
// CHECK: func.func private @recursive
func.func private @recursive(%x: i32) -> i32 {
  %0 = func.call @recursive(%x) : (i32) -> i32
  return %0 : i32
}
