// RUN: not %kopt %s --differentiate 2>&1 | FileCheck %s

data.type @Tags = "Some"(i32) | "None"()

func.func private @product(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %x, %y : f64
  return %0 : f64
}

func.func @closure(%x: f64) -> f64 {
  %0 = data.closure @product(%x) : (f64) -> !data.closure<(f64) -> f64>
  %1 = data.apply %0(%x) : (!data.closure<(f64) -> f64>, f64) -> f64
  return %1 : f64
}

// CHECK: error: 'closure' cannot be differentiated
// CHECK: %0 = diff.rev @closure
// CHECK: note: 'data.closure' op has an operand to differentiate, but its result has type '!data.closure<(f64) -> f64>', which has no cotangent here
// CHECK: data.closure @product
func.func @request_closure(%x: f64) -> f64 {
  %0 = diff.rev @closure(%x)(%x) : (f64, f64) -> f64
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
