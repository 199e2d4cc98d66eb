// RUN: not %kopt %s 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op symbol declaration cannot have public visibility
func.func @public_declaration(i32)

func.func @wrong_return(%x: i32) -> f32 {
  // CHECK: error: type of return operand 0 ('i32') doesn't match function result type ('f32') in function @wrong_return
  // CHECK-NEXT: invalid.mlir:9:3
  return %x : i32
}
