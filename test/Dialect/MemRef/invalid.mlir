// REQUIRES: mlir-opt
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %mlir-opt --split-input-file --verify-diagnostics %s

func.func @slices(%t: tensor<8x4xf32>, %s: memref<8x4xf32>) {
  // expected-error@below {{expected type to be 'tensor<4x1xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0, 0] [4, 1] [1, 1] : tensor<8x4xf32> to tensor<3xf32>
  return
}

// -----

func.func @slices(%t: tensor<8x4xf32>, %s: memref<8x4xf32>) {
  // expected-error@below {{expected result type to be 'memref<4x1xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<3xf32>'}}
  %0 = memref.subview %s[0, 0] [4, 1] [1, 1] : memref<8x4xf32> to memref<3xf32>
  return
}

// -----

func.func @slices(%t: tensor<8x4xf32>, %s: memref<8x4xf32>) {
  // expected-error@below {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed.}}
  %0 = memref.subview %s[0] [4, 1] [1, 1] : memref<8x4xf32> to memref<3xf32>
  return
}

// -----

func.func @slices(%t: tensor<8x4xf32>, %s: memref<8x4xf32>) {
  // expected-error@below {{offset 1 is out-of-bounds: 9 >= 4}}
  %0 = memref.subview %s[0, 9] [4, 1] [1, 1] : memref<8x4xf32> to memref<4x1xf32, strided<[4, 1], offset: 9>>
  return
}

// -----

func.func @slices(%s: memref<8x4xf32, strided<[4,2]>>, %i: index) {
  // expected-error@below {{'memref.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<8x4xf32, strided<[4, 2]>>'}}
  %0 = memref.view %s[%i][] : memref<8x4xf32, strided<[4,2]>> to memref<3xf32>
  return
}

// -----

func.func @slices(%s: memref<8xf32>, %i: index, %f : f32) {
  // expected-error@below {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %f, %s[%i] : (f32, memref<8xf32>) -> f32
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  %0 = memref.atomic_rmw addf %f, %s[%i] : (i32, memref<8xi32>) -> i32
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addi %f, %s[%i, %i] : (i32, memref<8xi32>) -> i32
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{unnecessary dimension operand for result type 'memref<8xi32>'}}
  %0 = memref.realloc %s(%i) : memref<8xi32> to memref<8xi32>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{missing dimension operand for result type 'memref<?xi32>'}}
  %0 = memref.realloc %s : memref<8xi32> to memref<?xi32>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{different element types specified for source memref type 'memref<8xi32>' and result memref type 'memref<9xi64>'}}
  %0 = memref.realloc %s : memref<8xi32> to memref<9xi64>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{'memref.realloc' op result #0 must be 1D memref of any type values, but got 'memref<9x1xi64>'}}
  %0 = memref.realloc %s : memref<8xi32> to memref<9x1xi64>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{different memory spaces specified for source memref type 'memref<8xi32>' and result memref type 'memref<9xi32, 3>'}}
  %0 = memref.realloc %s : memref<8xi32> to memref<9xi32, 3>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{unsupported layout for result memref type 'memref<9xi32, strided<[2]>>'}}
  %0 = memref.realloc %s : memref<8xi32> to memref<9xi32, strided<[2]>>
  return
}

// -----

func.func @slices(%s: memref<8xi32, strided<[2]>>, %i: index, %f : i32) {
  memref.distinct_objects
  // expected-error@below {{expected ':'}}
  %0 = memref.realloc %s : memref<8xi32, strided<[2]>> to memref<9xi32>
  return
}

// -----

func.func @slices(%s: memref<8xi32, strided<[2]>>, %i: index, %f : i32) {
  // expected-error@below {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %s[%i], read, locality<4>, data : memref<8xi32, strided<[2]>>
  return
}

// -----

func.func @slices(%s: memref<8xi32, strided<[2]>>, %i: index, %f : i32) {
  // expected-error@below {{custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'}}
  memref.prefetch %s[%i], reads, locality<4>, data : memref<8xi32, strided<[2]>>
  return
}

// -----

func.func @slices(%s: memref<8xi32, strided<[2]>>, %i: index, %f : i32) {
  // expected-error@below {{custom op 'memref.prefetch' cache type has to be 'data' or 'instr'}}
  memref.prefetch %s[%i], read, locality<4>, datas : memref<8xi32, strided<[2]>>
  return
}

// -----

func.func @slices(%s: memref<8xi32, strided<[2]>>, %i: index, %f : i32) {
  // expected-error@below {{'memref.prefetch' op too few indices}}
  memref.prefetch %s[%i, %i], read, locality<3>, data : memref<8xi32, strided<[2]>>
  return
}

// -----

func.func @slices(%s: memref<8xi32, affine_map<(d0)->(d0 floordiv 2)>>, %i: index, %f : i32) {
  // expected-error@below {{base type 'memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>' is not strided}}
  %0 = memref.subview %s[0] [4] [1] : memref<8xi32, affine_map<(d0)->(d0 floordiv 2)>> to memref<4xi32>
  return
}

// -----

