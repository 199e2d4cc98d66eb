// RUN: not %kopt %s 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op symbol declaration cannot have public visibility
func.func @public_declaration(i32)

func.func @wrong_return(%x: i32) -> f32 {
  // CHECK: type of return operand 0 (i32) doesn't match function result type (f32) in function @wrong_return
  return %x : i32
}

func.func @undefined() -> i32 {
  // CHECK: error: use of undeclared SSA value name
  // CHECK: invalid.mlir:14:10
  return %nothing : i32
}

func.func @misspelt(%x: i32) -> i32 {
  // CHECK: did you mean 'arith.addi'?
  %r = arith.adi %x, %x : i32
  return %r : i32
}
