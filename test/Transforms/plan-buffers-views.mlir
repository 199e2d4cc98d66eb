// RUN: %kopt %s --plan-buffers --canonicalize --split-input-file | FileCheck %s

// A slice that operations over a domain read is a view, and so is a slice of it.
// CHECK-LABEL: func.func @read
// CHECK: %[[ROW:.*]] = memref.subview %arg0[%arg1, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK: %[[PART:.*]] = memref.subview %[[ROW]][4] [4] [1] : {{.*}} to memref<4xf32, strided<[1], offset: ?>>
// CHECK: linalg.generic {{.*}} ins(%[[PART]] : memref<4xf32, strided<[1], offset: ?>>)
// CHECK-NOT: dealloc
func.func @read(%m: tensor<?x8xf32>, %r: index) -> tensor<4xf32> {
  %row = tensor.extract_slice %m[%r, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %part = tensor.extract_slice %row[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%part : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A slice that is read after its source is updated is copied, as are those that are returned, or have their elements apart.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: subview
// CHECK: return
func.func @copied(%m: tensor<?x8xf32>, %r: index, %x: f32) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %m, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %own = linalg.fill ins(%x : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %row = tensor.extract_slice %own[%r, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %new = tensor.insert %x into %own[%r, %c0] : tensor<?x8xf32>
  %old = tensor.extract %row[%c0] : tensor<8xf32>
  %returned = tensor.extract_slice %m[%r, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %column = tensor.extract_slice %m[0, %r] [%n, 1] [1, 1] : tensor<?x8xf32> to tensor<?xf32>
  return %new, %returned, %column, %old : tensor<?x8xf32>, tensor<8xf32>, tensor<?xf32>, f32
}

// -----

// A slice that is updated and put back where it was is updated in place.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[OWN:.*]] = memref.alloc
// CHECK: %[[ROW:.*]] = memref.subview %[[OWN]][%arg1, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK: linalg.generic {{.*}} ins(%arg2 : memref<8xf32>) outs(%[[ROW]] : memref<8xf32, strided<[1], offset: ?>>)
// CHECK-NOT: scf.for
// CHECK: return %[[OWN]]
func.func @in_place(%n: index, %r: index, %by: tensor<8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %own = tensor.splat %zero[%n] : tensor<?x8xf32>
  %row = tensor.extract_slice %own[%r, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%by : tensor<8xf32>) outs(%row : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %new = tensor.insert_slice %sum into %own[%r, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<?x8xf32>
  return %new : tensor<?x8xf32>
}

// -----

// Not in place: the update also reads the tensor that the slice is part of.
// CHECK-LABEL: func.func @reads_whole
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: linalg.generic
func.func @reads_whole(%r: index) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %own = tensor.splat %zero : tensor<8x8xf32>
  %row = tensor.extract_slice %own[%r, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%own : tensor<8x8xf32>) outs(%row : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %new = tensor.insert_slice %sum into %own[%r, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
  return %new : tensor<8x8xf32>
}

// -----

// A slice that is inserted into another tensor is read where it is.
// CHECK-LABEL: func.func @inserted_elsewhere
// CHECK: %[[ROW:.*]] = memref.subview %arg0[%arg3, 0] [1, 8] [1, 1]
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<16x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.load %[[ROW]]
// CHECK: memref.load %[[ROW]][%arg2]
func.func @inserted_elsewhere(%state: tensor<4x8xf32>, %storage: tensor<16x8xf32>, %at: index, %row: index) -> (tensor<16x8xf32>, f32) {
  %kept = tensor.extract_slice %state[%row, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %saved = tensor.insert_slice %kept into %storage[%at, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
  %element = tensor.extract %kept[%at] : tensor<8xf32>
  return %saved, %element : tensor<16x8xf32>, f32
}

// -----

// Not so if it goes to the tensor that it is a slice of: the two may overlap.
// CHECK-LABEL: func.func @inserted_into_itself
// CHECK: memref.alloc() : memref<8xf32>
func.func @inserted_into_itself(%storage: tensor<16x8xf32>, %at: index, %row: index) -> tensor<16x8xf32> {
  %one = arith.constant 1.0 : f32
  %own = tensor.insert %one into %storage[%at, %row] : tensor<16x8xf32>
  %kept = tensor.extract_slice %own[%row, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
  %saved = tensor.insert_slice %kept into %own[%at, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
  return %saved : tensor<16x8xf32>
}
