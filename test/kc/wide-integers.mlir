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

// A conversion to an index and back truncates; the greatest integers become infinite; a division is rounded down.
// RUN: %kc run %s --entry corners --inputs '[-7]' | FileCheck %s --check-prefix=CORNERS
// RUN: %kc run %s --entry corners --inputs '[-7]' --backend interpret | FileCheck %s --check-prefix=CORNERS
// CORNERS: (0, inf, -inf, -1)
func.func @corners(%n: i64) -> (i64, f32, f32, i64) {
  %wide = arith.extsi %n : i64 to i256
  %c100 = arith.constant 100 : i256
  %zero = arith.constant 0 : i256
  %large = arith.shli %wide, %c100 : i256
  %index = arith.index_cast %large : i256 to index
  %back = arith.index_cast %index : index to i256
  %shifted = arith.shrsi %back, %c100 : i256
  %0 = arith.trunci %shifted : i256 to i64
  %1 = arith.uitofp %wide : i256 to f32
  %square = arith.muli %large, %large : i256
  %negative = arith.subi %zero, %square : i256
  %2 = arith.sitofp %negative : i256 to f32
  %one = arith.constant 1 : i256
  %quotient = arith.floordivsi %one, %wide : i256
  %3 = arith.trunci %quotient : i256 to i64
  return %0, %1, %2, %3 : i64, f32, f32, i64
}
