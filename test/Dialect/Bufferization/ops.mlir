// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt - | FileCheck %s

// CHECK-LABEL: func.func @alloc_tensors(
func.func @alloc_tensors(%t: tensor<4x?xf32>, %n: index) {
  // CHECK: bufferization.alloc_tensor(%arg1) : tensor<4x?xf32>
  %a = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor() copy(%arg0) : tensor<4x?xf32>
  %b = bufferization.alloc_tensor() copy(%t) : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor(%arg1) size_hint=%arg1 : tensor<4x?xf32>
  %c = bufferization.alloc_tensor(%n) size_hint=%n : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor(%arg1) {foo = 2 : i32, memory_space = 3 : i64} : tensor<4x?xf32>
  %d = bufferization.alloc_tensor(%n) {memory_space = 3 : i64, foo = 2 : i32} : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor() copy(%arg0) size_hint=%arg1 {memory_space = "near"} : tensor<4x?xf32>
  %e = bufferization.alloc_tensor() copy(%t) size_hint=%n {memory_space = "near"} : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor() : tensor<f32>
  %f = bufferization.alloc_tensor() : tensor<f32>
  // CHECK: bufferization.dealloc_tensor %{{.*}} : tensor<4x?xf32>
  bufferization.dealloc_tensor %a : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @clones(
func.func @clones(%m: memref<4x?xf32>, %u: memref<*xf32>) {
  // CHECK: bufferization.clone %arg0 : memref<4x?xf32> to memref<4x?xf32>
  %a = bufferization.clone %m : memref<4x?xf32> to memref<4x?xf32>
  // CHECK: bufferization.clone %arg1 {a} : memref<*xf32> to memref<4x?xf32>
  %b = bufferization.clone %u {a} : memref<*xf32> to memref<4x?xf32>
  return
}

// CHECK-LABEL: func.func @deallocations(
func.func @deallocations(%m: memref<4x?xf32>, %n: memref<2xi32>, %u: memref<*xf32>, %c: i1) {
  // CHECK: bufferization.dealloc{{$}}
  bufferization.dealloc
  // CHECK: bufferization.dealloc retain (%arg0 : memref<4x?xf32>)
  %a = bufferization.dealloc retain (%m : memref<4x?xf32>)
  // CHECK: bufferization.dealloc (%arg0, %arg1 : memref<4x?xf32>, memref<2xi32>) if (%arg3, %arg3) {z}
  bufferization.dealloc (%m, %n : memref<4x?xf32>, memref<2xi32>) if (%c, %c) {z}
  // CHECK: bufferization.dealloc (%arg1 : memref<2xi32>) if (%arg3) retain (%arg0, %arg2 : memref<4x?xf32>, memref<*xf32>)
  %b:2 = bufferization.dealloc (%n : memref<2xi32>) if (%c) retain (%m, %u : memref<4x?xf32>, memref<*xf32>)
  return
}

// CHECK-LABEL: func.func @exchanges(
func.func @exchanges(%t: tensor<4x?xf32>, %m: memref<4x?xf32>) {
  // CHECK: bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %a = bufferization.materialize_in_destination %t in %t : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: bufferization.materialize_in_destination %arg0 in restrict writable %arg1 : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  // CHECK: bufferization.materialize_in_destination %arg0 in writable %arg1 {a} : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in writable %m {a} : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  // CHECK: bufferization.to_tensor %arg1 : memref<4x?xf32> to tensor<4x?xf32>
  %b = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
  // CHECK: bufferization.to_tensor %arg1 restrict : memref<4x?xf32> to tensor<4x?xf32>
  %c = bufferization.to_tensor %m restrict : memref<4x?xf32> to tensor<4x?xf32>
  // CHECK: bufferization.to_tensor %arg1 restrict writable {b} : memref<4x?xf32> to tensor<4x?xf32>
  %d = bufferization.to_tensor %m restrict writable {b} : memref<4x?xf32> to tensor<4x?xf32>
  // CHECK: bufferization.to_buffer %arg0 read_only : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  %e = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  // CHECK: bufferization.to_buffer %arg0 {b} : tensor<4x?xf32> to memref<4x?xf32, 3>
  %f = bufferization.to_buffer %t {b} : tensor<4x?xf32> to memref<4x?xf32, 3>
  return
}
