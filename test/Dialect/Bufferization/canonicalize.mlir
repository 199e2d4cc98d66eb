// RUN: %kopt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @to_tensor_of_to_buffer(
// CHECK-NEXT: return %arg0 : tensor<?xf32>
func.func @to_tensor_of_to_buffer(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = bufferization.to_tensor %0 : memref<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @to_buffer_of_to_tensor(
// CHECK-NEXT: return %arg0 : memref<?xf32>
func.func @to_buffer_of_to_tensor(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// CHECK-LABEL: func.func @other_space(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = memref.dim %arg0, %c0 : memref<?xf32, 2>
// CHECK-NEXT: %alloc = memref.alloc(%dim) : memref<?xf32, 7>
// CHECK-NEXT: memref.copy %arg0, %alloc : memref<?xf32, 2> to memref<?xf32, 7>
// CHECK-NEXT: return %alloc : memref<?xf32, 7>
func.func @other_space(%m: memref<?xf32, 2>) -> memref<?xf32, 7> {
  %0 = bufferization.to_tensor %m : memref<?xf32, 2> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, 7>
  return %1 : memref<?xf32, 7>
}

// CHECK-LABEL: func.func @to_cast(
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<?xf32, strided<[1], offset: 3>> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: return %cast : memref<?xf32, strided<[1], offset: ?>>
func.func @to_cast(%m: memref<?xf32, strided<[1], offset: 3>>) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = bufferization.to_tensor %m : memref<?xf32, strided<[1], offset: 3>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %1 : memref<?xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func @to_copy(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: %alloc = memref.alloc(%dim) : memref<?xf32, strided<[1], offset: 3>>
// CHECK-NEXT: memref.copy %arg0, %alloc : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: 3>>
// CHECK-NEXT: return %alloc : memref<?xf32, strided<[1], offset: 3>>
func.func @to_copy(%m: memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32, strided<[1], offset: 3>> {
  %0 = bufferization.to_tensor %m : memref<?xf32, strided<[1], offset: ?>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[1], offset: 3>>
  return %1 : memref<?xf32, strided<[1], offset: 3>>
}

// CHECK-LABEL: func.func @dim_of_to_tensor(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT: return %dim : index
func.func @dim_of_to_tensor(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @dim_of_to_buffer(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %dim : index
func.func @dim_of_to_buffer(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = memref.dim %0, %c0 : memref<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @clone_before_dealloc(
// CHECK-NEXT: return %arg0 : memref<?xf32>
func.func @clone_before_dealloc(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @clone_after_cast(
// CHECK-NEXT: %0 = bufferization.clone %arg0 : memref<?xf32> to memref<32xf32>
// CHECK-NEXT: return %0 : memref<32xf32>
func.func @clone_after_cast(%m: memref<?xf32>) -> memref<32xf32> {
  %0 = memref.cast %m : memref<?xf32> to memref<32xf32>
  %1 = bufferization.clone %0 : memref<32xf32> to memref<32xf32>
  return %1 : memref<32xf32>
}

// CHECK-LABEL: func.func @clone_and_cast(
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<?xf32> to memref<32xf32>
// CHECK-NEXT: return %cast : memref<32xf32>
func.func @clone_and_cast(%m: memref<?xf32>) -> memref<32xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<32xf32>
  memref.dealloc %m : memref<?xf32>
  return %0 : memref<32xf32>
}

// CHECK-LABEL: func.func @alias_is_freed(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = bufferization.clone %arg0 : memref<?xf32> to memref<32xf32>
// CHECK-NEXT: memref.dealloc %arg0 : memref<?xf32>
// CHECK-NEXT: %1 = memref.load %0[%c0] : memref<32xf32>
// CHECK-NEXT: memref.dealloc %0 : memref<32xf32>
// CHECK-NEXT: return %1 : f32
func.func @alias_is_freed(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.cast %m : memref<?xf32> to memref<32xf32>
  %1 = bufferization.clone %0 : memref<32xf32> to memref<32xf32>
  memref.dealloc %m : memref<?xf32>
  %2 = memref.load %1[%c0] : memref<32xf32>
  memref.dealloc %1 : memref<32xf32>
  return %2 : f32
}

// CHECK-LABEL: func.func @unused_clone(
// CHECK-NEXT: return
func.func @unused_clone(%m: memref<?xf32>) {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-LABEL: func.func @clone_and_realloc(
// CHECK-NEXT: %0 = bufferization.clone %arg0 : memref<?xf32> to memref<32xf32>
// CHECK-NEXT: %1 = memref.realloc %0 : memref<32xf32> to memref<64xf32>
// CHECK-NEXT: memref.dealloc %1 : memref<64xf32>
// CHECK-NEXT: return
func.func @clone_and_realloc(%m: memref<?xf32>) {
  %0 = bufferization.clone %m : memref<?xf32> to memref<32xf32>
  %1 = memref.realloc %0 : memref<32xf32> to memref<64xf32>
  memref.dealloc %1 : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @cast_to_buffer(
// CHECK-NEXT: %0 = bufferization.to_buffer %arg0 : tensor<4x6x16x32xi8> to memref<4x6x16x32xi8>
// CHECK-NEXT: %cast = memref.cast %0 : memref<4x6x16x32xi8> to memref<?x?x16x32xi8>
// CHECK-NEXT: return %cast : memref<?x?x16x32xi8>
func.func @cast_to_buffer(%t: tensor<4x6x16x32xi8>) -> memref<?x?x16x32xi8> {
  %0 = tensor.cast %t : tensor<4x6x16x32xi8> to tensor<?x?x16x32xi8>
  %1 = bufferization.to_buffer %0 : tensor<?x?x16x32xi8> to memref<?x?x16x32xi8>
  return %1 : memref<?x?x16x32xi8>
}

// CHECK-LABEL: func.func @load_of_to_buffer(
// CHECK-NEXT: %extracted = tensor.extract %arg2[%arg0, %arg1] : tensor<?x?xf32>
// CHECK-NEXT: return %extracted : f32
func.func @load_of_to_buffer(%i: index, %j: index, %t: tensor<?x?xf32>) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<?x?xf32> to memref<?x?xf32>
  %1 = memref.load %0[%i, %j] : memref<?x?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @alloc_tensor_constant_size(
// CHECK-NEXT: %0 = bufferization.alloc_tensor() : tensor<4x5x6xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4x5x6xf32> to tensor<4x5x?xf32>
// CHECK-NEXT: return %cast : tensor<4x5x?xf32>
func.func @alloc_tensor_constant_size() -> tensor<4x5x?xf32> {
  %c6 = arith.constant 6 : index
  %0 = bufferization.alloc_tensor(%c6) : tensor<4x5x?xf32>
  return %0 : tensor<4x5x?xf32>
}

// CHECK-LABEL: func.func @dim_of_alloc_tensor(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT: return %arg0, %dim : index, index
func.func @dim_of_alloc_tensor(%n: index, %t: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<4x?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %3 = tensor.dim %2, %c0 : tensor<?xf32>
  return %1, %3 : index, index
}

// CHECK-LABEL: func.func @clone_of_reshape(
// CHECK-NEXT: %alloc = memref.alloc() : memref<1xf32>
// CHECK-NEXT: %cast = memref.cast %alloc : memref<1xf32> to memref<?xf32>
// CHECK-NEXT: %reshape = memref.reshape %cast(%arg0) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT: return %reshape : memref<*xf32>
func.func @clone_of_reshape(%s: memref<?xindex>) -> memref<*xf32> {
  %c1 = arith.constant 1 : index
  %0 = memref.alloc(%c1) : memref<?xf32>
  %1 = memref.reshape %0(%s) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
  %2 = bufferization.clone %1 : memref<*xf32> to memref<*xf32>
  memref.dealloc %0 : memref<?xf32>
  return %2 : memref<*xf32>
}

// CHECK-LABEL: func.func @dealloc_duplicates(
// CHECK-NEXT: %0:2 = bufferization.dealloc (%arg4, %arg0 : memref<2xi32>, memref<2xi32>) if (%arg1, %arg1) retain (%arg3, %arg5 : memref<2xi32>, memref<2xi32>)
// CHECK-NEXT: %1 = arith.ori %arg1, %arg2 : i1
// CHECK-NEXT: bufferization.dealloc (%arg0 : memref<2xi32>) if (%1)
// CHECK-NEXT: return %0#0, %0#1, %0#0 : i1, i1, i1
func.func @dealloc_duplicates(%a: memref<2xi32>, %x: i1, %y: i1, %b: memref<2xi32>, %c: memref<2xi32>, %d: memref<2xi32>) -> (i1, i1, i1) {
  %0:3 = bufferization.dealloc (%c, %a, %a : memref<2xi32>, memref<2xi32>, memref<2xi32>) if (%x, %x, %x) retain (%b, %d, %b : memref<2xi32>, memref<2xi32>, memref<2xi32>)
  bufferization.dealloc (%a, %a : memref<2xi32>, memref<2xi32>) if (%x, %y)
  return %0#0, %0#1, %0#2 : i1, i1, i1
}

// CHECK-LABEL: func.func @dealloc_nothing(
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: return %false : i1
func.func @dealloc_nothing(%m: memref<2xi32>) -> i1 {
  bufferization.dealloc
  %0 = bufferization.dealloc retain (%m : memref<2xi32>)
  return %0 : i1
}

// CHECK-LABEL: func.func @dealloc_never(
// CHECK-NEXT: bufferization.dealloc (%arg1 : memref<2xi32>) if (%arg2)
// CHECK-NEXT: return
func.func @dealloc_never(%a: memref<2xi32>, %b: memref<2xi32>, %c: i1) {
  %false = arith.constant false
  bufferization.dealloc (%a, %b : memref<2xi32>, memref<2xi32>) if (%false, %c)
  return
}

// CHECK-LABEL: func.func @dealloc_base_of_alloc(
// CHECK-NEXT: %alloc = memref.alloc() : memref<2xi32>
// CHECK-NEXT: %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg3 : memref<2xi32> -> memref<i32>, index, index, index
// CHECK-NEXT: bufferization.dealloc (%alloc, %arg0, %base_buffer : memref<2xi32>, memref<2xi32>, memref<i32>) if (%arg1, %arg2, %arg2)
// CHECK-NEXT: return %alloc : memref<2xi32>
func.func @dealloc_base_of_alloc(%a: memref<2xi32>, %x: i1, %y: i1, %b: memref<2xi32>) -> memref<2xi32> {
  %alloc = memref.alloc() : memref<2xi32>
  %base0, %offset0, %size0, %stride0 = memref.extract_strided_metadata %alloc : memref<2xi32> -> memref<i32>, index, index, index
  %base1, %offset1, %size1, %stride1 = memref.extract_strided_metadata %b : memref<2xi32> -> memref<i32>, index, index, index
  bufferization.dealloc (%base0, %a, %base1 : memref<i32>, memref<2xi32>, memref<i32>) if (%x, %y, %y)
  return %alloc : memref<2xi32>
}

// CHECK-LABEL: func.func @dealloc_unused_alloc(
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: bufferization.dealloc (%arg0 : memref<2xi32>) if (%true)
// CHECK-NEXT: return
func.func @dealloc_unused_alloc(%a: memref<2xi32>) {
  %true = arith.constant true
  %alloc = memref.alloc() : memref<2xi32>
  bufferization.dealloc (%alloc, %a : memref<2xi32>, memref<2xi32>) if (%true, %true)
  return
}
