// RUN: not %kopt %s 2>&1 | FileCheck %s

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
