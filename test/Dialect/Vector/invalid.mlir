// RUN: %kopt %s --split-input-file --verify-diagnostics
// RUN: %if mlir-opt %{ %mlir-opt %s --split-input-file --verify-diagnostics %}

// Invalid values. The messages equal MLIR's.

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %w : vector<2x4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (4 vs. 8)}}
  %0 = vector.broadcast %v : vector<4xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (4 vs. [4])}}
  %0 = vector.broadcast %v : vector<4xf32> to vector<2x[4]xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op failed to verify that source operand and result have same element type}}
  %0 = vector.broadcast %v : vector<4xf32> to vector<4xf64>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source type is not a vector}}
  %0 = vector.broadcast %m : memref<8x16xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %w[2] : vector<4xf32> from vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = vector.extract %w[0, 1, 2] : f32 from vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract' op mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite}}
  %0 = "vector.extract"(%w) <{static_position = array<i64: -9223372036854775808>}> : (vector<2x4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract' op requires attribute 'static_position'}}
  %0 = "vector.extract"(%w) : (vector<2x4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension}}
  %0 = vector.insert %v, %w [2] : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute of rank no greater than dest vector rank}}
  %0 = vector.insert %v, %w [0, 0, 0] : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank + source rank to match dest vector rank}}
  %0 = vector.insert %v, %w [0, 0] : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%f: f32, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = vector.insert %f, %w [0] : f32 into vector<2x4xf32>
  return
}

// -----

func.func @f(%d: f64, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert' op failed to verify that source operand and result have same element type}}
  %0 = vector.insert %d, %w [0, 1] : f64 into vector<2x4xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{custom op 'vector.from_elements' number of operands and types do not match: got 2 operands and 3 types}}
  %0 = vector.from_elements %f, %f : vector<3xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{custom op 'vector.from_elements' 'dest' must be fixed-length vector of any type values, but got 'vector<[2]xf32>'}}
  %0 = vector.from_elements %f, %f : vector<[2]xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types}}
  %0 = "vector.from_elements"(%f, %f) : (f32, f32) -> vector<3xf32>
  return
}

// -----

