// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @a(%arg0: index) {
  // expected-error@below {{'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 1, expected 2}}
  %0 = bufferization.alloc_tensor(%arg0) : tensor<4x?x?x5xf32>
  return
}

// -----

// expected-note@below {{prior use here}}
func.func @b(%t: tensor<?xf32>) {
  // expected-error@below {{use of value '%t' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<?xf32>'}}
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<5xf32>
  return
}

// -----

func.func @b2(%t: tensor<?xf32>) {
  // expected-error@below {{expected that `copy` and return type match}}
  %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<?xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @c(%t: tensor<?xf32>, %sz: index) {
  // expected-error@below {{dynamic sizes not needed when copying a tensor}}
  %0 = bufferization.alloc_tensor(%sz) copy(%t) : tensor<?xf32>
  return
}

// -----

func.func @c3(%sz: index) {
  // expected-error@below {{custom op 'bufferization.alloc_tensor' invalid kind of type specified}}
  %0 = bufferization.alloc_tensor() : memref<2xf32>
  return
}

// -----

func.func @c4(%sz: index) {
  // expected-error@below {{'bufferization.alloc_tensor' op result #0 must be tensor of any type values, but got 'memref<2xf32>'}}
  %0 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> memref<2xf32>
  return
}

// -----

func.func @d(%t: tensor<?xf32>, %m: memref<?xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in %m : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @e(%t: tensor<?xf32>, %m: memref<?xf64>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<?xf32>, memref<?xf64>) -> ()
  return
}

// -----

func.func @f(%t: tensor<?xf32>, %m: tensor<5x5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op rank mismatch between source and destination shape}}
  bufferization.materialize_in_destination %t in %m : (tensor<?xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @f2(%t: tensor<3xf32>, %m: tensor<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in %m : (tensor<3xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f3(%t: tensor<5xf32>, %m: tensor<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations}}
  bufferization.materialize_in_destination %t in restrict %m : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f4(%t: tensor<5xf32>, %m: tensor<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f5(%t: tensor<5xf32>, %m: tensor<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
  bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @f6(%t: tensor<5xf32>, %m: tensor<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op result and 'dest' types must match}}
  bufferization.materialize_in_destination %t in %m : (tensor<5xf32>, tensor<5xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f7(%t: tensor<5xf32>, %m: memref<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op memref 'dest' implies zero results}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f8(%t: tensor<5xf32>, %m: vector<5xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op 'dest' must be a tensor or a memref}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, vector<5xf32>) -> ()
  return
}

// -----

func.func @f11(%t: tensor<*xf32>, %m: memref<3xf32>) {
  // expected-error@below {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<*xf32>, memref<3xf32>) -> ()
  return
}

// -----

func.func @g(%c: i1, %m: memref<2xf32>) -> i1 {
  // expected-error@below {{'bufferization.dealloc' op must have the same number of updated conditions (results) as retained operands}}
  %0:2 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<2xf32>, i1, memref<2xf32>) -> (i1, i1)
  return %0#0 : i1
}

// -----

func.func @g2(%c: i1, %m: memref<2xf32>) {
  // expected-error@below {{'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate}}
  bufferization.dealloc (%m, %m : memref<2xf32>, memref<2xf32>) if (%c)
  return
}

// -----

func.func @h(%m: memref<2xf32>) {
  // expected-error@below {{shapes do not match}}
  // expected-error@below {{'bufferization.to_tensor' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %m : memref<2xf32> to tensor<?xf32>
  return
}

// -----

func.func @h2(%m: memref<2xf32>) {
  // expected-error@below {{element types do not match}}
  // expected-error@below {{'bufferization.to_tensor' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf64>
  return
}

// -----

func.func @h3(%m: tensor<2xf32>) {
  // expected-error@below {{shapes do not match}}
  // expected-error@below {{'bufferization.to_buffer' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_buffer %m : tensor<2xf32> to memref<3xf32>
  return
}

// -----

func.func @h4(%m: tensor<2xf32>) {
  // expected-error@below {{element types do not match}}
  // expected-error@below {{'bufferization.to_buffer' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_buffer %m : tensor<2xf32> to memref<2xf64>
  return
}

// -----

func.func @h5(%m: tensor<2xf32>) {
  // expected-error@below {{shapes do not match}}
  // expected-error@below {{'bufferization.to_buffer' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_buffer %m : tensor<2xf32> to memref<*xf32>
  return
}

// -----

func.func @h6(%m: f32) {
  // expected-error@below {{'bufferization.to_buffer' op operand #0 must be TensorLikeType instance, but got 'f32'}}
  %0 = "bufferization.to_buffer"(%m) : (f32) -> memref<f32>
  return
}

// -----

func.func @h7(%m: memref<2xf32>) {
  // expected-error@below {{'bufferization.to_tensor' op result #0 must be TensorLikeType instance, but got 'memref<2xf32>'}}
  %0 = "bufferization.to_tensor"(%m) : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @i2(%m: tensor<2xf32>) {
  // expected-error@below {{'bufferization.clone' op operand #0 must be ranked or unranked memref of any type values, but got 'tensor<2xf32>'}}
  %0 = "bufferization.clone"(%m) : (tensor<2xf32>) -> memref<3xf64>
  return
}

// -----

func.func @i3(%m: memref<2xf32>) {
  // expected-error@below {{'bufferization.dealloc_tensor' op operand #0 must be tensor of any type values, but got 'memref<2xf32>'}}
  "bufferization.dealloc_tensor"(%m) : (memref<2xf32>) -> ()
  return
}

// -----

func.func @i4(%m: memref<2xf32>) {
  bufferization.dealloc (%m : memref<2xf32>)
  // expected-error@below {{custom op 'bufferization.dealloc' expected 'if'}}
  return
}

// -----

// expected-note@below {{prior use here}}
func.func @i5(%m: memref<2xf32>) {
  // expected-error@below {{use of value '%m' expects different type than prior uses: 'index' vs 'memref<2xf32>'}}
  %0 = bufferization.alloc_tensor(%m) : tensor<?xf32>
  return
}

// -----

func.func @i6(%sz: index) {
  // expected-error@below {{attribute '"bufferization.escape"' not supported as an op attribute by the bufferization dialect}}
  %0 = bufferization.alloc_tensor(%sz) {bufferization.escape = 5} : tensor<?xf32>
  return
}

// -----

// expected-error@below {{attribute '"bufferization.writable"' not supported as an op attribute by the bufferization dialect}}
func.func @i14( %w: i32) attributes {bufferization.writable = true} {
  return
}

// -----

// expected-error@below {{attribute '"bufferization.foo"' not supported as an op attribute by the bufferization dialect}}
module attributes {bufferization.foo} {}

// -----

func.func @i16( %w: i32) {
  // expected-error@below {{'arith.constant' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
  %0 = arith.constant {bufferization.manual_deallocation} dense<0.0> : tensor<2xf32>
  return
}
