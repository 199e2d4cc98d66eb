// RUN: %kopt %s --slice-reads --canonicalize --cse --split-input-file | FileCheck %s

// A row of a matrix, and a block of a vector at an offset that the body computes from numbers outside.
// CHECK-LABEL: func.func @row_and_block
// CHECK-SAME: (%[[M:.*]]: tensor<?x?xf32>, %[[V:.*]]: tensor<?xf32>, %[[R:.*]]: i64, %[[OUT:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[OUT]], %c0
// CHECK-DAG: %[[ROW:.*]] = arith.index_cast %[[R]] : i64 to index
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %[[M]][%[[ROW]], 0] [1, %[[N]]] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %[[V]][%{{.*}}] [%[[N]]] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<?xf32>, tensor<?xf32>) outs(%[[OUT]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: linalg.yield %[[P]] : f32
func.func @row_and_block(%m: tensor<?x?xf32>, %v: tensor<?xf32>, %r: i64, %out: tensor<?xf32>) -> tensor<?xf32> {
  %c3 = arith.constant 3 : i64
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %row = arith.index_cast %r : i64 to index
    %x = tensor.extract %m[%row, %i] : tensor<?x?xf32>
    %start = arith.muli %r, %c3 : i64
    %n = arith.index_cast %i : index to i64
    %at = arith.addi %start, %n : i64
    %place = arith.index_cast %at : i64 to index
    %y = tensor.extract %v[%place] : tensor<?xf32>
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// In two dimensions: a column over the first one needs the second one not to be empty.
// CHECK-LABEL: func.func @column
// CHECK: %[[C:.*]] = tensor.extract_slice %arg0[0, %arg1] [8, 1] [1, 1] : tensor<8x?xf32> to tensor<8xf32>
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<8xf32>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK-LABEL: func.func @column_of_none
// CHECK-NOT: extract_slice
// CHECK: tensor.extract %arg0
func.func @column(%m: tensor<8x?xf32>, %c: index, %out: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<8x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %m[%i, %c] : tensor<8x?xf32>
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func @column_of_none(%m: tensor<8x?xf32>, %c: index, %out: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<8x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %m[%i, %c] : tensor<8x?xf32>
    linalg.yield %x : f32
  } -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// -----

// Reads that remain: in a conditional, at every second index, at an index that is data, and out of bounds.
// CHECK-LABEL: func.func @remain
// CHECK-NOT: extract_slice
// CHECK: scf.if
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %arg1
func.func @remain(%v: tensor<?xf32>, %w: tensor<4xf32>, %at: tensor<8xindex>, %b: i1, %out: tensor<8xf32>) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%at : tensor<8xindex>) outs(%out : tensor<8xf32>) {
  ^bb0(%k: index, %o: f32):
    %i = linalg.index 0 : index
    %x = scf.if %b -> f32 {
      %e = tensor.extract %v[%i] : tensor<?xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %twice = arith.muli %i, %c2 : index
    %y = tensor.extract %v[%twice] : tensor<?xf32>
    %z = tensor.extract %v[%k] : tensor<?xf32>
    %u = tensor.extract %w[%i] : tensor<4xf32>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    %r = arith.addf %t, %u : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An operation that is left as a copy of a slice is the slice, and a slice of it is one of the tensor.
// CHECK-LABEL: func.func @slice_of_slice
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[%arg1, %arg2] [1, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<?xf32>)
// CHECK-NOT: tensor.extract %
func.func @slice_of_slice(%m: tensor<?x?xf32>, %r: index, %b: index, %n: index, %k: index) -> tensor<?xf32> {
  %row_out = tensor.empty(%n) : tensor<?xf32>
  %row = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%row_out : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %m[%r, %i] : tensor<?x?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  %out = tensor.empty(%k) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %b, %i : index
    %x = tensor.extract %row[%at] : tensor<?xf32>
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
