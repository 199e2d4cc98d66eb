// RUN: not %kopt %s 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op symbol declaration cannot have public visibility
func.func @public_declaration(i32)

func.func @wrong_return(%x: i32) -> f32 {
  // CHECK: type of return operand 0 (i32) doesn't match function result type (f32) in function @wrong_return
  return %x : i32
}

func.func @unknown_callee(%x: i32) {
  // CHECK: error: 'func.call' op 'nowhere' does not reference a valid function
  call @nowhere(%x) : (i32) -> ()
  return
}

func.func private @takes_one(f32) -> f32

func.func @calls_badly(%x: i32, %y: f32) {
  // CHECK: error: 'func.call' op operand type mismatch: expected operand type 'f32', but provided 'i32' for operand number 0
  %0 = call @takes_one(%x) : (i32) -> f32
  // CHECK: error: 'func.call' op incorrect number of operands for callee
  %1 = call @takes_one(%y, %y) : (f32, f32) -> f32
  // CHECK: error: 'func.call' op incorrect number of results for callee
  call @takes_one(%y) : (f32) -> ()
  return
}
