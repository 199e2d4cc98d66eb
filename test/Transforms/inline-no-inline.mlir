// RUN: %kopt %s --inline | FileCheck %s

// A function with the attribute is not inlined, as a call with it.
// CHECK-LABEL: func.func private @kept(
// CHECK-LABEL: func.func @calls(
// CHECK: %[[A:.*]] = call @kept(%{{.*}}) : (i32) -> i32
// CHECK-NOT: call @other
// CHECK: return
func.func private @kept(%x: i32) -> i32 attributes {no_inline} {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func private @other(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}
func.func @calls(%x: i32) -> i32 {
  %0 = call @kept(%x) : (i32) -> i32
  %1 = call @other(%0) : (i32) -> i32
  return %1 : i32
}
