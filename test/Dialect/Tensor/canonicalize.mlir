// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s

// An element of `tensor.from_elements`.
// CHECK-LABEL: func.func @elements
// CHECK-NEXT: return %arg1, %arg0, %arg1 : f32, f32, f32
func.func @elements(%x: f32, %y: f32, %i: index, %t: tensor<?xf32>) -> (f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %a = tensor.from_elements %x, %y : tensor<2xf32>
  %b = tensor.splat %x : tensor<8xf32>
  %c = tensor.insert %y into %t[%i] : tensor<?xf32>
  %e = tensor.extract %a[%c1] : tensor<2xf32>
  %f = tensor.extract %b[%i] : tensor<8xf32>
  %g = tensor.extract %c[%i] : tensor<?xf32>
  return %e, %f, %g : f32, f32, f32
}

// An element that an insertion elsewhere left alone; at a place that may be the same nothing is known.
// CHECK-LABEL: func.func @elsewhere
// CHECK: %[[E:.*]] = tensor.extract %arg0[%c1] : tensor<?xf32>
// CHECK: %[[F:.*]] = tensor.extract %inserted
// CHECK: return %[[E]], %[[F]]
func.func @elsewhere(%t: tensor<?xf32>, %x: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.insert %x into %t[%c0] : tensor<?xf32>
  %e = tensor.extract %a[%c1] : tensor<?xf32>
  %f = tensor.extract %a[%i] : tensor<?xf32>
  return %e, %f : f32, f32
}

// Extents come from where they were given.
// CHECK-LABEL: func.func @extents
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[D:.*]] = tensor.dim %arg0, %[[ONE]] : tensor<4x?xf32>
// CHECK-NEXT: return %[[FOUR]], %[[D]], %arg1, %arg1, %arg1 : index, index, index, index, index
func.func @extents(%t: tensor<4x?xf32>, %n: index, %x: f32) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cast = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %empty = tensor.empty(%n) : tensor<7x?xf32>
  %splat = tensor.splat %x[%n] : tensor<?xf32>
  %part = tensor.extract_slice %t[0, 0] [1, %n] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
  %a = tensor.dim %cast, %c0 : tensor<?x?xf32>
  %b = tensor.dim %cast, %c1 : tensor<?x?xf32>
  %c = tensor.dim %empty, %c1 : tensor<7x?xf32>
  %d = tensor.dim %splat, %c0 : tensor<?xf32>
  %e = tensor.dim %part, %c0 : tensor<?xf32>
  return %a, %b, %c, %d, %e : index, index, index, index, index
}

// An updated tensor has the extents of the original one.
// CHECK-LABEL: func.func @updated
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT: return %[[D]], %[[E]]
func.func @updated(%t: tensor<?xf32>, %i: index, %x: f32) -> (index, index) {
  %c0 = arith.constant 0 : index
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  %b = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  return %d, %e : index, index
}

// Merges casts, unless the inner one checks extents.
// CHECK-LABEL: func.func @casts
// CHECK-NEXT: %[[A:.*]] = tensor.cast %arg0 : tensor<4x?xf32> to tensor<?x4xf32>
// CHECK-NEXT: %[[B:.*]] = tensor.cast %arg1 : tensor<?xf32> to tensor<5xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[B]] : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[A]], %[[C]]
func.func @casts(%t: tensor<4x?xf32>, %u: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %a = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %b = tensor.cast %a : tensor<?x?xf32> to tensor<?x4xf32>
  %c = tensor.cast %u : tensor<?xf32> to tensor<5xf32>
  %d = tensor.cast %c : tensor<5xf32> to tensor<?xf32>
  return %b, %d : tensor<?x4xf32>, tensor<?xf32>
}

