// RUN: not %kopt --split-input-file %s 2>&1 | FileCheck %s

// Common mistakes, and the help messages for them.

// CHECK: error: expected operation name in quotes
// CHECK: help: did you mean '->'?
func.func @wrong_arrow(%a: i32) => i32 {
  return %a : i32
}

// -----

// CHECK: error: expected operation name in quotes
// CHECK: help: the operation before it ends here
func.func @colon_for_arrow(%a: i32) : i32 {
  return %a : i32
}

// -----

func.func @dialect_left_out(%a: i32) -> i32 {
  // CHECK: error: custom op 'addi' is unknown (tried 'func.addi' as well)
  // CHECK: help: did you mean 'arith.addi'?
  %0 = addi %a, %a : i32
  return %0 : i32
}

// -----

func.func @no_percent_sign(%a: i32) -> i32 {
  // CHECK: error: expected SSA operand
  // CHECK: ^{{$}}
  // CHECK: help: did you mean '%a'?
  %0 = arith.addi a, %a : i32
  return %0 : i32
}

// -----

func.func @no_percent_sign_of_a_result(%a: i32) -> i32 {
  // CHECK: error: custom op 'x' is unknown
  // CHECK: help: did you mean '%x'?
  x = arith.addi %a, %a : i32
  return %a : i32
}

// -----

// CHECK: error: expected '}'
// CHECK: func.func @not_closed(%a: i32) -> i32 {
// CHECK-NEXT: - opened here
func.func @not_closed(%a: i32) -> i32 {
  return %a : i32

// -----

func.func @closed_twice(%a: i32) -> i32 {
  return %a : i32
}
// CHECK: error: expected operation name in quotes
// CHECK: help: no '{' is open here
}

// -----

// CHECK: error: {{.*}}expected valid '@'-identifier for symbol name
// CHECK: help: did you mean '@no_at_sign'?
func.func no_at_sign(%a: i32) {
  return
}

// -----

// CHECK: error: {{.*}}expected valid '@'-identifier for symbol name
// CHECK: help: did you mean 'private'?
func.func privat @misspelt_visibility()

// -----

// CHECK: error: custom op 'attribute' is unknown
// CHECK: help: did you mean 'attributes'?
func.func @misspelt_keyword() attribute {a = 1} {
  return
}

// -----

func.func @no_caret() {
  // CHECK: error: expected block name
  // CHECK: help: did you mean '^end'?
  cf.br end
^end:
  return
}

// -----

func.func @no_caret_of_a_label() {
  cf.br ^end
// CHECK: error: custom op 'end' is unknown
// CHECK: help: did you mean '^end'?
end:
  return
}

// -----

// CHECK: error: expected non-function type
// CHECK: help: did you mean 'i32'?
func.func @foreign_type(%a: int32) -> i32 {
  return %a : i32
}

// -----

// CHECK: error: expected non-function type
// CHECK: help: did you mean 'tensor'?
func.func @misspelt_type(%a: tensr<4xf32>) {
  return
}

// -----

func.func @generic_form_without_quotes(%a: i32) {
  // CHECK: error: expected SSA operand
  // CHECK: help: the generic form has the operation's name in quotes
  %0 = arith.addi(%a, %a) : (i32, i32) -> i32
  return
}

// -----

func.func @quotes_of_another_kind() {
  // CHECK: error: unexpected character
  // CHECK: help: strings are enclosed in '"' and '"'
  'arith.constant'() {value = 1 : i32} : () -> i32
  return
}

// -----

func.func @comment_of_another_language() {
  // CHECK: error: expected operation name in quotes
  // CHECK: help: a comment begins with '//'
  /* nothing */
  return
}

// -----

func.func @semicolon() {
  // CHECK: error: unexpected character
  // CHECK: help: operations need nothing between them
  return;
}

// -----

func.func @value_of_a_region_that_ended(%c: i1) {
  scf.if %c {
    %0 = arith.constant 1 : i32
  }
  // CHECK: error: use of undeclared SSA value name '%0'
  // CHECK: %0 = arith.constant 1 : i32
  // CHECK-NEXT: -- defined here, in a region that ends before
  %1 = arith.addi %0, %0 : i32
  return
}

// -----

module {
  %k = arith.constant 1 : i32
  func.func @value_from_outside() {
    // CHECK: error: use of undeclared SSA value name '%k'
    // CHECK: %k = arith.constant 1 : i32
    // CHECK-NEXT: -- defined here, and not seen inside an isolated operation
    %1 = arith.addi %k, %k : i32
    return
  }
}

// -----

func.func @operation_behind_a_return() {
  // CHECK: error: 'func.return' op must be the last operation in the parent block
  // CHECK-NEXT: invalid-hints.mlir:[[@LINE+1]]:3
  return
  %0 = arith.constant 1 : i32
}

// -----

func.func @misspelt_attribute(%a: i32) -> i1 {
  // CHECK: error: 'arith.cmpi' op requires attribute 'predicate'
  // CHECK: help: there is an attribute 'predicat'
  %0 = "arith.cmpi"(%a, %a) {predicat = 0 : i64} : (i32, i32) -> i1
  return %0 : i1
}

// -----

// CHECK: error: use of undeclared identifier
// CHECK: help: did you mean 'rows'?
#map = affine_map<(rows, columns) -> (row, columns)>

// -----

func.func @return_without_operands() -> i32 {
  // CHECK: error: 'func.return' op has 0 operands, but enclosing function (@return_without_operands) returns 1
  // CHECK-NEXT: invalid-hints.mlir:[[@LINE+1]]:3
  return
}
