// RUN: %kopt %s --differentiate | FileCheck %s

// Memory that is read once, or not written, may be read.
// CHECK-LABEL: func.func private @once.rev
// CHECK: data.ref_read
// CHECK: data.ref_write
// CHECK: scf.for
// CHECK: data.ref_read
// CHECK-NOT: data.ref_write
func.func @once(%x: f64, %r: !data.ref<i64>, %s: !data.ref<i32>) -> f64 {
  %lower = arith.constant 0 : index
  %upper = arith.constant 3 : index
  %step = arith.constant 1 : index
  %n = data.ref_read %r : (!data.ref<i64>) -> i64
  data.ref_write %r(%n) : (!data.ref<i64>, i64) -> ()
  %0 = scf.for %i = %lower to %upper step %step iter_args(%sum = %x) -> f64 {
    %m = data.ref_read %s : (!data.ref<i32>) -> i32
    %first = arith.sitofp %m : i32 to f64
    %second = arith.sitofp %n : i64 to f64
    %factor = arith.addf %first, %second : f64
    %product = arith.mulf %sum, %factor : f64
    scf.yield %product : f64
  }
  return %0 : f64
}

func.func @request_once(%x: f64, %r: !data.ref<i64>, %s: !data.ref<i32>) -> f64 {
  %0 = diff.rev @once(%x, %r, %s)(%x) : (f64, !data.ref<i64>, !data.ref<i32>, f64) -> f64
  return %0 : f64
}
