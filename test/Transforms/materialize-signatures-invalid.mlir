// RUN: not %kopt %s --pass-pipeline='builtin.module(materialize-signatures)' 2>&1 | FileCheck %s

// CHECK: error: unable to generate mangled form for index paths of arguments: raw(0) is at [0], where raw(1) requires a container
func.func @inside_a_leaf(%a: f32 {minoan.index_path = [0]}, %b: f32 {minoan.index_path = [0, 0]}) {
  return
}

// CHECK: error: unable to generate mangled form for index paths of results: raw(0) and raw(1) are both at ["x"]
func.func @twice(%a: f32) -> (f32 {minoan.index_path = ["x"]}, f32 {minoan.index_path = ["x"]}) {
  return %a, %a : f32, f32
}

// CHECK: error: argument #1 has no 'minoan.index_path', but others have one
func.func @missing(%a: f32 {minoan.index_path = [0]}, %b: f32) {
  return
}

// CHECK: error: argument #0: each index path component must be a string or integer
func.func @float(%a: f32 {minoan.index_path = [0.5]}) {
  return
}

// CHECK: error: argument #0: 'minoan.index_path' is an array of integers and strings
func.func @scalar(%a: f32 {minoan.index_path = 0}) {
  return
}

// CHECK: error: 'sip' does not match the function type: input raw(1) does not exist: there are 1
func.func @arity(%a: f32) -> f32 attributes {abi = "sip", abiv = 1 : i32, f = "I4!S1!R4!S1!", fv = "1", sip = "I12!S9!k0_0k1_1R3!_0"} {
  return %a : f32
}

// CHECK: error: 'f' does not match the function type: it has 2 inputs, expected 1
func.func @raw_arity(%a: f32) -> f32 attributes {abi = "sip", abiv = 1 : i32, f = "I7!S1!S1!R4!S1!", fv = "1", sip = "I8!S5!k0_0R3!_0"} {
  return %a : f32
}

// CHECK: error: 'sip' at byte 11: the key is smaller than the one before it; in 'S' at byte 4, 'I' at byte 0 [unsorted-key]
func.func @unsorted(%a: f32, %b: f32) attributes {abi = "sip", abiv = 1 : i32, f = "I7!S1!S1!R1!", fv = "1", sip = "I12!S9!k1_0k0_1R1!"} {
  return
}

// CHECK: error: a function with signatures has the attribute 'abiv' = 1 : i32
func.func @version(%a: f32) attributes {abi = "sip", abiv = 2 : i32, f = "I4!S1!R1!", fv = "1", sip = "I8!S5!k0_0R1!"} {
  return
}
