// RUN: %kopt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @parts_of_broadcasts
// CHECK-SAME: (%[[F:.*]]: f32, %[[V:.*]]: vector<4xf32>, %[[I:.*]]: index)
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[F]] : f32 to vector<4xf32>
// CHECK-NEXT: %[[E:.*]] = vector.extract %[[V]][3] : f32 from vector<4xf32>
// CHECK-NEXT: return %[[F]], %[[B]], %[[V]], %[[E]]
func.func @parts_of_broadcasts(%f: f32, %v: vector<4xf32>, %i: index) -> (f32, vector<4xf32>, vector<4xf32>, f32) {
  %c3 = arith.constant 3 : index
  %b = vector.broadcast %f : f32 to vector<2x4xf32>
  %0 = vector.extract %b[%i, 3] : f32 from vector<2x4xf32>
  %1 = vector.extract %b[0] : vector<4xf32> from vector<2x4xf32>
  %w = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  %2 = vector.extract %w[%i] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %w[%i, %c3] : f32 from vector<2x4xf32>
  return %0, %1, %2, %3 : f32, vector<4xf32>, vector<4xf32>, f32
}

// CHECK-LABEL: func.func @parts_of_insertions
// CHECK-SAME: (%[[V:.*]]: vector<4xf32>, %[[W:.*]]: vector<2x4xf32>, %[[F:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: %[[A:.*]] = vector.extract %[[V]][2] : f32 from vector<4xf32>
// CHECK-NEXT: %[[B:.*]] = vector.extract %[[W]][1] : vector<4xf32> from vector<2x4xf32>
// CHECK-NEXT: %[[C:.*]] = vector.insert %[[F]], %[[W]] [0, %[[I]]]
// CHECK-NEXT: %[[D:.*]] = vector.extract %[[C]][0, 1]
// CHECK-NEXT: return %[[V]], %[[A]], %[[B]], %[[D]]
func.func @parts_of_insertions(%v: vector<4xf32>, %w: vector<2x4xf32>, %f: f32, %i: index) -> (vector<4xf32>, f32, vector<4xf32>, f32) {
  %old = vector.insert %v, %w [0] : vector<4xf32> into vector<2x4xf32>
  %new = vector.insert %v, %old [0] : vector<4xf32> into vector<2x4xf32>
  %0 = vector.extract %new[0] : vector<4xf32> from vector<2x4xf32>
  %1 = vector.extract %new[0, 2] : f32 from vector<2x4xf32>
  %2 = vector.extract %new[1] : vector<4xf32> from vector<2x4xf32>
  // Where the index is not known it may be any.
  %some = vector.insert %f, %w [0, %i] : f32 into vector<2x4xf32>
  %3 = vector.extract %some[0, 1] : f32 from vector<2x4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, f32, vector<4xf32>, f32
}

// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32, %[[V:.*]]: vector<2x2xf32>)
// CHECK-NEXT: %[[ROW:.*]] = vector.from_elements %[[B]], %[[A]] : vector<2xf32>
// CHECK-NEXT: %[[ALL:.*]] = vector.broadcast %[[A]] : f32 to vector<3xf32>
// CHECK-NEXT: return %[[B]], %[[ROW]], %[[ALL]], %[[V]]
func.func @elements(%a: f32, %b: f32, %v: vector<2x2xf32>) -> (f32, vector<2xf32>, vector<3xf32>, vector<2x2xf32>) {
  %m = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
  %0 = vector.extract %m[1, 0] : f32 from vector<2x2xf32>
  %1 = vector.extract %m[1] : vector<2xf32> from vector<2x2xf32>
  %2 = vector.from_elements %a, %a, %a : vector<3xf32>
  %e:4 = vector.to_elements %v : vector<2x2xf32>
  %3 = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<2x2xf32>
  return %0, %1, %2, %3 : f32, vector<2xf32>, vector<3xf32>, vector<2x2xf32>
}

