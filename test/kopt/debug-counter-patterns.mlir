// A wrong result is narrowed down to one application of one pattern, or to one fold.

// Without a limit, the report lists all counters there are.
// RUN: %kopt %s --canonicalize --mlir-print-debug-counter 2>&1 >%t | FileCheck %s --check-prefix=LIST
// LIST: DebugCounter counters:
// LIST: apply-pattern                   : {{[{][0-9]+}},0,-1}
// LIST: arith-add-add-constant          : {{[{][0-9]+}},0,-1}
// LIST: erase-dead                      : {{[{][0-9]+}},0,-1}
// LIST: fold                            : {1,0,-1}
// LIST: pass-execution                  : {1,0,-1}

// One application of one pattern.
// RUN: %kopt %s --canonicalize --mlir-debug-counter=arith-add-add-constant-skip=1,arith-add-add-constant-count=1 | FileCheck %s --check-prefix=ONE
// ONE-LABEL: func.func @sums
// ONE-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// ONE-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// ONE: %[[A:.*]] = arith.addi %arg0, %[[TWO]] : i32
// ONE-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[ONE]] : i32
// ONE-NEXT: return %[[B]]

// No fold, and no pattern at all.
// RUN: %kopt %s --canonicalize --mlir-debug-counter=fold-count=0 | FileCheck %s --check-prefix=FOLD
// FOLD-LABEL: func.func @sums
// FOLD-NEXT: %[[THREE:.*]] = arith.constant 3 : i32
// FOLD-NEXT: arith.addi %arg0, %[[THREE]] : i32
// FOLD-LABEL: func.func @product
// FOLD: arith.muli
// RUN: %kopt %s --canonicalize --mlir-debug-counter=apply-pattern-count=0 | FileCheck %s --check-prefix=PATTERN
// PATTERN-LABEL: func.func @sums
// PATTERN-COUNT-3: arith.addi
// PATTERN-LABEL: func.func @product
// PATTERN-NOT: arith.muli
// RUN: %kopt %s --canonicalize --mlir-debug-counter=erase-dead-count=0 | FileCheck %s --check-prefix=DEAD
// DEAD-LABEL: func.func @product
// DEAD: arith.shli

// The trace shows skipped steps.
// RUN: %kopt %s --canonicalize --debug-patterns --mlir-debug-counter=fold-count=0,apply-pattern-count=0 2>&1 >%t | FileCheck %s --check-prefix=LOG
// LOG: pattern 'arith-add-add-constant': skipped by a debug counter
// LOG: {{^}}  fold: skipped by a debug counter

// Conversion patterns are counted too; operations that remain illegal are reported.
// RUN: not %kopt %s --convert-scf-to-cf --mlir-debug-counter=if-to-branches-count=0 2>&1 | FileCheck %s --check-prefix=CONVERT
// CONVERT: error: failed to legalize operation 'scf.if'
// CONVERT: pattern 'if-to-branches': skipped by a debug counter
func.func @sums(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  %2 = arith.addi %1, %c1 : i32
  return %2 : i32
}
func.func @product(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.muli %a, %c1 : i32
  %dead = arith.shli %a, %a : i32
  return %0 : i32
}
func.func @condition(%c: i1, %m: memref<i1>) {
  scf.if %c {
    memref.store %c, %m[] : memref<i1>
  }
  return
}
