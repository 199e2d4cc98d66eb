// REQUIRES: mlir-opt
// RUN: %kopt %s --mlir-disable-threading --pass-pipeline="builtin.module(canonicalize,cse)" --mlir-debug-counter=pass-execution-skip=1,pass-execution-count=1 | sed "/^$/d" > %t.ours
// RUN: %mlir-opt %s --mlir-disable-threading --pass-pipeline="builtin.module(canonicalize,cse)" --mlir-debug-counter=pass-execution-skip=1,pass-execution-count=1 | sed "/^$/d" > %t.theirs
// RUN: diff %t.theirs %t.ours
// RUN: grep -c muli %t.ours | FileCheck %s
// CHECK: 1
// The first step, canonicalize, is skipped; the second merges what the first would have erased.
func.func @a(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  %1 = arith.muli %a, %a : i32
  %c0 = arith.constant 0 : i32
  %2 = arith.addi %1, %c0 : i32
  return %2 : i32
}
