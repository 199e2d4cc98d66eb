// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

// CHECK: func.func private @declared(f32, tensor<?xf32>) -> (i64, i1)
func.func private @declared(f32, tensor<?xf32>) -> (i64, i1)

// CHECK: func.func @with_attributes(%arg0: i32 {test.a = 1 : i32}) -> (i32 {test.b}) attributes {test.c = "x"} {
func.func @with_attributes(%x: i32 {test.a = 1 : i32}) -> (i32 {test.b}) attributes {test.c = "x"} {
  // CHECK-NEXT: return %arg0 : i32
  return %x : i32
}

// CHECK-LABEL: func.func @calls(
func.func @calls(%x: f32, %t: tensor<?xf32>) -> i64 {
  // CHECK: %[[R:.*]]:2 = call @declared(%arg0, %arg1) : (f32, tensor<?xf32>) -> (i64, i1)
  %r:2 = call @declared(%x, %t) : (f32, tensor<?xf32>) -> (i64, i1)
  // CHECK: return %[[R]]#0 : i64
  return %r#0 : i64
}
