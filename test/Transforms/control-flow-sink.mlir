// RUN: %kopt %s --pass-pipeline="builtin.module(control-flow-sink)" | FileCheck %s

// A chain sinks through both conditions; a read does not.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[READ:.*]] = memref.load
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[A:.*]] = arith.muli
// CHECK-NEXT: %[[B:.*]] = arith.divsi %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.addi %[[READ]], %[[B]]
// CHECK-NEXT: memref.store %[[C]]
func.func @chain(%c: i1, %a: i32, %m: memref<i32>) {
  %0 = arith.muli %a, %a : i32
  %1 = arith.divsi %0, %a : i32
  %2 = memref.load %m[] : memref<i32>
  %3 = arith.addi %2, %1 : i32
  scf.if %c {
    scf.if %c {
      memref.store %3, %m[] : memref<i32>
    }
  }
  return
}

// Both branches use it.
// CHECK-LABEL: func.func @both
// CHECK-NEXT: arith.muli
// CHECK-NEXT: scf.if
func.func @both(%c: i1, %a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  %1 = scf.if %c -> (i32) {
    scf.yield %0 : i32
  } else {
    %2 = arith.addi %0, %a : i32
    scf.yield %2 : i32
  }
  return %1 : i32
}

// Unlike in mlir-opt, operations do not sink into loops.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: arith.muli
// CHECK-NEXT: scf.for
func.func @loop(%c: i1, %a: i32, %lb: index, %ub: index, %m: memref<i32>) {
  %0 = arith.muli %a, %a : i32
  scf.for %i = %lb to %ub step %lb {
    scf.if %c {
      memref.store %0, %m[] : memref<i32>
    }
  }
  return
}
