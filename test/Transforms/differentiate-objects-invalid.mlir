// RUN: not %kopt %s --differentiate 2>&1 | FileCheck %s

data.type @List = "Cons"(f64, !data.cell<@List>) | "Nil"()
data.type @Tags = "Some"(i32) | "None"()

func.func private @sum(!data.cell<@List>) -> f64

func.func @list(%x: f64) -> f64 {
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %0 = data.make "Cons"[0](%x, %nil) : (f64, !data.cell<@List>) -> !data.cell<@List>
  %1 = call @sum(%0) : (!data.cell<@List>) -> f64
  return %1 : f64
}

// CHECK: error: 'list' cannot be differentiated
// CHECK: %0 = diff.rev @list
// CHECK: note: 'data.make' op has an operand to differentiate, but its result has type '!data.cell<@List>', which has no tangent
// CHECK: data.make "Cons"
// CHECK-NOT: note:
func.func @request_list(%x: f64) -> f64 {
  %0 = diff.rev @list(%x)(%x) : (f64, f64) -> f64
  return %0 : f64
}

func.func @store(%x: f64, %r: !data.ref<f64>) -> f64 {
  data.ref_write %r(%x) : (!data.ref<f64>, f64) -> ()
  %0 = data.ref_read %r : (!data.ref<f64>) -> f64
  return %0 : f64
}

// CHECK: error: 'store' cannot be differentiated
// CHECK: note: 'data.ref_write' op may store an operand to differentiate in a value of type '!data.ref<f64>', which has no tangent
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
