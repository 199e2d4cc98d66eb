// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%i: i32) {
  // expected-error@+1 {{'vector.broadcast' op failed to verify that source operand and result have same element type}}
  %0 = vector.broadcast %i : i32 to vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (4 vs. 5)}}
  %0 = vector.broadcast %v1 : vector<4xf32> to vector<5xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (4 vs. 5)}}
  %0 = vector.broadcast %v1 : vector<4xf32> to vector<4x5xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %v1[4] : f32 from vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = vector.extract %v1[0, 0] : f32 from vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' op failed to verify that operand and result have same element type}}
  %0 = vector.extract %v1[0] : i32 from vector<4xf32>
  return
}

// -----

func.func @f(%i: i32, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert' op failed to verify that source operand and result have same element type}}
  %0 = vector.insert %i, %v1[0] : i32 into vector<4xf32>
  return
}

// -----

func.func @f(%s: f32, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension}}
  %0 = vector.insert %s, %v1[7] : f32 into vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %v1, %v1 [0, 9] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'}}
  %0 = vector.reduction <and>, %v1 : vector<4xf32> into f32
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that source operand and result have same element type}}
  %0 = vector.reduction <add>, %v1 : vector<4xf32> into i32
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition index out of range: 1}}
  %0 = vector.transpose %v1, [1] : vector<4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition length mismatch: 2}}
  %0 = vector.transpose %v1, [0, 1] : vector<4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different number of elements at source (4) and result (5)}}
  %0 = vector.shape_cast %v1 : vector<4xf32> to vector<5xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different source and result element types}}
  %0 = vector.shape_cast %v1 : vector<4xf32> to vector<4xi32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %v1 : vector<4xf32> to vector<3xi32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'vector.load' op requires 2 indices}}
  %0 = vector.load %m[%x] : memref<4x5xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%x, %x] : memref<4x5xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %x: index, %v1: vector<4xf32>) {
  // expected-error@+1 {{custom op 'vector.store' invalid kind of type specified: expected builtin.memref, but found 'tensor<4x5xf32>'}}
  vector.store %v1, %f[%x, %x] : tensor<4x5xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%x], %s : memref<4x5xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2}}
  %0 = vector.transfer_read %m[%x, %x], %s {in_bounds = [true, true]} : memref<4x5xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_write' op requires 2 indices}}
  vector.transfer_write %v1, %m[%x] : vector<4xf32>, memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.maskedload' op operand #3 must be vector of 1-bit signless integer values, but got 'vector<4xf32>'}}
  %0 = vector.maskedload %m[%x, %x], %v1, %v1 : memref<4x5xf32>, vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = vector.create_mask %x, %x : vector<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = vector.constant_mask [2, 2] : vector<4xi1>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v1 {offsets = [2], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 0 to be confined to [1, 5)}}
  %0 = vector.insert_strided_slice %v1, %v1 {offsets = [1], strides = [1]} : vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%i: i32, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op failed to verify that rhs operand and result have same element type}}
  %0 = vector.outerproduct %v1, %i : vector<4xf32>, i32
  return
}

// -----

func.func @f(%s: f32, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op destination type 'f32' is incompatible with source type 'vector<4xf32>'}}
  %0 = vector.multi_reduction <add>, %v1, %s [1] : vector<4xf32> to f32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{custom op 'vector.from_elements' number of operands and types do not match: got 2 operands and 3 types}}
  %0 = vector.from_elements %s, %s : vector<3xf32>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{operation defines 4 results but was provided 3 to bind}}
  %0:3 = vector.to_elements %v1 : vector<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4xi32>'}}
  %0 = vector.step : vector<4xi32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index, %v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.gather' op operand #3 must be vector of integer or index values, but got 'vector<4xf32>'}}
  %0 = vector.gather %m[%x, %x] [%v1], %v1, %v1 : memref<4x5xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<5x4xf32>>'}}
  %0 = vector.type_cast %m : memref<4x5xf32> to memref<vector<5x4xf32>>
  return
}

// -----

func.func @f(%v1: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %0, %1 = vector.deinterleave %v1 : vector<4xf32> -> vector<3xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'vector.print' op operand #0 must be , but got 'tensor<4x5xf32>'}}
  vector.print %f : tensor<4x5xf32>
  return
}

// -----

func.func @f(%v: vector<4x3xf32>) {
  // expected-error@+2 {{'vector.extract' op inferred type(s) 'vector<3xf32>' are incompatible with return type(s) of operation 'vector<4xf32>'}}
  // expected-error@+1 {{'vector.extract' op failed to infer returned types}}
  %0 = "vector.extract"(%v) {static_position = array<i64: 0>} : (vector<4x3xf32>) -> vector<4xf32>
  return
}

// -----

// One element may be had as a vector of it, and the other way round.
func.func @f(%v: vector<4x1xf32>) {
  %0 = "vector.extract"(%v) {static_position = array<i64: 0>} : (vector<4x1xf32>) -> f32
  return
}

// -----

func.func @f(%v: vector<4x3xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = "vector.extract"(%v) {static_position = array<i64: 7>} : (vector<4x3xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+2 {{'vector.shuffle' op inferred type(s) 'vector<2xf32>' are incompatible with return type(s) of operation 'vector<[2]xf32>'}}
  // expected-error@+1 {{'vector.shuffle' op failed to infer returned types}}
  %0 = "vector.shuffle"(%v, %v) {mask = array<i64: 0, 1>} : (vector<4xf32>, vector<4xf32>) -> vector<[2]xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that all of {res1, res2} have same type}}
  %0:2 = "vector.deinterleave"(%v) : (vector<4xf32>) -> (vector<2xf32>, vector<4xf32>)
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.fma' op failed to verify that all of {lhs, rhs, acc, result} have same type}}
  %0 = "vector.fma"(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.insert' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.insert"(%f, %v) {static_position = array<i64: 0>} : (f32, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @f(%v: vector<2xf32>, %w: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.insert_strided_slice"(%v, %w) {offsets = [0], strides = [1]} : (vector<2xf32>, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs}}
  %0 = "vector.interleave"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @f(%v: vector<4x4xf32>, %a: vector<4xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op failed to verify that all of {dest, acc} have same type}}
  %0 = "vector.multi_reduction"(%v, %a) {kind = #vector.kind<add>, reduction_dims = array<i64: 0>} : (vector<4x4xf32>, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<[16]xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.scalable.insert"(%v, %w) {pos = 0 : i64} : (vector<4xf32>, vector<[16]xf32>) -> vector<[8]xf32>
  return
}

// -----

func.func @f(%v: vector<4x3xf32>, %a: vector<4xf32>) {
  // expected-error@+1 {{'vector.scan' op failed to verify that all of {initial_value, accumulated_value} have same type}}
  %0:2 = "vector.scan"(%v, %a) {kind = #vector.kind<add>, reduction_dim = 1 : i64, inclusive = true} : (vector<4x3xf32>, vector<4xf32>) -> (vector<4x3xf32>, vector<5xf32>)
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.to_elements' op failed to verify that shaped type 'source' matches 'elements' element count and types}}
  %0:2 = "vector.to_elements"(%v) : (vector<2xf32>) -> (f32, f64)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.vscale' op result #0 must be index, but got 'i32'}}
  %0 = "vector.vscale"() : () -> i32
  return
}
