// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// An operation that yields its input under equal maps is its input; one that permutes elements is not.
// CHECK-LABEL: func.func @passes_on
// CHECK-NEXT: %[[R:.*]] = linalg.generic
// CHECK: return %arg0, %arg1, %[[R]]
func.func @passes_on(%t: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a:2 = linalg.generic {indexing_maps = [#swap, #swap, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<4x4xf32>) outs(%o, %o : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %x, %y : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %b = linalg.generic {indexing_maps = [#swap, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %a#0, %a#1, %b : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// On buffers the output is written: an operation without results is not dead.
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: linalg.generic
func.func @buffers(%m: memref<4xf32>, %o: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : memref<4xf32>) outs(%o : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// Erases an operation that writes no elements.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%m: memref<4xf32>, %e: memref<3x0xf32>, %x: f32) {
  linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%e : memref<3x0xf32>)
  return
}

// A copy of a fill fills its own output, unless it converts the elements.
// CHECK-LABEL: func.func @copied_fill
// CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%arg0 : f32) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = linalg.copy ins(%[[F]] : tensor<4xf32>) outs(%arg3 : tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT: %[[G:.*]] = linalg.fill ins(%arg0 : f32) outs(%arg2 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[G]], %[[C]]
func.func @copied_fill(%x: f32, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf16>) {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.copy ins(%0 : tensor<4xf32>) outs(%c : tensor<4xf16>) -> tensor<4xf16>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf16>
}

// Orders of dimensions.
// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%arg2 : tensor<4x2x3xf32>) permutation = [2, 0, 1]
// CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%arg3 : f32) outs(%arg1 : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %arg0, %[[T]], %[[F]]
func.func @transposes(%t: tensor<2x3x4xf32>, %a: tensor<3x4x2xf32>, %b: tensor<4x2x3xf32>, %x: f32)
    -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<3x4x2xf32>) {
  %0 = linalg.transpose ins(%t : tensor<2x3x4xf32>) outs(%a : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%t : tensor<2x3x4xf32>) permutation = [2, 0, 1]
  %2 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%b : tensor<4x2x3xf32>) permutation = [1, 2, 0]
  %3 = linalg.fill ins(%x : f32) outs(%t : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %4 = linalg.transpose ins(%3 : tensor<2x3x4xf32>) outs(%a : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  return %1, %2, %4 : tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<3x4x2xf32>
}

// A dimension with one point has one index.
// CHECK-LABEL: func.func @unit
// CHECK: linalg.generic
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK-NEXT: linalg.yield %[[J]]
func.func @unit(%o: tensor<1x4xindex>) -> tensor<1x4xindex> {
  %r = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xindex>) {
  ^bb0(%y: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x4xindex>
  return %r : tensor<1x4xindex>
}

// Equal elements are equal in any shape.
// CHECK-LABEL: func.func @reshaped_fill
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %arg2
// CHECK-NEXT: %[[A:.*]] = linalg.fill ins(%arg0 : f32) outs(%[[C]] : tensor<?xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %arg2
// CHECK-NEXT: %[[B:.*]] = linalg.fill ins(%arg0 : f32) outs(%[[E]] : tensor<?x2x2xf32>)
// CHECK-NEXT: return %[[A]], %[[B]], %arg0
func.func @reshaped_fill(%x: f32, %i: index, %t: tensor<?x4xf32>, %n: index) -> (tensor<?xf32>, tensor<?x2x2xf32>, f32) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %3 = tensor.extract %0[%i, %i] : tensor<?x4xf32>
  return %1, %2, %3 : tensor<?xf32>, tensor<?x2x2xf32>, f32
}

// A cast gives its extents to the operation that computes the tensor.
// CHECK-LABEL: func.func @cast_of_result
// CHECK: linalg.fill ins(%arg0 : f32) outs(%{{.*}} : tensor<?x3xf32>) -> tensor<?x3xf32>
func.func @cast_of_result(%x: f32, %t: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// It does not if an assertion is between them, which may be the reason that the extents are those of the cast.
// CHECK-LABEL: func.func @cast_of_result_after_assertion
// CHECK: linalg.fill ins(%arg0 : f32) outs(%arg1 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: cf.assert
// CHECK-NEXT: tensor.cast
func.func @cast_of_result_after_assertion(%x: f32, %t: tensor<?x?xf32>, %fits: i1) -> tensor<?x3xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  cf.assert %fits, "it has three columns"
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}
