// RUN: not %kopt %s --differentiate 2>&1 | FileCheck %s

data.type @Tags = "Some"(i32) | "None"()

func.func @escape(%x: f64, %n: i64) -> f64 {
  %0 = data.ref_new(%x) : (f64) -> !data.ref<f64>
  %1 = call @twice(%0, %n) : (!data.ref<f64>, i64) -> f64
  return %1 : f64
}

// A recursive function, which is not inlined.
func.func private @twice(%r: !data.ref<f64>, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_end = arith.cmpi eq, %n, %zero : i64
  %0 = data.ref_read %r : (!data.ref<f64>) -> f64
  %1 = scf.if %is_end -> f64 {
    scf.yield %0 : f64
  } else {
    %2 = arith.mulf %0, %0 : f64
    data.ref_write %r(%2) : (!data.ref<f64>, f64) -> ()
    %3 = arith.subi %n, %one : i64
    %4 = func.call @twice(%r, %3) : (!data.ref<f64>, i64) -> f64
    scf.yield %4 : f64
  }
  return %1 : f64
}

// CHECK: error: 'escape' cannot be differentiated
// CHECK: %0 = diff.rev @escape
// CHECK: note: 'func.call' op uses a value of type '!data.ref<f64>', which has no cotangent here
func.func @request_escape(%x: f64, %n: i64) -> f64 {
  %0 = diff.rev @escape(%x, %n)(%x) : (f64, i64, f64) -> f64
  return %0 : f64
}

func.func @store(%x: f64, %r: !data.ref<f64>) -> f64 {
  data.ref_write %r(%x) : (!data.ref<f64>, f64) -> ()
  %0 = data.ref_read %r : (!data.ref<f64>) -> f64
  return %0 : f64
}

// CHECK: error: 'store' cannot be differentiated
// CHECK: note: 'data.ref_write' op may store an operand to differentiate in a value of type '!data.ref<f64>', which has no tangent here
func.func @request_store(%x: f64, %r: !data.ref<f64>) -> f64 {
  %0 = diff.fwd @store(%x, %r)(%x) : (f64, !data.ref<f64>, f64) -> f64
  return %0 : f64
}

func.func @tags(%x: f64) -> f64 {
  %0 = arith.fptosi %x : f64 to i32
  %1 = data.make "Some"[0](%0) : (i32) -> !data.cell<@Tags>
  %2 = data.tag %1 : !data.cell<@Tags>
  %3 = arith.index_cast %2 : index to i64
  %4 = arith.sitofp %3 : i64 to f64
  %5 = arith.mulf %4, %x : f64
  return %5 : f64
}

// A type without floats is constant.
// CHECK-NOT: 'tags'
func.func @request_tags(%x: f64) -> f64 {
  %0 = diff.rev @tags(%x)(%x) : (f64, f64) -> f64
  return %0 : f64
}
