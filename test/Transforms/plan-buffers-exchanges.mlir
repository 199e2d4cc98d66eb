// RUN: %kopt %s --split-input-file --plan-buffers | FileCheck %s

// A tensor that is read from a buffer is a view of it, and one that is written to a buffer is computed there.
// CHECK-LABEL: func.func @computed_in_buffer
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: linalg.add ins(%arg0, %arg1 : memref<4xf32>, memref<4xf32>) outs(%arg2 : memref<4xf32>)
// CHECK-NEXT: return
func.func @computed_in_buffer(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %y = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %z in restrict writable %c : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Without `restrict`, the buffers may be the same.
// CHECK-LABEL: func.func @without_restrict
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: linalg.add ins(%arg0, %arg0 : memref<4xf32>, memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK: memref.copy %[[A]], %arg1
// CHECK: memref.dealloc %[[A]]
func.func @without_restrict(%a: memref<4xf32>, %c: memref<4xf32>) {
  %x = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %z in writable %c : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// A tensor is updated in the buffer that it is read from.
// CHECK-LABEL: func.func @updated_in_buffer
// CHECK-NOT: memref.alloc
// CHECK: memref.store %arg1, %arg0[%arg2]
// CHECK-NEXT: memref.store %arg1, %arg0[%arg3]
// CHECK-NEXT: return
func.func @updated_in_buffer(%m: memref<?xf32>, %x: f32, %i: index, %j: index) {
  %t = bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  %u = tensor.insert %x into %t[%i] : tensor<?xf32>
  %v = tensor.insert %x into %u[%j] : tensor<?xf32>
  bufferization.materialize_in_destination %v in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// A write between the updates and the exchange must be overwritten, and a read must see the old contents.
// CHECK-LABEL: func.func @observed
// CHECK: memref.alloc
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: memref.copy
// CHECK: return %[[X]]
func.func @observed(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %y : f32
}

// -----

// The extent of the new tensor is that of the buffer, or unknown.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill ins(%arg2 : f32) outs(%arg0 : memref<?xf32>)
// CHECK: %[[A:.*]] = memref.alloc(%arg3)
// CHECK: linalg.fill ins(%arg2 : f32) outs(%[[A]] : memref<?xf32>)
// CHECK: memref.copy %[[A]], %arg1
func.func @dynamic(%m: memref<?xf32>, %n: memref<?xf32>, %x: f32, %size: index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  %g = tensor.empty(%size) : tensor<?xf32>
  %h = linalg.fill ins(%x : f32) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %h in restrict writable %n : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// The buffer that is returned belongs to the caller.
// CHECK-LABEL: func.func @returned
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.copy %arg0, %[[A]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[A]]
func.func @returned(%t: tensor<4xf32>) -> memref<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}

// -----

// The buffer that the program manages is not copied because a view of it is.
// CHECK-LABEL: func.func @managed
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: return %[[X]], %arg0
func.func @managed(%m: memref<4xf32>, %i: index) -> (f32, memref<4xf32>) {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x, %m : f32, memref<4xf32>
}

// -----

// The buffer of a tensor that was read from another buffer is written to: it is a copy, which is freed.
// CHECK-LABEL: func.func @written_buffer_of_read_tensor
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.copy %arg0, %[[A]]
// CHECK: memref.store %arg1, %[[A]][%arg2]
// CHECK: memref.dealloc %[[A]]
// CHECK-NOT: memref.dealloc
func.func @written_buffer_of_read_tensor(%m: memref<4xf32>, %x: f32, %i: index) {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %n[%i] : memref<4xf32>
  return
}

// -----

// A buffer that the program frees is not freed twice.
// CHECK-LABEL: func.func @freed_by_program
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.load %[[A]]
// CHECK: memref.dealloc %[[A]]
// CHECK-NOT: memref.dealloc
func.func @freed_by_program(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}

// -----

// A buffer in which a tensor was computed is returned itself.
// CHECK-LABEL: func.func @returned_after_update
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.store %arg0, %[[A]]
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: return %[[A]]
func.func @returned_after_update(%x: f32, %i: index) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return %m : memref<4xf32>
}

// -----

// Exclusive exchanges with different parts of a buffer access different elements.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[A:.*]], %[[A]] : {{.*}}) outs(%{{.*}} : memref<4xf32, strided<[1], offset: 4>>)
func.func @parts(%m: memref<8xf32>) {
  %a = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %b = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %x = bufferization.to_tensor %a restrict : memref<4xf32, strided<[1]>> to tensor<4xf32>
  %y = bufferization.to_tensor %b restrict writable : memref<4xf32, strided<[1], offset: 4>> to tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %z in restrict writable %b : (tensor<4xf32>, memref<4xf32, strided<[1], offset: 4>>) -> ()
  return
}