// CHECK-LABEL: func.func @orders
// CHECK-SAME: (%[[W:.*]]: vector<2x3x4xf32>, %[[V:.*]]: vector<4xf32>, %[[U:.*]]: vector<4xf32>)
// CHECK-NEXT: %[[T:.*]] = vector.transpose %[[W]], [1, 2, 0] : vector<2x3x4xf32> to vector<3x4x2xf32>
// CHECK-NEXT: %[[S:.*]] = vector.shape_cast %[[W]] : vector<2x3x4xf32> to vector<24xf32>
// CHECK-NEXT: %[[I:.*]] = vector.interleave %[[V]], %[[U]] : vector<4xf32> -> vector<8xf32>
// CHECK-NEXT: return %[[T]], %[[S]], %[[U]], %[[I]], %[[V]]
func.func @orders(%w: vector<2x3x4xf32>, %v: vector<4xf32>, %u: vector<4xf32>) -> (vector<3x4x2xf32>, vector<24xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>) {
  %t = vector.transpose %w, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %0 = vector.transpose %t, [2, 0, 1] : vector<4x2x3xf32> to vector<3x4x2xf32>
  %s = vector.shape_cast %w : vector<2x3x4xf32> to vector<6x4xf32>
  %1 = vector.shape_cast %s : vector<6x4xf32> to vector<24xf32>
  %2 = vector.shuffle %v, %u [4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %3 = vector.shuffle %v, %u [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %b = vector.bitcast %v : vector<4xf32> to vector<2xi64>
  %4 = vector.bitcast %b : vector<2xi64> to vector<4xf32>
  return %0, %1, %2, %3, %4 : vector<3x4x2xf32>, vector<24xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>
}

// A broadcast under another shape is one where it repeats the source as a whole.
// CHECK-LABEL: func.func @shapes_of_broadcasts
// CHECK-SAME: (%[[V:.*]]: vector<3xf32>, %[[C:.*]]: vector<2x1xf32>)
// CHECK-NEXT: %[[R:.*]] = vector.broadcast %[[V]] : vector<3xf32> to vector<8x3xf32>
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[C]] : vector<2x1xf32> to vector<2x6xf32>
// CHECK-NEXT: %[[S:.*]] = vector.shape_cast %[[B]] : vector<2x6xf32> to vector<2x2x3xf32>
// CHECK-NEXT: return %[[R]], %[[S]]
func.func @shapes_of_broadcasts(%v: vector<3xf32>, %c: vector<2x1xf32>) -> (vector<8x3xf32>, vector<2x2x3xf32>) {
  %a = vector.broadcast %v : vector<3xf32> to vector<2x4x3xf32>
  %0 = vector.shape_cast %a : vector<2x4x3xf32> to vector<8x3xf32>
  %b = vector.broadcast %c : vector<2x1xf32> to vector<2x6xf32>
  %1 = vector.shape_cast %b : vector<2x6xf32> to vector<2x2x3xf32>
  return %0, %1 : vector<8x3xf32>, vector<2x2x3xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant dense<[1, 0, 0, 0]> : vector<4xi32>
// CHECK-DAG: arith.constant dense<5> : vector<[4]xi32>
// CHECK-DAG: vector.constant_mask [2] : vector<3xi1>
// CHECK-DAG: arith.constant dense<true> : vector<[4]xi1>
// CHECK-DAG: arith.constant 9 : i32
// CHECK-NOT: vector.
// CHECK: return
func.func @constants() -> (vector<4xi32>, vector<[4]xi32>, vector<3xi1>, vector<[4]xi1>, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : i32
  %zeros = arith.constant dense<0> : vector<4xi32>
  %some = arith.constant dense<[7, 8, 9]> : vector<3xi32>
  %0 = vector.insert %c1, %zeros [0] : i32 into vector<4xi32>
  %1 = vector.broadcast %c5 : i32 to vector<[4]xi32>
  %2 = vector.create_mask %c2 : vector<3xi1>
  %3 = vector.constant_mask [4] : vector<[4]xi1>
  %4 = vector.extract %some[%c2] : i32 from vector<3xi32>
  return %0, %1, %2, %3, %4 : vector<4xi32>, vector<[4]xi32>, vector<3xi1>, vector<[4]xi1>, i32
}

// CHECK-LABEL: func.func @known_masks
// CHECK-SAME: (%[[M:.*]]: memref<8xf32>, %[[I:.*]]: index, %[[V:.*]]: vector<4xf32>, %[[AT:.*]]: vector<4xi32>)
// CHECK-NEXT: %[[L:.*]] = vector.load %[[M]][%[[I]]] : memref<8xf32>, vector<4xf32>
// CHECK-NEXT: vector.store %[[L]], %[[M]][%[[I]]] : memref<8xf32>, vector<4xf32>
// CHECK-NEXT: %[[R:.*]] = vector.reduction <add>, %[[V]] : vector<4xf32> into f32
// CHECK-NEXT: return %[[V]], %[[V]], %[[R]]
func.func @known_masks(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %at: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>, f32) {
  %all = vector.constant_mask [4] : vector<4xi1>
  %none = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.maskedload %m[%i], %all, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %all, %0 : memref<8xf32>, vector<4xi1>, vector<4xf32>
  %1 = vector.maskedload %m[%i], %none, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %none, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i] [%at], %none, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %2 = vector.gather %m[%i] [%at], %none, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.mask %all { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %1, %2, %3 : vector<4xf32>, vector<4xf32>, f32
}

// CHECK-LABEL: func.func @transfers
// CHECK: vector.transfer_read {{.*}} {in_bounds = [false, true]} : memref<8x16xf32>, vector<2x4xf32>
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, true], permutation_map = {{.*}}} : memref<8x16xf32>, vector<2x4xf32>
// CHECK: vector.transfer_read {{.*}} %{{.*}} : memref<8x16xf32>, vector<5xf32>
// CHECK: vector.load %arg0
func.func @transfers(%m: memref<8x16xf32>, %i: index, %f: f32) -> (vector<2x4xf32>, vector<2x4xf32>, vector<5xf32>, vector<4xf32>) {
  %c12 = arith.constant 12 : index
  %0 = vector.transfer_read %m[%i, %c12], %f : memref<8x16xf32>, vector<2x4xf32>
  %1 = vector.transfer_read %m[%i, %c12], %f {permutation_map = affine_map<(i, j) -> (0, j)>} : memref<8x16xf32>, vector<2x4xf32>
  %2 = vector.transfer_read %m[%i, %c12], %f : memref<8x16xf32>, vector<5xf32>
  %cast = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
  %3 = vector.load %cast[%i, %i] : memref<?x?xf32>, vector<4xf32>
  return %0, %1, %2, %3 : vector<2x4xf32>, vector<2x4xf32>, vector<5xf32>, vector<4xf32>
}

