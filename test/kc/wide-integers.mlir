// Integers of more than 64 bits, in loops, buffers and vectors: interpreted and compiled.
// RUN: %kc run %s --inputs '[120]' | FileCheck %s
// RUN: %kc run %s --inputs '[120]' --backend interpret | FileCheck %s
// CHECK: (790376311979428689, 470002, 1, -457354002477341504)
func.func @main(%n: i64) -> (i64, i64, i64, i64) {
  %zero = arith.constant 0 : i96
  %one = arith.constant 1 : i96
  %wide = arith.extui %n : i64 to i96
  // Fibonacci numbers.
  %last, %next = scf.for %i = %zero to %wide step %one iter_args(%a = %zero, %b = %one) -> (i96, i96) : i96 {
    %sum = arith.addi %a, %b : i96
    scf.yield %b, %sum : i96, i96
  }
  %buffer = memref.alloc() : memref<2xi96>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %next, %buffer[%c0] : memref<2xi96>
  memref.store %last, %buffer[%c1] : memref<2xi96>
  %x = memref.load %buffer[%c0] : memref<2xi96>
  %y = memref.load %buffer[%c1] : memref<2xi96>
  memref.dealloc %buffer : memref<2xi96>
  %c64 = arith.constant 64 : i96
  %low = arith.trunci %x : i96 to i64
  %shifted = arith.shrui %x, %c64 : i96
  %high = arith.trunci %shifted : i96 to i64
  %quotient = arith.divsi %x, %y : i96
  %q = arith.trunci %quotient : i96 to i64
  %v = vector.from_elements %x, %y : vector<2xi96>
  %product = arith.muli %v, %v : vector<2xi96>
  %least = vector.reduction <minsi>, %product : vector<2xi96> into i96
  %remainder = arith.remsi %least, %y : i96
  %r = arith.trunci %remainder : i96 to i64
  return %low, %high, %q, %r : i64, i64, i64, i64
}
