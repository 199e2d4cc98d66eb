// RUN: %kopt %s --raise-updates --canonicalize --cse --split-input-file | FileCheck %s

// A row and a column of a matrix are replaced, if their indices are in bounds. The row wins.
// CHECK-LABEL: func.func @row_and_column
// CHECK-SAME: %[[OLD:.*]]: tensor<?x?xf32>, %[[A:.*]]: tensor<?xf32>, %[[K:.*]]: i64, %[[L:.*]]: index
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[OLD]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[OLD]], %c1
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[A]]
// CHECK: %[[AT:.*]] = arith.index_cast %[[K]] : i64 to index
// CHECK: %[[COLUMN:.*]] = scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK: %[[NEW:.*]] = tensor.generate %[[M]] {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: arith.uitofp
// CHECK: %[[PLACED:.*]] = tensor.insert_slice %[[NEW]] into %[[OLD]][0, %[[L]]] [%[[M]], 1] [1, 1]
// CHECK: scf.yield %[[PLACED]]
// CHECK: } else {
// CHECK: scf.yield %[[OLD]]
// CHECK: scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK: %[[NEW:.*]] = tensor.generate %[[N]] {
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: tensor.extract %[[ROW]][%[[J]]]
// CHECK: %[[PLACED:.*]] = tensor.insert_slice %[[NEW]] into %[[COLUMN]][%[[AT]], 0] [1, %[[N]]] [1, 1]
// CHECK-NEXT: scf.yield %[[PLACED]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[COLUMN]]
func.func @row_and_column(%old: tensor<?x?xf32>, %a: tensor<?xf32>, %k: i64, %l: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %old, %c0 : tensor<?x?xf32>
  %n = tensor.dim %old, %c1 : tensor<?x?xf32>
  %row = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %g = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %ii = arith.index_cast %i : index to i64
    %here = arith.cmpi eq, %ii, %k : i64
    %x = scf.if %here -> f32 {
      %y = tensor.extract %row[%j] : tensor<?xf32>
      scf.yield %y : f32
    } else {
      %there = arith.cmpi eq, %l, %j : index
      %z = scf.if %there -> f32 {
        %y = arith.uitofp %ii : i64 to f32
        scf.yield %y : f32
      } else {
        %y = tensor.extract %old[%i, %j] : tensor<?x?xf32>
        scf.yield %y : f32
      }
      scf.yield %z : f32
    }
    tensor.yield %x : f32
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}

// -----

// One element of a vector. Its value is computed only if the index is in bounds.
// CHECK-LABEL: func.func @element
// CHECK: scf.if %{{.*}} -> (tensor<8xi32>) {
// CHECK-NEXT: %[[AT:.*]] = arith.index_cast %arg1 : index to i32
// CHECK-NEXT: %[[VALUE:.*]] = arith.divsi %c100_i32, %[[AT]] : i32
// CHECK-NEXT: %[[PLACED:.*]] = tensor.insert %[[VALUE]] into %arg0[%arg1]
// CHECK-NEXT: scf.yield %[[PLACED]]
func.func @element(%old: tensor<8xi32>, %k: index) -> tensor<8xi32> {
  %c100 = arith.constant 100 : i32
  %g = tensor.generate {
  ^bb0(%i: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> i32 {
      %at = arith.index_cast %i : index to i32
      %y = arith.divsi %c100, %at : i32
      scf.yield %y : i32
    } else {
      %y = tensor.extract %old[%i] : tensor<8xi32>
      scf.yield %y : i32
    }
    tensor.yield %x : i32
  } : tensor<8xi32>
  return %g : tensor<8xi32>
}

// -----

// Two rows: the second one is not computed if it is the first one. Assertions on a part are checked if it is replaced.
// CHECK-LABEL: func.func @rows
// CHECK: %[[SECOND:.*]] = scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK: tensor.generate
// CHECK: cf.assert
// CHECK: tensor.insert_slice %{{.*}} into %arg0
// CHECK: scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK: tensor.insert_slice %{{.*}} into %[[SECOND]]
func.func @rows(%old: tensor<?x?xf32>, %a: tensor<?xf32>, %k: index, %l: index, %v: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %old, %c0 : tensor<?x?xf32>
  %n = tensor.dim %old, %c1 : tensor<?x?xf32>
  %g = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %first = arith.cmpi eq, %i, %k : index
    %x = scf.if %first -> f32 {
      scf.yield %v : f32
    } else {
      %second = arith.cmpi eq, %i, %l : index
      %z = scf.if %second -> f32 {
        %e = tensor.dim %a, %c0 : tensor<?xf32>
        %inside = arith.cmpi ult, %j, %e : index
        cf.assert %inside, "index out of bounds"
        %y = tensor.extract %a[%j] : tensor<?xf32>
        scf.yield %y : f32
      } else {
        %y = tensor.extract %old[%i, %j] : tensor<?x?xf32>
        scf.yield %y : f32
      }
      scf.yield %z : f32
    }
    tensor.yield %x : f32
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}

// -----

// A column that overlaps with an earlier row must be harmless to compute.
// CHECK-LABEL: func.func @second_may_trap
// CHECK-NOT: tensor.insert
// CHECK: tensor.generate
func.func @second_may_trap(%old: tensor<8x8xi32>, %k: index, %l: index, %d: i32) -> tensor<8x8xi32> {
  %c100 = arith.constant 100 : i32
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> i32 {
      scf.yield %c100 : i32
    } else {
      %there = arith.cmpi eq, %j, %l : index
      %z = scf.if %there -> i32 {
        %y = arith.divsi %c100, %d : i32
        scf.yield %y : i32
      } else {
        %y = tensor.extract %old[%i, %j] : tensor<8x8xi32>
        scf.yield %y : i32
      }
      scf.yield %z : i32
    }
    tensor.yield %x : i32
  } : tensor<8x8xi32>
  return %g : tensor<8x8xi32>
}