#dot = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}

// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[V:.*]]: vector<4xi32>, %[[C:.*]]: i32, %[[ONE:.*]]: vector<1xf32>, %[[ACC:.*]]: f32
// CHECK-NEXT: %[[DOT:.*]] = vector.contract {{.*}} %[[V]], %[[V]], %[[C]] :
// CHECK-NEXT: %[[E:.*]] = vector.extract %[[ONE]][0] : f32 from vector<1xf32>
// CHECK-NEXT: %[[M:.*]] = arith.maximumf %[[E]], %[[ACC]] : f32
// CHECK-NEXT: return %[[DOT]], %[[M]]
func.func @sums(%v: vector<4xi32>, %c: i32, %one: vector<1xf32>, %acc: f32) -> (i32, f32) {
  %zero = arith.constant 0 : i32
  %dot = vector.contract #dot %v, %v, %zero : vector<4xi32>, vector<4xi32> into i32
  %0 = arith.addi %dot, %c : i32
  %1 = vector.reduction <maximumf>, %one, %acc : vector<1xf32> into f32
  return %0, %1 : i32, f32
}

// Floats are added in the order that is written.
// CHECK-LABEL: func.func @no_sums
// CHECK: vector.contract
// CHECK: arith.addf
func.func @no_sums(%v: vector<4xf32>, %c: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %dot = vector.contract #dot %v, %v, %zero : vector<4xf32>, vector<4xf32> into f32
  %0 = arith.addf %dot, %c : f32
  return %0 : f32
}

