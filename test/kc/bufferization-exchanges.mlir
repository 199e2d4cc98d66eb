// Tensors are values: what is written to a buffer later does not change a tensor that was read from it, and what is written to the
// buffer of a tensor does not change the tensor.
// RUN: kc run %s --entry read_then_written --backend interpret | FileCheck %s --check-prefix=READ
// RUN: kc run %s --entry read_then_written --backend interpret-buffers | FileCheck %s --check-prefix=READ
// RUN: kc run %s --entry read_then_written --memory-check | FileCheck %s --check-prefix=READ
// RUN: kc run %s --entry read_in_loop --backend interpret | FileCheck %s --check-prefix=LOOP
// RUN: kc run %s --entry read_in_loop --backend interpret-buffers | FileCheck %s --check-prefix=LOOP
// RUN: kc run %s --entry read_in_loop --memory-check | FileCheck %s --check-prefix=LOOP
// RUN: kc run %s --entry buffer_is_written --backend interpret --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=BUFFER
// RUN: kc run %s --entry buffer_is_written --backend interpret-buffers --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=BUFFER
// RUN: kc run %s --entry buffer_is_written --memory-check --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=BUFFER
// RUN: kc run %s --entry updated_while_viewed --backend interpret --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=VIEWED
// RUN: kc run %s --entry updated_while_viewed --backend interpret-buffers --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=VIEWED
// RUN: kc run %s --entry updated_while_viewed --memory-check --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=VIEWED
// RUN: kc run %s --entry views_of_buffer --backend interpret --inputs '[[[1, 2], [3, 4]]]' | FileCheck %s --check-prefix=VIEWS
// RUN: kc run %s --entry views_of_buffer --backend interpret-buffers --inputs '[[[1, 2], [3, 4]]]' | FileCheck %s --check-prefix=VIEWS
// RUN: kc run %s --entry views_of_buffer --memory-check --inputs '[[[1, 2], [3, 4]]]' | FileCheck %s --check-prefix=VIEWS
// RUN: kc run %s --entry in_place --backend interpret --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=PLACE
// RUN: kc run %s --entry in_place --backend interpret-buffers --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=PLACE
// RUN: kc run %s --entry in_place --memory-check --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=PLACE
// RUN: kc run %s --entry overlapping --backend interpret | FileCheck %s --check-prefix=OVERLAP
// RUN: kc run %s --entry overlapping --backend interpret-buffers | FileCheck %s --check-prefix=OVERLAP
// RUN: kc run %s --entry overlapping --memory-check | FileCheck %s --check-prefix=OVERLAP
// RUN: kc run %s --entry conditional --backend interpret | FileCheck %s --check-prefix=CONDITIONAL
// RUN: kc run %s --entry conditional --backend interpret-buffers | FileCheck %s --check-prefix=CONDITIONAL
// RUN: kc run %s --entry conditional --memory-check | FileCheck %s --check-prefix=CONDITIONAL
// RUN: kc run %s --entry copies --backend interpret --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=COPIES
// RUN: kc run %s --entry copies --backend interpret-buffers --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=COPIES
// RUN: kc run %s --entry copies --memory-check --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=COPIES
// RUN: kc run %s --entry freed_tensor --backend interpret-buffers | FileCheck %s --check-prefix=FREED
// RUN: kc run %s --entry freed_tensor --memory-check | FileCheck %s --check-prefix=FREED
// RUN: kc run %s --entry freed_by_caller --backend interpret | FileCheck %s --check-prefix=RETURNED
// RUN: kc run %s --entry freed_by_caller --backend interpret-buffers | FileCheck %s --check-prefix=RETURNED
// RUN: kc run %s --entry freed_by_caller --memory-check | FileCheck %s --check-prefix=RETURNED

// READ: (1, 9)
func.func @read_then_written() -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %m = memref.alloc() : memref<3xf32>
  %t0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  bufferization.materialize_in_destination %t0 in writable %m : (tensor<3xf32>, memref<3xf32>) -> ()
  %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
  memref.store %nine, %m[%c0] : memref<3xf32>
  %x = tensor.extract %t[%c0] : tensor<3xf32>
  %y = memref.load %m[%c0] : memref<3xf32>
  memref.dealloc %m : memref<3xf32>
  return %x, %y : f32, f32
}

// The tensor is used at the start of each iteration, and the buffer changes at the end of it.
// LOOP: 4{{$}}
func.func @read_in_loop() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7.0 : f32
  %ones = arith.constant dense<1.0> : tensor<2xf32>
  %m = memref.alloc() : memref<2xf32>
  bufferization.materialize_in_destination %ones in writable %m : (tensor<2xf32>, memref<2xf32>) -> ()
  %t = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
    %x = tensor.extract %t[%c0] : tensor<2xf32>
    %next = arith.addf %acc, %x : f32
    memref.store %seven, %m[%c0] : memref<2xf32>
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<2xf32>
  return %sum : f32
}

// BUFFER: ([1, 2, 3], 5, 1)
func.func @buffer_is_written(%t: tensor<3xf32>) -> (tensor<3xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5.0 : f32
  %m = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
  memref.store %five, %m[%c0] : memref<3xf32>
  %x = memref.load %m[%c0] : memref<3xf32>
  %y = tensor.extract %t[%c0] : tensor<3xf32>
  return %t, %x, %y : tensor<3xf32>, f32, f32
}

