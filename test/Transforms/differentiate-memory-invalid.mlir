// RUN: not %kopt %s --differentiate 2>&1 | FileCheck %s

// The reverse sweep would read what the last iteration has written.
func.func @loop(%x: f64, %r: !data.ref<i64>) -> f64 {
  %lower = arith.constant 0 : index
  %upper = arith.constant 3 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %0 = scf.for %i = %lower to %upper step %step iter_args(%sum = %x) -> f64 {
    %n = data.ref_read %r : (!data.ref<i64>) -> i64
    %next = arith.addi %n, %one : i64
    data.ref_write %r(%next) : (!data.ref<i64>, i64) -> ()
    %factor = arith.sitofp %n : i64 to f64
    %product = arith.mulf %sum, %factor : f64
    scf.yield %product : f64
  }
  return %0 : f64
}

// CHECK: error: 'loop' cannot be differentiated
// CHECK: note: 'data.ref_read' op reads memory that the program writes, so the reverse sweep cannot execute it again
func.func @request_loop(%x: f64, %r: !data.ref<i64>) -> f64 {
  %0 = diff.rev @loop(%x, %r)(%x) : (f64, !data.ref<i64>, f64) -> f64
  return %0 : f64
}

func.func private @tick(%r: !data.ref<i64>, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_end = arith.cmpi eq, %n, %zero : i64
  %0 = data.ref_read %r : (!data.ref<i64>) -> i64
  %1 = scf.if %is_end -> i64 {
    scf.yield %0 : i64
  } else {
    %next = arith.addi %0, %one : i64
    data.ref_write %r(%next) : (!data.ref<i64>, i64) -> ()
    %2 = arith.subi %n, %one : i64
    %3 = func.call @tick(%r, %2) : (!data.ref<i64>, i64) -> i64
    scf.yield %3 : i64
  }
  return %1 : i64
}

func.func @callee(%x: f64, %r: !data.ref<i64>, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_end = arith.cmpi eq, %n, %zero : i64
  %0 = scf.if %is_end -> f64 {
    scf.yield %x : f64
  } else {
    %1 = func.call @tick(%r, %n) : (!data.ref<i64>, i64) -> i64
    %2 = arith.sitofp %1 : i64 to f64
    %3 = arith.mulf %x, %2 : f64
    scf.yield %3 : f64
  }
  return %0 : f64
}

// CHECK: error: 'callee' cannot be differentiated
// CHECK: note: 'func.call' op calls 'tick', which writes memory, so the reverse sweep cannot execute it again
func.func @request_callee(%x: f64, %r: !data.ref<i64>, %n: i64) -> f64 {
  %0 = diff.rev @callee(%x, %r, %n)(%x) : (f64, !data.ref<i64>, i64, f64) -> f64
  return %0 : f64
}

func.func @buffer(%x: f64) -> f64 {
  %zero = arith.constant 0 : index
  %0 = memref.alloc() : memref<1xf64>
  memref.store %x, %0[%zero] : memref<1xf64>
  %1 = memref.load %0[%zero] : memref<1xf64>
  memref.dealloc %0 : memref<1xf64>
  return %1 : f64
}

// CHECK: error: 'buffer' cannot be differentiated
// CHECK: note: 'memref.store' op may write an operand to differentiate to memory, which has no derivative
// CHECK: error: 'buffer' cannot be differentiated
// CHECK: note: 'memref.store' op may write an operand to differentiate to memory, which has no derivative
func.func @request_buffer(%x: f64) -> (f64, f64) {
  %0 = diff.rev @buffer(%x)(%x) : (f64, f64) -> f64
  %1 = diff.fwd @buffer(%x)(%x) : (f64, f64) -> f64
  return %0, %1 : f64, f64
}
