// The printed module parses to the same module.
// RUN: %kopt %s --verify-roundtrip | FileCheck %s
// RUN: %kopt %s --verify-roundtrip --mlir-print-op-generic -o %t.mlir
// RUN: %kopt %t.mlir --verify-roundtrip | FileCheck %s
// CHECK: func.func @f(%arg0: i32 {test.here}, %arg1: index) -> i32
func.func @f(%a: i32 {test.here} loc("elsewhere":1:2), %n: index loc("named"("elsewhere":1:3))) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %a) -> i32 {
    %1 = arith.addi %sum, %a : i32 loc(fused["x", "elsewhere":7:8])
    scf.yield %1 : i32
  }
  return %0 : i32
}
