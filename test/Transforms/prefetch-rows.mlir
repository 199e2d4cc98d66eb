// RUN: %kopt %s --prefetch-rows | FileCheck %s

// The rows that the reverse sweep of a loop reads, from the last to the first.
// CHECK-LABEL: func.func @descending
// CHECK: scf.for
// CHECK: arith.subi
// CHECK: %[[ROW:.*]] = arith.subi
// CHECK: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[EARLIER:.*]] = arith.subi %[[ROW]], %[[C8]]
// CHECK: %[[AHEAD:.*]] = arith.maxsi %[[EARLIER]], %[[C0]]
// CHECK: memref.prefetch %{{.*}}[%[[AHEAD]], %{{.*}}], read, locality<3>, data
// CHECK: memref.subview %{{.*}}[%[[ROW]], 0] [1, %{{.*}}] [1, 1]
func.func @descending(%saved: memref<?x?xf32>, %n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %last = arith.subi %n, %c1 : index
    %row = arith.subi %last, %i : index
    %x = memref.subview %saved[%row, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %v = memref.load %x[%c0] : memref<?xf32, strided<[1], offset: ?>>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// Ascending rows are left to the processor, and so are rows at other distances, at places that are loaded, and of buffers that the loop
// allocates. Parallel loops have no order.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @others(%saved: memref<?x?xf32>, %places: memref<?xindex>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %up = memref.subview %saved[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %twice = arith.muli %i, %c2 : index
    %down = arith.subi %n, %twice : index
    %far = memref.subview %saved[%down, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %place = memref.load %places[%i] : memref<?xindex>
    %back = arith.subi %place, %i : index
    %there = memref.subview %saved[%back, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %own = memref.alloc(%n, %m) : memref<?x?xf32>
    %row = arith.subi %n, %i : index
    %part = memref.subview %own[%row, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.dealloc %own : memref<?x?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %row = arith.subi %n, %i : index
    %part = memref.subview %saved[%row, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