func.func @f(%f: f32, %d: f64) {
  // expected-error@+1 {{'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types}}
  %0 = "vector.from_elements"(%f, %d) : (f32, f64) -> vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.to_elements' op failed to verify that shaped type 'source' matches 'elements' element count and types}}
  %0:3 = "vector.to_elements"(%v) : (vector<4xf32>) -> (f32, f32, f32)
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{operation defines 4 results but was provided 3 to bind}}
  %0:3 = vector.to_elements %v : vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size}}
  %0 = vector.extract_strided_slice %w {offsets = [0], sizes = [2, 4], strides = [1]} : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank}}
  %0 = vector.extract_strided_slice %w {offsets = [0, 0, 0], sizes = [2, 4, 1], strides = [1, 1, 1]} : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets dimension 0 to be confined to [0, 2)}}
  %0 = vector.extract_strided_slice %w {offsets = [3], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sizes dimension 0 to be confined to [1, 3)}}
  %0 = vector.extract_strided_slice %w {offsets = [0], sizes = [3], strides = [1]} : vector<2x4xf32> to vector<3x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.extract_strided_slice %w {offsets = [0], sizes = [1], strides = [2]} : vector<2x4xf32> to vector<1x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 3)}}
  %0 = vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [1]} : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected result type to be 'vector<1x4xf32>'}}
  %0 = vector.extract_strided_slice %w {offsets = [1], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected size at idx=0 to match the corresponding base size from the input vector (2 vs 4)}}
  %0 = vector.extract_strided_slice %s {offsets = [1], sizes = [2], strides = [1]} : vector<[4]xf32> to vector<[2]xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op requires attribute 'offsets'}}
  %0 = vector.extract_strided_slice %w {sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected offsets of same size as destination vector rank}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [1], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected strides of same size as source vector rank}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [1, 0], strides = [1, 1]} : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected source rank to be no greater than destination rank}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [1], strides = [1, 1]} : vector<2x4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected offsets dimension 0 to be confined to [0, 2)}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [2, 0], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 5)}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [1, 1], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [1, 0], strides = [2]} : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op mismatching scalable flags (at source vector idx=0)}}
  %0 = vector.insert_strided_slice %v, %s {offsets = [0], strides = [1]} : vector<4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different number of elements at source (8) and result (9)}}
  %0 = vector.shape_cast %w : vector<2x4xf32> to vector<9xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different source and result element types}}
  %0 = vector.shape_cast %w : vector<2x4xf32> to vector<8xf64>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different number of scalable dims at source (0) and result (1)}}
  %0 = vector.shape_cast %v : vector<4xf32> to vector<[4]xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition length mismatch: 1}}
  %0 = vector.transpose %w, [1] : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op vector result rank mismatch: 1}}
  %0 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition index out of range: 2}}
  %0 = vector.transpose %w, [1, 2] : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op duplicate position index: 1}}
  %0 = vector.transpose %w, [1, 1] : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op dimension size mismatch at: 0}}
  %0 = vector.transpose %w, [0, 1] : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op failed to verify that operand and result have same element type}}
  %0 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf64>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op rank mismatch}}
  %0 = vector.shuffle %v, %w [0, 1] : vector<4xf32>, vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %n: vector<4xi32>) {
  // expected-error@+1 {{'vector.shuffle' op failed to verify that second operand v2 and result have same element type}}
  %0 = vector.shuffle %v, %n [0, 1] : vector<4xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op invalid mask length}}
  %0 = vector.shuffle %v, %v [] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask length mismatch}}
  %0 = "vector.shuffle"(%v, %v) <{mask = array<i64: 0, 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs}}
  %0 = vector.interleave %v, %v : vector<4xf32> -> vector<9xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that all of {lhs, rhs} have same type}}
  %0 = "vector.interleave"(%v, %x) : (vector<4xf32>, vector<2xf32>) -> vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that all of {res1, res2} have same type}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<4xf32>) -> (vector<2xf32>, vector<4xf32>)
  return
}

// -----

func.func @f(%z: vector<f32>) {
  %q = vector.shape_cast %z : vector<f32> to vector<1xf32>
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements}}
  %0, %1 = vector.deinterleave %q : vector<1xf32> -> vector<1xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op dimension size mismatch at: 0}}
  %0 = vector.bitcast %w : vector<2x4xf32> to vector<4x2xi64>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %w : vector<2x4xf32> to vector<2x4xi64>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op failed to verify that all of {source, result} have same rank}}
  %0 = vector.bitcast %w : vector<2x4xf32> to vector<8xi32>
  return
}

// -----

func.func @f(%z: vector<f32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the 0-D vector element types must be equal}}
  %0 = vector.bitcast %z : vector<f32> to vector<i64>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that position is a multiple of the source length.}}
  %0 = vector.scalable.insert %v, %s[3] : vector<4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op operand #0 must be  of ranks 1, but got 'vector<2x4xf32>'}}
  %0 = vector.scalable.insert %w, %s[4] : vector<2x4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @f(%s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.scalable.extract' op failed to verify that position is a multiple of the result length.}}
  %0 = vector.scalable.extract %s[3] : vector<4xf32> from vector<[4]xf32>
  return
}

// -----

func.func @f(%n: vector<4xi32>, %s: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that all of {valueToStore, dest} have same element type}}
  %0 = vector.scalable.insert %n, %s[4] : vector<4xi32> into vector<[4]xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %w : vector<2x4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction type ''f32'' for kind 'minui'}}
  %0 = vector.reduction <minui>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that source operand and result have same element type}}
  %0 = vector.reduction <add>, %v : vector<4xf32> into f64
  return
}

// -----

