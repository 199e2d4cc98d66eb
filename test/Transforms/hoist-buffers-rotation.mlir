// RUN: %kopt %s --hoist-buffers --cse --canonicalize | FileCheck %s
// RUN: %kopt %s --hoist-buffers --verify-ownership

// A buffer that each iteration allocates and the next one frees is one of two, which take turns.
// CHECK-LABEL: func.func @turns
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: %[[INIT:.*]] = memref.alloc() {{.*}}: memref<8xf32>
// CHECK: %[[CAST:.*]] = memref.cast %[[INIT]]
// CHECK: %[[A:.*]] = memref.alloc(%[[D:.*]]) : memref<?xf32>
// CHECK: %[[B:.*]] = memref.alloc(%[[D]]) : memref<?xf32>
// CHECK: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[CURRENT:.*]] = %[[CAST]], %[[NEXT:.*]] = %[[A]], %[[AFTER:.*]] = %[[B]])
// CHECK-NOT: memref.alloc
// CHECK: memref.load %[[CURRENT]]
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK-NOT: memref.dealloc
// CHECK: scf.yield %[[NEXT]], %[[AFTER]], %[[NEXT]]
// CHECK: memref.load %[[R]]#0
// CHECK-DAG: memref.dealloc %[[INIT]]
// CHECK-DAG: memref.dealloc %[[A]]
// CHECK-DAG: memref.dealloc %[[B]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @turns(%x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %start = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  memref.store %zero, %start[%c0] : memref<8xf32>
  %init = memref.cast %start : memref<8xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%current = %init) -> (memref<?xf32>) {
    %next = memref.alloc(%d) : memref<?xf32>
    %v = memref.load %current[%c0] : memref<?xf32>
    memref.store %v, %next[%c0] : memref<?xf32>
    memref.dealloc %current : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  %v = memref.load %last[%c0] : memref<?xf32>
  memref.dealloc %last : memref<?xf32>
  return %v : f32
}

// The initial buffer is one of the two if it is like the others, and both leave the outer loop as well.
// CHECK-LABEL: func.func @nested
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: scf.for {{.*}} iter_args(%[[CURRENT:.*]] = %{{.*}}, %[[NEXT:.*]] = %{{.*}})
// CHECK-NOT: memref.alloc
// CHECK: scf.yield %[[NEXT]], %[[CURRENT]]
// CHECK-NOT: memref.dealloc
// CHECK: scf.yield
// CHECK: memref.dealloc
// CHECK: memref.dealloc
// CHECK: return
func.func @nested(%x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %init = memref.alloc(%d) : memref<?xf32>
    memref.store %s, %init[%c0] : memref<?xf32>
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%current = %init) -> (memref<?xf32>) {
      %next = memref.alloc(%d) : memref<?xf32>
      %v = memref.load %current[%c0] : memref<?xf32>
      memref.store %v, %next[%c0] : memref<?xf32>
      memref.dealloc %current : memref<?xf32>
      scf.yield %next : memref<?xf32>
    }
    %v = memref.load %last[%c0] : memref<?xf32>
    memref.dealloc %last : memref<?xf32>
    scf.yield %v : f32
  }
  return %sum : f32
}

// A buffer whose extent depends on the iteration stays, and so does one whose extent may be negative.
// CHECK-LABEL: func.func @stays
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: memref.dealloc
// CHECK: scf.yield
func.func @stays(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %init = memref.alloc(%d) : memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%current = %init) -> (memref<?xf32>) {
    %next = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %current : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  memref.dealloc %last : memref<?xf32>
  return
}

// A buffer that is freed in each branch leaves a loop, and so does the fresh result of each branch.
// CHECK-LABEL: func.func @branches
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: scf.if
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: scf.yield
// CHECK: memref.dealloc
// CHECK: memref.dealloc
// CHECK: return
func.func @branches(%x: memref<?xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %before = memref.alloc(%d) : memref<?xf32>
    memref.store %s, %before[%c0] : memref<?xf32>
    %after = scf.if %c -> (memref<?xf32>) {
      %next = memref.alloc(%d) : memref<?xf32>
      %v = memref.load %before[%c0] : memref<?xf32>
      memref.store %v, %next[%c0] : memref<?xf32>
      memref.dealloc %before : memref<?xf32>
      scf.yield %next : memref<?xf32>
    } else {
      memref.dealloc %before : memref<?xf32>
      %next = memref.alloc(%d) : memref<?xf32>
      memref.store %zero, %next[%c0] : memref<?xf32>
      scf.yield %next : memref<?xf32>
    }
    %v = memref.load %after[%c0] : memref<?xf32>
    memref.dealloc %after : memref<?xf32>
    scf.yield %v : f32
  }
  return %sum : f32
}