func.func @slices(%s: memref<8xi32, affine_map<(d0)->(d0 floordiv 2)>>, %i: index, %f : i32) {
  // expected-error@below {{'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<8xi32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
  %r:5 = memref.extract_strided_metadata %s : memref<8xi32, affine_map<(d0)->(d0 floordiv 2)>> -> memref<i32>, index, index, index, index
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@+2 {{'memref.extract_strided_metadata' op failed to infer returned types}}
  // expected-error@below {{'memref.extract_strided_metadata' op inferred type(s) 'memref<i32>', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<i64>', 'index', 'index', 'index'}}
  %r:4 = memref.extract_strided_metadata %s : memref<8xi32> -> memref<i64>, index, index, index
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@+2 {{'memref.extract_strided_metadata' op failed to infer returned types}}
  // expected-error@below {{'memref.extract_strided_metadata' op inferred type(s) 'memref<i32>', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<i32>', 'index', 'index'}}
  %r:3 = memref.extract_strided_metadata %s : memref<8xi32> -> memref<i32>, index, index
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{'memref.collapse_shape' op reassociation index 1 is out of bounds}}
  %r = memref.collapse_shape %s [[0, 1]] : memref<8xi32> into memref<8xi32>
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  %x = memref.generic_atomic_rmw %s[%i] : memref<8xi32> {
    ^bb0(%v : i32):
      // expected-error@below {{'memref.atomic_yield' op types mismatch between yield op: 'index' and its parent: 'i32'}}
      memref.atomic_yield %i : index
  }
  return
}

// -----

func.func @slices(%s: memref<8xi32>, %i: index, %f : i32) {
  // expected-error@below {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %x = memref.generic_atomic_rmw %s[%i] : memref<8xi32> {
    ^bb0(%v : i32, %w : i32):
      memref.atomic_yield %v : i32
  }
  return
}

// -----

func.func @a(%i: memref<*xf32>, %m: memref<4xf32>) {
  // expected-error@below {{'memref.extract_strided_metadata' op result #0 must be strided memref of any type values of rank 0, but got 'memref<1xf32>'}}
  %0:4 = "memref.extract_strided_metadata"(%m) : (memref<4xf32>) -> (memref<1xf32>, index, index, index)
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4xi32>, %x: i32) {
  // expected-error@below {{'memref.assume_alignment' op attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = "memref.assume_alignment"(%m) {alignment = -2 : i32} : (memref<4xi32>) -> memref<4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4xi32>, %x: index) {
  // expected-error@below {{'memref.collapse_shape' op attribute 'reassociation' failed to satisfy constraint: Array of 64-bit integer array attributes}}
  %0 = "memref.collapse_shape"(%m) {reassociation = [[0], 1]} : (memref<4xi32>) -> memref<4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4xi32>, %x: index) {
  // expected-error@below {{'memref.distinct_objects' op expected at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4xi32>, %x: index) {
  // expected-error@below {{'memref.distinct_objects' op operand types and result types must match}}
  "memref.distinct_objects"(%m, %m) : (memref<4xi32>,memref<4xi32>) -> (memref<4xi32>)
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4xi32>, %x: index) {
  // expected-error@below {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (d0) -> (d0, d0) : memref<4xi32> to memref<4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.transpose' op result type 'memref<4x4xi32>' is not equivalent to the canonical transposed input type 'memref<4x4xi32, affine_map<(d0, d1) -> (d0 + d1 * 4)>>'}}
  %0 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x4xi32> to memref<4x4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.transpose' op expected a permutation map of same rank as the input}}
  %0 = memref.transpose %m (d0) -> (d0) : memref<4x4xi32> to memref<4x4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.alloca_scope' op region should have no arguments}}
  memref.alloca_scope { ^bb0(%a : i32): memref.alloca_scope.return }
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %0 = memref.alloc()[%x] : memref<4xf32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.cast' op operand type 'memref<4x4xi32>' and result type 'memref<4xi32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x4xi32> to memref<4xi32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<4x4xi32>, %x: index) {
  // expected-error@below {{'memref.copy' op requires the same element type for all operands}}
  memref.copy %m, %i : memref<4x4xi32> to memref<?xf32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<i32>, %x: index) {
  // expected-error@below {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<i32>'}}
  %0 = memref.dim %m, %x : memref<i32>
  return
}

// -----

func.func @a(%i: memref<?xf32>, %m: memref<i32>, %x: index) {
  // expected-error@below {{'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 0, but got 1}}
  memref.dma_wait %m[%x], %x : memref<i32>
  return
}

// -----

// expected-error@below {{expected operation name in quotes}}
memref.global @a : memref<4xf32> = dense<1.0> : tensor<4xf64>

// -----

// expected-error@below {{inferred shape of elements literal ([2]) does not match type ([4])}}
memref.global @a : memref<4xf32> = dense<[1.0, 2.0]>

// -----

// expected-error@below {{'memref.global' op initial value shape expected to be 4 but was 3}}
"memref.global"() {sym_name = "a", type = memref<4xf32>, initial_value = dense<1.0> : tensor<3xf32>} : () -> ()

// -----

// expected-error@below {{'memref.global' op initial value element expected to be of type 'f32', but was of type 'f64'}}
"memref.global"() {sym_name = "a", type = memref<4xf32>, initial_value = dense<1.0> : tensor<3xf64>} : () -> ()

// -----

// expected-error@below {{'memref.global' op initial value should be a unit or elements attribute, but got "s"}}
"memref.global"() {sym_name = "a", type = memref<4xf32>, initial_value = "s"} : () -> ()

// -----

// expected-error@below {{'memref.global' op type should be static shaped memref, but got 'memref<?xf32>'}}
"memref.global"() {sym_name = "a", type = memref<?xf32>} : () -> ()