func.func @f(%v: vector<4xf32>, %d: f64) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that dest and acc have the same type}}
  %0 = "vector.reduction"(%v, %d) <{kind = #vector.kind<add>}> : (vector<4xf32>, f64) -> f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op requires attribute 'kind'}}
  %0 = "vector.reduction"(%v) : (vector<4xf32>) -> f32
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<2x4xf32>'}}
  %0 = vector.multi_reduction <add>, %w, %v [1] : vector<2x4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op failed to verify that all of {dest, acc} have same type}}
  %0 = "vector.multi_reduction"(%w, %x) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<2x4xf32>, vector<2xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #1}}
  %0 = vector.outerproduct %w, %v : vector<2x4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %0 = vector.outerproduct %v, %w : vector<4xf32>, vector<2x4xf32>
  return
}

// -----

func.func @f(%f: f32, %w: vector<2x4xf32>) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected vector type for operand #1}}
  %0 = vector.outerproduct %f, %w : f32, vector<2x4xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected at least 2 operands}}
  %0 = vector.outerproduct %f : f32, vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %d: f64) {
  // expected-error@+1 {{'vector.outerproduct' op failed to verify that rhs operand and result have same element type}}
  %0 = vector.outerproduct %v, %d, %v : vector<4xf32>, f64
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.outerproduct' op unsupported outerproduct type}}
  %0 = vector.outerproduct %v, %f, %v {kind = #vector.kind<minui>} : vector<4xf32>, f32
  return
}

// -----

func.func @f(%s: vector<[4]xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected either both or only #2 operand dim to be scalable}}
  %0 = vector.outerproduct %s, %v : vector<[4]xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected operand #3 of same type as result type}}
  %0 = "vector.outerproduct"(%v, %v, %w) : (vector<4xf32>, vector<4xf32>, vector<2x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 2-d vector result}}
  %0 = "vector.outerproduct"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected #2 operand dim to match result dim #2}}
  %0 = "vector.outerproduct"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4x2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector result}}
  %0 = "vector.outerproduct"(%v, %f) : (vector<4xf32>, f32) -> vector<4x2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%v, %f) : (vector<4xf32>, f32) -> vector<2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.scan' op reduction dimension 2 has to be less than 2}}
  %0:2 = vector.scan <add>, %w, %x {inclusive = true, reduction_dim = 2 : i64} : vector<2x4xf32>, vector<2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.scan' op initial value rank 2 has to be equal to 1}}
  %0:2 = vector.scan <add>, %w, %w {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2x4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.scan' op incompatible input/initial value shapes}}
  %0:2 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.scan' op unsupported reduction type 'f32' for kind 'xor'}}
  %0:2 = vector.scan <xor>, %w, %x {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.scan' op requires attribute 'inclusive'}}
  %0:2 = vector.scan <add>, %w, %x {reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected an indexing map for each vector operand}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{custom op 'vector.contract' expected "iterator_types" array attribute}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{custom op 'vector.contract' unexpected iterator_type (foo)}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["foo"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 0 to have no symbols}}
  %0 = vector.contract {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 0 to have 1 number of inputs}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 1 to have 1 number of outputs}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.contract' op expected at least one contracting dimension pair}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} %v, %v, %w : vector<4xf32>, vector<4xf32> into vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: vector<2xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op invalid contracting dimension map}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %x, %f : vector<4xf32>, vector<2xf32> into f32
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<2xf32>'}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} %w, %v, %v : vector<2x4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["parallel", "reduction"]} %w, %v, %f : vector<2x4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} %v, %v, %x : vector<4xf32>, vector<4xf32> into vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op unsupported contraction type}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<or>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %n: vector<4xi32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op failed to verify that lhs and rhs have same element type}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %n, %f : vector<4xf32>, vector<4xi32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 2 to have 1 number of outputs}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op expected an indexing map for each vector operand}}
  %0 = vector.contract {indexing_maps = [3], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.contract' op attribute 'iterator_types' failed to satisfy constraint: Iterator type should be an enum.}}
  %0 = "vector.contract"(%v, %v, %f) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}
