// RUN: %kopt %s --pass-pipeline="builtin.module(symbol-dce)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(symbol-privatize)" | FileCheck %s --check-prefix=PRIVATE
// RUN: %kopt %s --pass-pipeline="builtin.module(symbol-privatize,symbol-dce)" | FileCheck %s --check-prefix=NONE

// Functions that call each other keep each other only when somebody else calls one.
// CHECK-NOT: @even
// CHECK-NOT: @odd
// CHECK: func.func private @helper
// CHECK: func.func @main
// PRIVATE: func.func private @main
// NONE: module {
// NONE-NEXT: }
func.func private @even(%n: i32) {
  call @odd(%n) : (i32) -> ()
  return
}
func.func private @odd(%n: i32) {
  call @even(%n) : (i32) -> ()
  return
}
func.func private @helper(%n: i32) {
  return
}
func.func @main(%n: i32) {
  call @helper(%n) : (i32) -> ()
  return
}
