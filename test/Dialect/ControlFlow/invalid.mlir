// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @f0(%c: i32) {
  // CHECK: error: 'cf.assert' op operand #0 must be 1-bit signless integer, but got 'i32'
  "cf.assert"(%c) {msg = "x"} : (i32) -> ()
  return
}

// -----

func.func @f1(%c: i1) {
  // CHECK: error: 'cf.assert' op attribute 'msg' failed to satisfy constraint: string attribute
  "cf.assert"(%c) {msg = 1 : i32} : (i1) -> ()
  return
}

// -----

func.func @f2(%a: i32) {
  // CHECK: error: {{('cf.br' op )?}}type mismatch for bb argument #0 of successor #0
  cf.br ^bb1(%a : i32)
^bb1(%b: i64):
  return
}

// -----

func.func @f3(%a: i32) {
  // CHECK: error: {{('cf.(cond_)?br' op )?}}branch has 1 operands for successor #0, but target block has 0
  cf.br ^bb1(%a : i32)
^bb1:
  return
}

// -----

func.func @f4(%c: i1, %a: i32) {
  // CHECK: error: {{('cf.(cond_)?br' op )?}}branch has 1 operands for successor #1, but target block has 2
  cf.cond_br %c, ^bb1, ^bb2(%a : i32)
^bb1:
  return
^bb2(%p: i32, %q: i32):
  return
}

// -----

func.func @f5(%a: i64) {
  // CHECK: error: 'cf.switch' op 'flag' type ('i64') should match case value type ('i32')
  "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<42> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
^bb1:
  return
}

// -----

func.func @f6(%a: i64) {
  // CHECK: error: 'cf.switch' op number of case values (2) should match number of case destinations (1)
  "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<[42, -1]> : vector<2xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
^bb1:
  return
}
