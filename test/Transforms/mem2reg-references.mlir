// RUN: %kopt %s --mem2reg | FileCheck %s

// References to several components are split, and those to none are erased.
// CHECK-LABEL: func.func @pair(
// CHECK-SAME: %[[X:[a-z0-9]*]]: f32, %[[C:[a-z0-9]*]]: i1)
// CHECK-NOT: data.ref
// CHECK: %[[IF:.*]]:2 = scf.if %[[C]] -> (f32, f32) {
// CHECK: return %[[IF]]#0, %[[IF]]#1 : f32, f32
func.func @pair(%x: f32, %c: i1) -> (f32, f32) {
  %two = arith.constant 2.0 : f32
  %r = data.ref_new(%x, %two) : (f32, f32) -> !data.ref<f32, f32>
  %none = data.ref_new() : () -> !data.ref<>
  scf.if %c {
    %a:2 = data.ref_read %r : (!data.ref<f32, f32>) -> (f32, f32)
    %b = arith.mulf %a#0, %a#1 : f32
    data.ref_write %r(%b, %a#0) : (!data.ref<f32, f32>, f32, f32) -> ()
    data.ref_write %none() : (!data.ref<>) -> ()
  }
  %v:2 = data.ref_read %r : (!data.ref<f32, f32>) -> (f32, f32)
  return %v#0, %v#1 : f32, f32
}

// CHECK-LABEL: func.func @escapes(
// CHECK: data.ref_new(%{{.*}}, %{{.*}}) : (f32, f32) -> !data.ref<f32, f32>
func.func @escapes(%x: f32) -> !data.ref<f32, f32> {
  %r = data.ref_new(%x, %x) : (f32, f32) -> !data.ref<f32, f32>
  data.ref_write %r(%x, %x) : (!data.ref<f32, f32>, f32, f32) -> ()
  return %r : !data.ref<f32, f32>
}