// An unused read is erased; a write is not.
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: vector.store
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: vector.print
// CHECK-NEXT: return
func.func @effects(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %v: vector<4xf32>, %f: f32) {
  %0 = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4xf32>
  %2 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32>
  vector.print %v : vector<4xf32>
  return
}

// All elements of a number that was broadcast are that number.
// CHECK-LABEL: func.func @elements_of_broadcast
// CHECK-NEXT: return %arg0, %arg0
func.func @elements_of_broadcast(%f: f32) -> (f32, f32) {
  %0 = vector.broadcast %f : f32 to vector<2xf32>
  %1:2 = vector.to_elements %0 : vector<2xf32>
  return %1#0, %1#1 : f32, f32
}

// Under a mask that is not set a reduction without an accumulator is the neutral element of its kind, not the element, to which
// mlir-opt folds it.
// CHECK-LABEL: func.func @masked_reduction_of_one
// CHECK-SAME: (%[[A:.*]]: vector<1xf32>, %[[MASK:.*]]: vector<1xi1>)
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-DAG: %[[SET:.*]] = vector.extract %[[MASK]][0] : i1 from vector<1xi1>
// CHECK-DAG: %[[ELEMENT:.*]] = vector.extract %[[A]][0] : f32 from vector<1xf32>
// CHECK: %[[SUM:.*]] = arith.select %[[SET]], %[[ELEMENT]], %[[NEUTRAL]] : f32
// CHECK-NEXT: return %[[SUM]]
func.func @masked_reduction_of_one(%a : vector<1xf32>, %mask : vector<1xi1>) -> f32 {
  %s = vector.mask %mask { vector.reduction <add>, %a : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @extract_through_insert_strided_slice(
// CHECK-SAME: %[[A:.*]]: vector<2x3xf32>, %[[B:.*]]: vector<4x5x3xf32>
// CHECK-DAG: %[[INSIDE:.*]] = vector.extract %[[A]][1, 2] : f32 from vector<2x3xf32>
// CHECK-DAG: %[[ROW:.*]] = vector.extract %[[A]][0] : vector<3xf32> from vector<2x3xf32>
// CHECK-DAG: %[[OUTSIDE:.*]] = vector.extract %[[B]][2, 4, 2] : f32 from vector<4x5x3xf32>
// CHECK-DAG: %[[PARTLY:.*]] = vector.extract %{{.*}}[1] : vector<5x3xf32> from vector<4x5x3xf32>
// CHECK: return %[[INSIDE]], %[[ROW]], %[[OUTSIDE]], %[[PARTLY]]
func.func @extract_through_insert_strided_slice(%a: vector<2x3xf32>, %b: vector<4x5x3xf32>) -> (f32, vector<3xf32>, f32, vector<5x3xf32>) {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 3, 0], strides = [1, 1]} : vector<2x3xf32> into vector<4x5x3xf32>
  %1 = vector.extract %0[1, 4, 2] : f32 from vector<4x5x3xf32>
  %2 = vector.extract %0[1, 3] : vector<3xf32> from vector<4x5x3xf32>
  %3 = vector.extract %0[2, 4, 2] : f32 from vector<4x5x3xf32>
  %4 = vector.extract %0[1] : vector<5x3xf32> from vector<4x5x3xf32>
  return %1, %2, %3, %4 : f32, vector<3xf32>, f32, vector<5x3xf32>
}