// -----

// An assertion on every element remains, unless it holds for the extents.
// CHECK-LABEL: func.func @asserts_elsewhere
// CHECK-NOT: tensor.insert
// CHECK: cf.assert
func.func @asserts_elsewhere(%old: tensor<?xf32>, %k: index, %v: f32, %e: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %old, %c0 : tensor<?xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> f32 {
      scf.yield %v : f32
    } else {
      %inside = arith.cmpi ult, %i, %e : index
      cf.assert %inside, "index out of bounds"
      %y = tensor.extract %old[%i] : tensor<?xf32>
      scf.yield %y : f32
    }
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}

// CHECK-LABEL: func.func @holds_elsewhere
// CHECK-NOT: cf.assert
// CHECK: tensor.insert
func.func @holds_elsewhere(%old: tensor<?xf32>, %k: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %old, %c0 : tensor<?xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> f32 {
      scf.yield %v : f32
    } else {
      %e = tensor.dim %old, %c0 : tensor<?xf32>
      %inside = arith.cmpi ult, %i, %e : index
      cf.assert %inside, "index out of bounds"
      %y = tensor.extract %old[%i] : tensor<?xf32>
      scf.yield %y : f32
    }
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

// These are not updates: the other elements are at other indices, of another tensor at each index, or of another extent.
// CHECK-LABEL: func.func @shifted
// CHECK: tensor.generate
func.func @shifted(%old: tensor<8xi32>, %k: index, %v: i32) -> tensor<8xi32> {
  %c1 = arith.constant 1 : index
  %g = tensor.generate {
  ^bb0(%i: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> i32 {
      scf.yield %v : i32
    } else {
      %before = arith.subi %i, %c1 : index
      %y = tensor.extract %old[%before] : tensor<8xi32>
      scf.yield %y : i32
    }
    tensor.yield %x : i32
  } : tensor<8xi32>
  return %g : tensor<8xi32>
}

// CHECK-LABEL: func.func @prefix
// CHECK: tensor.generate
func.func @prefix(%old: tensor<8xi32>, %k: index, %v: i32) -> tensor<4xi32> {
  %g = tensor.generate {
  ^bb0(%i: index):
    %here = arith.cmpi eq, %i, %k : index
    %x = scf.if %here -> i32 {
      scf.yield %v : i32
    } else {
      %y = tensor.extract %old[%i] : tensor<8xi32>
      scf.yield %y : i32
    }
    tensor.yield %x : i32
  } : tensor<4xi32>
  return %g : tensor<4xi32>
}

// CHECK-LABEL: func.func @diagonal
// CHECK: tensor.generate
func.func @diagonal(%old: tensor<4x4xi32>, %v: i32) -> tensor<4x4xi32> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %here = arith.cmpi eq, %i, %j : index
    %x = scf.if %here -> i32 {
      scf.yield %v : i32
    } else {
      %y = tensor.extract %old[%i, %j] : tensor<4x4xi32>
      scf.yield %y : i32
    }
    tensor.yield %x : i32
  } : tensor<4x4xi32>
  return %g : tensor<4x4xi32>
}
