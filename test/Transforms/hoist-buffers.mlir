// RUN: %kopt %s --plan-buffers --hoist-buffers | FileCheck %s

// A tensor that an inner loop fills has one buffer for all iterations: the inner loop hands it around, and what was there before
// is not copied.
// CHECK-LABEL: func.func @filled
// CHECK: %[[ROW:.*]] = memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.dealloc %[[ROW]]
// CHECK: return
func.func @filled(%x: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %e = tensor.empty(%d) : tensor<?xf32>
    %row = scf.for %j = %c0 to %d step %c1 iter_args(%r = %e) -> (tensor<?xf32>) {
      %v = tensor.extract %x[%j] : tensor<?xf32>
      %w = arith.addf %v, %s : f32
      %t = tensor.insert %w into %r[%j] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    %last = scf.for %j = %c0 to %d step %c1 iter_args(%l = %s) -> (f32) {
      %v = tensor.extract %row[%j] : tensor<?xf32>
      %w = arith.mulf %v, %l : f32
      scf.yield %w : f32
    }
    scf.yield %last : f32
  }
  return %sum : f32
}

// The extent of a buffer may be asked of a result of a loop.
// CHECK-LABEL: func.func @extents
// CHECK-COUNT-2: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @extents(%x: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %e = tensor.empty(%d) : tensor<?xf32>
    %row = scf.for %j = %c0 to %d step %c1 iter_args(%r = %e) -> (tensor<?xf32>) {
      %t = tensor.insert %s into %r[%j] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    %m = tensor.dim %row, %c0 : tensor<?xf32>
    %zeros = tensor.splat %zero[%m] : tensor<?xf32>
    %sums = scf.for %j = %c0 to %d step %c1 iter_args(%r = %zeros) -> (tensor<?xf32>) {
      %v = tensor.extract %row[%j] : tensor<?xf32>
      %w = tensor.extract %r[%c0] : tensor<?xf32>
      %u = arith.addf %v, %w : f32
      %t = tensor.insert %u into %r[%c0] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    %last = tensor.extract %sums[%c0] : tensor<?xf32>
    scf.yield %last : f32
  }
  return %sum : f32
}

// A read of another element than the one just replaced is done before the replacement, so that this is in place.
// CHECK-LABEL: func.func @reads
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: memref.store
// CHECK: return
func.func @reads(%t: tensor<2xf32>, %n: index, %x: f32) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.insert %x into %t[%c0] : tensor<2xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> (tensor<2xf32>) {
    %a = tensor.extract %s[%c0] : tensor<2xf32>
    %b = arith.addf %a, %x : f32
    %u = tensor.insert %b into %s[%c0] : tensor<2xf32>
    %c = tensor.extract %s[%c1] : tensor<2xf32>
    %d = arith.addf %c, %x : f32
    %v = tensor.insert %d into %u[%c1] : tensor<2xf32>
    scf.yield %v : tensor<2xf32>
  }
  return %all : tensor<2xf32>
}

// Two tensors of unspecified elements that are one value: each has a buffer of its own, without a copy.
// CHECK-LABEL: func.func @unspecified
// CHECK-NOT: memref.copy
// CHECK: return
func.func @unspecified(%n: index, %a: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = tensor.insert %a into %e[%c0] : tensor<?xf32>
  %y = tensor.insert %a into %e[%c0] : tensor<?xf32>
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}

// The first insertion is in place, so the buffer has contents when the second one copies it.
// CHECK-LABEL: func.func @updated
// CHECK: memref.store
// CHECK: memref.copy
// CHECK: memref.store
// CHECK: return
func.func @updated(%n: index, %a: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = tensor.insert %a into %e[%c0] : tensor<?xf32>
  %y = tensor.insert %a into %x[%c1] : tensor<?xf32>
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}

// Buffers that are not live at the same time share a slot of the stack; the second buffer is live with both others.
// CHECK-LABEL: func.func @turns
// CHECK-COUNT-2: memref.alloca() : memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @fill(%[[A:.*]]) :
// CHECK-NEXT: call @next(%[[A]], %[[B:.*]]) :
// CHECK-NEXT: call @next(%[[B]], %[[A]]) :
// CHECK-NEXT: call @next(%[[A]], %[[B]]) :
// CHECK-NEXT: return
func.func private @fill(memref<8xf32>)
func.func private @next(memref<8xf32>, memref<8xf32>)
func.func @turns() {
  %a = memref.alloc() : memref<8xf32>
  func.call @fill(%a) : (memref<8xf32>) -> ()
  %b = memref.alloc() : memref<8xf32>
  func.call @next(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  func.call @next(%b, %c) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %b : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  func.call @next(%c, %d) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %c : memref<8xf32>
  memref.dealloc %d : memref<8xf32>
  return
}

// Iterations that may execute concurrently do not share a buffer of the frame; one that a sequential loop in an iteration allocates
// belongs to the iteration.
// CHECK-LABEL: func.func @concurrent
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel
// CHECK-NEXT: %[[OWN:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[OWN]]
// CHECK: return
func.func @concurrent(%x: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c4 step %c1 {
      %scratch = memref.alloc() : memref<4xf32>
      %v = memref.load %x[%i, %j] : memref<8x4xf32>
      memref.store %v, %scratch[%j] : memref<4xf32>
      %w = memref.load %scratch[%j] : memref<4xf32>
      memref.store %w, %x[%i, %j] : memref<8x4xf32>
      memref.dealloc %scratch : memref<4xf32>
    }
  }
  return
}