// The buffer of a tensor is used after the tensor has been updated.
// VIEWED: (3, [2, 4, 8])
func.func @updated_while_viewed(%t: tensor<3xf32>) -> (f32, tensor<3xf32>) {
  %c2 = arith.constant 2 : index
  %eight = arith.constant 8.0 : f32
  %double = tensor.empty() : tensor<3xf32>
  %own = linalg.add ins(%t, %t : tensor<3xf32>, tensor<3xf32>) outs(%double : tensor<3xf32>) -> tensor<3xf32>
  %half = arith.constant dense<0.5> : tensor<3xf32>
  %same = linalg.mul ins(%own, %half : tensor<3xf32>, tensor<3xf32>) outs(%double : tensor<3xf32>) -> tensor<3xf32>
  %m = bufferization.to_buffer %same read_only : tensor<3xf32> to memref<3xf32>
  %updated = tensor.insert %eight into %own[%c2] : tensor<3xf32>
  %v = memref.cast %m : memref<3xf32> to memref<?xf32>
  %x = memref.load %v[%c2] : memref<?xf32>
  return %x, %updated : f32, tensor<3xf32>
}

// VIEWS: (4, 7)
func.func @views_of_buffer(%t: tensor<2x2xf32>) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7.0 : f32
  %m = bufferization.to_buffer %t : tensor<2x2xf32> to memref<2x2xf32>
  %row = memref.subview %m[1, 0] [1, 2] [1, 1] : memref<2x2xf32> to memref<2xf32, strided<[1], offset: 2>>
  %x = memref.load %row[%c1] : memref<2xf32, strided<[1], offset: 2>>
  memref.store %seven, %row[%c1] : memref<2xf32, strided<[1], offset: 2>>
  %y = memref.load %m[%c1, %c1] : memref<2x2xf32>
  return %x, %y : f32, f32
}

// PLACE: ([2, 4, 6], [1, 2, 3])
func.func @in_place(%t: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %m = memref.alloc() : memref<3xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<3xf32>, memref<3xf32>) -> ()
  %a = bufferization.to_tensor %m restrict writable : memref<3xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %d = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  bufferization.materialize_in_destination %d in restrict writable %m : (tensor<3xf32>, memref<3xf32>) -> ()
  %r = bufferization.to_tensor %m : memref<3xf32> to tensor<3xf32>
  memref.dealloc %m : memref<3xf32>
  return %r, %a : tensor<3xf32>, tensor<3xf32>
}

// OVERLAP: [1, 1, 2, 3]
func.func @overlapping() -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %t0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  bufferization.materialize_in_destination %t0 in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %from = memref.subview %m[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  %to = memref.subview %m[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  %t = bufferization.to_tensor %from : memref<3xf32, strided<[1]>> to tensor<3xf32>
  bufferization.materialize_in_destination %t in writable %to : (tensor<3xf32>, memref<3xf32, strided<[1], offset: 1>>) -> ()
  %r = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %r : tensor<4xf32>
}

// Each buffer is freed once; the one that is retained is owned by the caller of `dealloc`.
// CONDITIONAL: (true, false, 6)
func.func @conditional() -> (i1, i1, f32) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %six = arith.constant 6.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  memref.store %six, %a[%c0] : memref<4xf32>
  %same = memref.cast %b : memref<4xf32> to memref<?xf32>
  %part = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %owned:2 = bufferization.dealloc (%a, %b, %same, %c : memref<4xf32>, memref<4xf32>, memref<?xf32>, memref<4xf32>)
    if (%true, %true, %true, %false) retain (%part, %c : memref<2xf32, strided<[1]>>, memref<4xf32>)
  %x = memref.load %part[%c0] : memref<2xf32, strided<[1]>>
  bufferization.dealloc (%a : memref<4xf32>) if (%owned#0)
  bufferization.dealloc (%c : memref<4xf32>) if (%true)
  return %owned#0, %owned#1, %x : i1, i1, f32
}

// COPIES: ([1, 2, 3], [4, 2, 3], 2)
func.func @copies(%t: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4.0 : f32
  %a = bufferization.alloc_tensor() copy(%t) : tensor<3xf32>
  %b = tensor.insert %four into %a[%c0] : tensor<3xf32>
  %e = bufferization.alloc_tensor() : tensor<3xf32>
  %d = bufferization.materialize_in_destination %a in %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %m = memref.alloc() : memref<3xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<3xf32>, memref<3xf32>) -> ()
  %n = bufferization.clone %m : memref<3xf32> to memref<3xf32>
  memref.dealloc %m : memref<3xf32>
  %x = memref.load %n[%c1] : memref<3xf32>
  memref.dealloc %n : memref<3xf32>
  bufferization.dealloc_tensor %e : tensor<3xf32>
  return %d, %b, %x : tensor<3xf32>, tensor<3xf32>, f32
}

// FREED: 2{{$}}
func.func @freed_tensor() -> f32 {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<1xf32>
  memref.store %two, %m[%c0] : memref<1xf32>
  %t = bufferization.to_tensor %m restrict : memref<1xf32> to tensor<1xf32>
  %x = tensor.extract %t[%c0] : tensor<1xf32>
  bufferization.dealloc_tensor %t : tensor<1xf32>
  return %x : f32
}

// The caller frees the buffer that a function returns, also after the function has been inlined.
// RETURNED: 3{{$}}
func.func private @returned(%t: tensor<2xf32>) -> memref<2xf32> {
  %m = bufferization.to_buffer %t : tensor<2xf32> to memref<2xf32>
  return %m : memref<2xf32>
}

func.func @freed_by_caller() -> f32 {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %m = call @returned(%t) : (tensor<2xf32>) -> memref<2xf32>
  %x = memref.load %m[%c0] : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  return %x : f32
}
