// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @undefined() -> i32 {
  // CHECK: error: use of undeclared SSA value name
  // CHECK: invalid.mlir:6:10
  return %nothing : i32
}

func.func @misspelt(%x: i32) -> i32 {
  // CHECK: did you mean 'arith.addi'?
  %r = arith.adi %x, %x : i32
  return %r : i32
}

func.func @wrong_type(%x: i32) -> i32 {
  // CHECK: error: use of value '%x' expects different type than prior uses: 'f32' vs 'i32'
  %r = arith.addf %x, %x : f32
  return %x : i32
}