// Sizes that are constants go into types.
// CHECK-LABEL: func.func @sizes
// CHECK: tensor.empty() : tensor<4xf32>
// CHECK: tensor.generate {
// CHECK: } : tensor<4xindex>
// CHECK: tensor.splat %arg0 : tensor<4xf32>
// CHECK: tensor.extract_slice %arg1[1, %arg2] [4, %arg2] [1, 1] : tensor<8x8xf32> to tensor<4x?xf32>
// CHECK: tensor.cast %arg3 : tensor<?xf32> to tensor<4xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%arg2] [4] [1] : tensor<4xf32> into tensor<?xf32>
func.func @sizes(%x: f32, %t: tensor<8x8xf32>, %n: index, %p: tensor<?xf32>, %w: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xindex>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  %b = tensor.generate %c4 {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  %c = tensor.splat %x[%c4] : tensor<?xf32>
  %d = tensor.extract_slice %t[%c1, %n] [%c4, %n] [1, 1] : tensor<8x8xf32> to tensor<?x?xf32>
  %e = tensor.insert_slice %p into %w[%n] [%c4] [1] : tensor<?xf32> into tensor<?xf32>
  return %a, %b, %c, %d, %e : tensor<?xf32>, tensor<?xindex>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// Parts that are all of a tensor, that were just put there, or are put back.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT: return %arg0, %arg1, %arg0, %arg0 : tensor<8xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>
func.func @parts(%t: tensor<8xf32>, %p: tensor<2xf32>, %u: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = tensor.extract_slice %t[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
  %b = tensor.insert_slice %p into %t[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %c = tensor.extract_slice %b[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %d = tensor.insert_slice %t into %u[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  %e = tensor.extract_slice %t[1] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %f = tensor.insert_slice %e into %t[1] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %a, %c, %d, %f : tensor<8xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>
}

// An insertion over another insertion.
// CHECK-LABEL: func.func @covered
// CHECK-NEXT: %[[R:.*]] = tensor.insert_slice %arg2 into %arg0[%arg3] [2] [1]
// CHECK-NEXT: return %[[R]]
func.func @covered(%t: tensor<8xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>, %i: index) -> tensor<8xf32> {
  %a = tensor.insert_slice %p into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %b = tensor.insert_slice %q into %a[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %b : tensor<8xf32>
}

// Reshapes of reshapes.
// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: %[[A:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
// CHECK-NEXT: %[[B:.*]] = tensor.expand_shape %[[A]] {{\[}}[0, 1, 2]] output_shape [4, 3, 2] : tensor<24xf32> into tensor<4x3x2xf32>
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @reshapes(%t: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<24xf32>, tensor<4x3x2xf32>) {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %c = tensor.expand_shape %b [[0, 1]] output_shape [12, 2] : tensor<24xf32> into tensor<12x2xf32>
  %d = tensor.collapse_shape %c [[0, 1]] : tensor<12x2xf32> into tensor<24xf32>
  %e = tensor.expand_shape %c [[0, 1], [2]] output_shape [4, 3, 2] : tensor<12x2xf32> into tensor<4x3x2xf32>
  return %b, %d, %e : tensor<24xf32>, tensor<24xf32>, tensor<4x3x2xf32>
}

// The one element that is read of a generated tensor is computed; of one that has other readers it is not.
// CHECK-LABEL: func.func @generated
// CHECK-NEXT: %[[E:.*]] = arith.muli %arg0, %arg1 : index
// CHECK-NEXT: %[[G:.*]] = tensor.generate
// CHECK: tensor.extract %[[G]]
// CHECK: tensor.extract %[[G]]
func.func @generated(%i: index, %j: index) -> (index, index, index) {
  %g = tensor.generate {
  ^bb0(%k: index):
    %v = arith.muli %k, %j : index
    tensor.yield %v : index
  } : tensor<8xindex>
  %e = tensor.extract %g[%i] : tensor<8xindex>
  %h = tensor.generate {
  ^bb0(%k: index):
    %v = arith.divui %k, %j : index
    tensor.yield %v : index
  } : tensor<8xindex>
  %a = tensor.extract %h[%i] : tensor<8xindex>
  %b = tensor.extract %h[%j] : tensor<8xindex>
  return %e, %a, %b : index, index, index
}

// Padding by no elements, unless it has `nofold`; a concatenation of one tensor.
// CHECK-LABEL: func.func @same
// CHECK: %[[P:.*]] = tensor.pad %arg0 nofold
// CHECK: return %arg0, %[[P]], %arg0
func.func @same(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  %b = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  %c = tensor.concat dim(0) %t : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Merges bitcasts, and erases those to the original type.
// CHECK-LABEL: func.func @bits_of_bits
// CHECK-NEXT: %[[B:.*]] = tensor.bitcast %arg0 : tensor<4xf32> to tensor<4xui32>
// CHECK-NEXT: return %arg0, %[[B]]
func.func @bits_of_bits(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xui32>) {
  %a = tensor.bitcast %t : tensor<4xf32> to tensor<4xi32>
  %b = tensor.bitcast %a : tensor<4xi32> to tensor<4xf32>
  %c = tensor.bitcast %a : tensor<4xi32> to tensor<4xui32>
  return %b, %c : tensor<4xf32>, tensor<4xui32>
}

// A constant of any extents, which is not expanded to its elements.
// CHECK-LABEL: func.func @splat_of_constant
// CHECK: arith.constant dense<1.500000e+00> : tensor<1000000x1000000xf32>
// CHECK: arith.constant dense<> : tensor<0x4xf32>
// CHECK-NOT: tensor.splat
func.func @splat_of_constant() -> (tensor<1000000x1000000xf32>, tensor<0x4xf32>) {
  %x = arith.constant 1.5 : f32
  %a = tensor.splat %x : tensor<1000000x1000000xf32>
  %b = tensor.splat %x : tensor<0x4xf32>
  return %a, %b : tensor<1000000x1000000xf32>, tensor<0x4xf32>
}

// All elements of a constant are the same.
// CHECK-LABEL: func.func @element_of_constant
// CHECK-NEXT: %[[C:.*]] = arith.constant 1.500000e+00 : f32
// CHECK-NEXT: return %[[C]]
func.func @element_of_constant(%i: index) -> f32 {
  %c = arith.constant dense<1.5> : tensor<4xf32>
  %x = tensor.extract %c[%i] : tensor<4xf32>
  return %x : f32
}

// A part of a splat is a splat.
// CHECK-LABEL: func.func @slice_of_splat
// CHECK-NEXT: %[[S:.*]] = tensor.splat %arg0[%arg3] : tensor<?xf32>
// CHECK-NEXT: return %[[S]]
func.func @slice_of_splat(%x: f32, %n: index, %at: index, %size: index) -> tensor<?xf32> {
  %a = tensor.splat %x[%n] : tensor<?x8xf32>
  %b = tensor.extract_slice %a[%at, 0] [%size, 1] [1, 1] : tensor<?x8xf32> to tensor<?xf32>
  return %b : tensor<?xf32>
}

// The extents of a group with several dynamic ones may differ from those that were collapsed.
// CHECK-LABEL: func.func @expand_to_other_extents
// CHECK: tensor.collapse_shape
// CHECK: %[[EXPANDED:.*]] = tensor.expand_shape
// CHECK: return %[[EXPANDED]]
func.func @expand_to_other_extents(%x: tensor<?x?xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @expand_to_same_extents
// CHECK-NEXT: return %arg0
func.func @expand_to_same_extents(%x: tensor<?x4x?xf32>, %a: index, %b: index) -> tensor<?x4x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%a, 4, %b] : tensor<?x?xf32> into tensor<?x4x?xf32>
  return %1 : tensor<?x4x?xf32>
}
