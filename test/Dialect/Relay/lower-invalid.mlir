// RUN: not %kopt --pass-pipeline='builtin.module(lower)' --split-input-file %s 2>&1 | FileCheck %s

relay.func @machine(%x: tensor<2x3xf32>, %y: tensor<2xi64>) -> tensor<3x2xf32> {
  // CHECK: error: vm.reshape_tensor cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
  // CHECK-NEXT: lower-invalid.mlir:6:8
  %0 = relay.vm.reshape_tensor %x, %y {newshape = array<i64: 3, 2>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  relay.return %0 : tensor<3x2xf32>
}

// -----

relay.func @rounding(%x: tensor<2xi32>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<2xi8> {
  // CHECK: error: no lowering yet for this qnn.requantize: its rounding is "DOWN"
  // CHECK-NEXT: lower-invalid.mlir:15:8
  %0 = relay.qnn.requantize %x, %s, %z, %s, %z {rounding = "DOWN", out_dtype = "int8"} : (tensor<2xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2xi8>
  relay.return %0 : tensor<2xi8>
}

// -----

// Each operator is reported, in functions of any dialect.
relay.func @several(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: error: no lowering yet for this exp: it is not defined for elements of type int32
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %0 = relay.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: error: no lowering yet for this log: it is not defined for elements of type int32
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %1 = relay.log %0 : (tensor<2xi32>) -> tensor<2xi32>
  relay.return %1 : tensor<2xi32>
}
func.func @other(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: error: no lowering yet for this exp: it is not defined for elements of type int32
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %0 = relay.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// Types and operators are reported together.
// CHECK: error: 'relay.func' has a value of type 'tuple<complex<f32>>', which cannot be lowered
// CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:1
relay.func @type(%x: tuple<complex<f32>>) -> tensor<2xi32> {
  %0 = relay.constant dense<1> : tensor<2xi32>
  relay.return %0 : tensor<2xi32>
}
relay.func @operator(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = relay.constant dense<1> : tensor<2xi32>
  // CHECK: error: no lowering yet for this exp: it is not defined for elements of type int32
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %1 = relay.exp %0 : (tensor<2xi32>) -> tensor<2xi32>
  relay.return %1 : tensor<2xi32>
}

// -----

// Also if the type is one of another language.
// CHECK: error: 'knossos.func' has a value of type 'tuple<complex<f32>>', which cannot be lowered
// CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:1
knossos.func @type(%x: tuple<complex<f32>>, %y: f32) -> f32 {
  knossos.return %y : f32
}
relay.func @operator(%x: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK: error: no lowering yet for this exp: it is not defined for elements of type int32
  // CHECK-NEXT: lower-invalid.mlir:[[#@LINE+1]]:8
  %0 = relay.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  relay.return %0 : tensor<2xi32>
}
