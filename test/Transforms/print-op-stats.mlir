// RUN: %kopt %s --pass-pipeline="builtin.module(print-op-stats)" -o /dev/null 2> %t.ours
// RUN: %mlir-opt %s --print-op-stats -o /dev/null 2> %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: FileCheck %s < %t.ours
// RUN: %kopt %s --pass-pipeline="builtin.module(print-op-stats{json})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// CHECK: arith.addi , 2
// CHECK-NEXT: builtin.module , 1
// CHECK-NEXT: func.func , 1

// JSON: "arith.addi" : 2,
// JSON: "func.return" : 1
func.func @main(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return %1 : i32
}
