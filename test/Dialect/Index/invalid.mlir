// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @casts(%i: i32) {
  // CHECK: error: 'index.casts' op operand type 'i32' and result type 'i32' are cast incompatible
  %0 = index.casts %i : i32 to i32
  return
}

func.func @operand(%x: f32) {
  // CHECK: error: 'index.castu' op operand #0 must be integer or index, but got 'f32'
  %0 = "index.castu"(%x) : (f32) -> i32
  return
}

func.func @constant() {
  // CHECK: error: 'index.constant' op attribute 'value' failed to satisfy constraint: index attribute
  %0 = "index.constant"() <{value = 1 : i32}> : () -> index
  return
}
