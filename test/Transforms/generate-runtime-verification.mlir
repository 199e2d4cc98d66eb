// RUN: %kopt %s --generate-runtime-verification --canonicalize --cse | FileCheck %s
// RUN: %kopt %s --pass-pipeline='builtin.module(generate-runtime-verification{memory=false},canonicalize,cse)' | FileCheck %s --check-prefix=TENSORS

// Extents that have the same origin, and those of static types, are not compared.
// CHECK-LABEL: func.func @same_origin
// CHECK-NOT: data.assert
// CHECK: return
func.func @same_origin(%a: tensor<?x4xf32>, %s: tensor<8xf32>) -> (tensor<?x4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %f = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %g = linalg.add ins(%a, %f : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %t = linalg.add ins(%s, %s : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  return %g, %t : tensor<?x4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @product
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[K:.*]] = tensor.dim %arg0, %[[C1]]
// CHECK-DAG: %[[L:.*]] = tensor.dim %arg1, %[[C0]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[L]]
// CHECK: data.assert %[[SAME]], "inconsistent extents of loop 2: {} and {}"(%[[K]], %[[L]])
// CHECK: data.assert {{.*}} "inconsistent extents of loop 0: {} and {}"
// CHECK: data.assert {{.*}} "inconsistent extents of loop 1: {} and 16"
// CHECK-NOT: data.assert
// CHECK: linalg.matmul
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// A window may end anywhere inside of the image; without windows, nothing is read.
// CHECK-LABEL: func.func @window
// CHECK: %[[WINDOWS:.*]] = tensor.dim %arg2
// CHECK: %[[LAST:.*]] = arith.addi %[[WINDOWS]], %{{.*}} : index
// CHECK: %[[EXTENT:.*]] = tensor.dim %arg0
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[LAST]], %[[EXTENT]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[WINDOWS]], %{{.*}}
// CHECK: %[[OK:.*]] = arith.ori %[[NONE]], %[[INSIDE]]
// CHECK: data.assert %[[OK]], "index {} is out of bounds for extent {}"(%[[LAST]], %[[EXTENT]])
// CHECK-NOT: data.assert
// CHECK: linalg.conv_1d
func.func @window(%x: tensor<?xf32>, %k: tensor<3xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: tensor.extract
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent 4"
// CHECK-NOT: data.assert
// CHECK: tensor.insert
func.func @elements(%a: tensor<?xf32>, %b: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %x = tensor.extract %a[%i] : tensor<?xf32>
  %y = tensor.insert %x into %b[%i] : tensor<4xf32>
  %z = tensor.insert %x into %y[%c2] : tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK: data.assert {{.*}} "the size {} of a slice is negative"
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: tensor.extract_slice
// CHECK: data.assert {{.*}} "a tensor of extent {} in dimension 0 is cast to extent 3"
// CHECK: tensor.cast
// CHECK-NOT: data.assert
// CHECK: tensor.insert_slice
func.func @slices(%a: tensor<?xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %x = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %c = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
  %y = tensor.insert_slice %c into %b[5] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

// What has been asserted in a block is not asserted again.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: data.assert {{.*}} "inconsistent extents of loop 0: {} and {}"
// CHECK-NOT: data.assert
// CHECK: return
func.func @chain(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %x = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.mul ins(%x, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %z = linalg.sub ins(%y, %b : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// The assertions on a slice that is inserted in parallel precede the terminator.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.forall
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: data.assert {{.*}} "a tensor of extent {} in dimension 0 is inserted into a slice of size {}"
// CHECK-NOT: data.assert
// CHECK: scf.forall.in_parallel
func.func @parallel(%p: tensor<?xf32>, %a: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?x4xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%x = %a) -> (tensor<?x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[%i, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x4xf32>
    }
  }
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @inserted
// CHECK: data.assert {{.*}} "the size {} of a slice is negative"(%arg2)
// CHECK: data.assert {{.*}} "index 8 is out of bounds for extent 8"
// CHECK: data.assert {{.*}} "a tensor of extent {} in dimension 0 is inserted into a slice of size {}"
// CHECK: tensor.insert_slice
func.func @inserted(%a: tensor<?xf32>, %b: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %y = tensor.insert_slice %a into %b[5, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @shapes
// CHECK: data.assert {{.*}} "dimension 0 of extent {} is expanded to extents [{}, 4]"
// CHECK: tensor.expand_shape
// CHECK: data.assert {{.*}} "a padded extent is negative or too large"
// CHECK: tensor.pad
// CHECK: data.assert {{.*}} "dimension 1 of concatenated tensors has extents {} and {}"
// CHECK: tensor.concat
// CHECK: data.assert {{.*}} "the result has extent {} in dimension 0, but its type has extent 9"
// CHECK: tensor.concat
func.func @shapes(%a: tensor<?xf32>, %n: index, %m: tensor<?x?xf32>, %v: tensor<?x?xf32>, %z: f32)
    -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<9xf32>) {
  %e = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %p = tensor.pad %a low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %c = tensor.concat dim(0) %m, %v : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<9xf32>
  return %e, %p, %c, %d : tensor<?x4xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<9xf32>
}

// The default pipeline leaves buffers unverified.
// CHECK-LABEL: func.func @buffers
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: memref.load
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: memref.store
// CHECK: data.assert {{.*}} "a buffer of extent {} in dimension 0 is copied to one of extent {}"
// CHECK: memref.copy
// CHECK: data.assert {{.*}} "index {} is out of bounds for extent {}"
// CHECK: memref.subview
// CHECK: data.assert {{.*}} "a buffer of extent {} in dimension 0 is cast to extent 4"
// CHECK: memref.cast
// TENSORS-LABEL: func.func @buffers
// TENSORS-NOT: data.assert
func.func @buffers(%a: memref<?xf32>, %b: memref<?xf32>, %i: index)
    -> (memref<2xf32, strided<[1], offset: ?>>, memref<4xf32>) {
  %x = memref.load %a[%i] : memref<?xf32>
  memref.store %x, %b[%i] : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %s = memref.subview %a[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  %c = memref.cast %a : memref<?xf32> to memref<4xf32>
  return %s, %c : memref<2xf32, strided<[1], offset: ?>>, memref<4xf32>
}
