// RUN: %kopt %s --inline | FileCheck %s
// RUN: %kopt %s --pass-pipeline='builtin.module(inline{default-pipeline=})' | FileCheck %s --check-prefix=PLAIN

// An indirect call of a constant function is a direct call.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: call
// CHECK: arith.muli
// CHECK: return
// Without canonicalization, the call remains indirect.
// PLAIN-LABEL: func.func @constant
// PLAIN: call_indirect
func.func @constant(%x: i32) -> i32 {
  %f = func.constant @square : (i32) -> i32
  %y = func.call_indirect %f(%x) : (i32) -> i32
  return %y : i32
}

// The function is an argument until the call is inlined.
// CHECK-LABEL: func.func @passed
// CHECK-NOT: call
// CHECK: arith.muli
// CHECK: return
func.func @passed(%x: i32) -> i32 {
  %f = func.constant @square : (i32) -> i32
  %y = func.call @apply(%f, %x) : ((i32) -> i32, i32) -> i32
  return %y : i32
}

// CHECK-NOT: func.func private @apply
func.func private @apply(%f: (i32) -> i32, %x: i32) -> i32 {
  %y = func.call_indirect %f(%x) : (i32) -> i32
  return %y : i32
}

// CHECK-NOT: func.func private @square
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}

// A function whose address is used otherwise, and one that calls itself by its address.
// CHECK-LABEL: func.func @unknown
// CHECK: call_indirect
func.func @unknown(%f: (i32) -> i32, %x: i32) -> i32 {
  %y = func.call_indirect %f(%x) : (i32) -> i32
  return %y : i32
}

// CHECK-LABEL: func.func @recursive
// CHECK: call @recursive
func.func @recursive(%x: i32) -> i32 {
  %f = func.constant @recursive : (i32) -> i32
  %y = func.call_indirect %f(%x) : (i32) -> i32
  return %y : i32
}
