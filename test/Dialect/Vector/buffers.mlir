// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" | FileCheck %s

// A dead tensor is updated in place.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[T:.*]]: memref<8xf32>, %[[I:.*]]: index, %[[F:.*]]: f32) -> memref<8xf32> {
// CHECK: %[[V:.*]] = vector.transfer_read %[[T]][%[[I]]], %[[F]] : memref<8xf32>, vector<4xf32>
// CHECK: %[[NEW:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK: vector.transfer_write %[[V]], %[[NEW]][%[[I]]] : vector<4xf32>, memref<8xf32>
// CHECK-NOT: memref.copy
// CHECK: return %[[NEW]]
func.func @in_place(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
  %init = tensor.splat %f : tensor<8xf32>
  %new = vector.transfer_write %v, %init[%i] : vector<4xf32>, tensor<8xf32>
  return %new : tensor<8xf32>
}

// The caller owns the arguments.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME: %[[T:[a-z0-9]*]]: memref<8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: memref.copy %[[T]], %[[NEW]]
// CHECK: vector.scatter %[[NEW]][
// CHECK: vector.gather %[[NEW]][
// CHECK: memref.dealloc %[[NEW]]
// CHECK: return %{{.*}} : vector<4xf32>
func.func @copied(%t: tensor<8xf32>, %i: index, %at: vector<4xi32>, %k: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  %new = vector.scatter %t[%i] [%at], %k, %v : tensor<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<8xf32>
  %r = vector.gather %new[%i] [%at], %k, %v : tensor<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %r : vector<4xf32>
}
