// RUN: %kopt %s --take-destinations | FileCheck %s
// RUN: %kopt %s --take-destinations=functions=dynamic | FileCheck %s --check-prefix=ONE

// A result with static extents is written to the destination.
// CHECK-LABEL: func.func @static(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> memref<4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %arg1
// CHECK: return %arg1
// ONE-LABEL: func.func @static(%arg0: memref<4xf32>) -> memref<4xf32>
func.func @static(%x: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<4xf32>
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %r[%c0] : memref<4xf32>
  return %r : memref<4xf32>
}

// Other extents than those of the destination are those of a new buffer.
// CHECK-LABEL: func.func @dynamic(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>) -> memref<?xf32>
// CHECK: %[[EXTENT:.*]] = memref.dim %arg2
// CHECK: arith.cmpi slt, %[[EXTENT]], %arg1
// CHECK: arith.cmpi slt, %arg1, %[[EXTENT]]
// CHECK: %[[RESULT:.*]] = scf.if
// CHECK: %[[NEW:.*]] = memref.alloc(%arg1)
// CHECK: scf.yield %[[NEW]]
// CHECK: scf.yield %arg2
// CHECK: memref.store %{{.*}}, %[[RESULT]]
// CHECK: return %[[RESULT]]
// ONE-LABEL: func.func @dynamic(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>)
func.func @dynamic(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %r[%c0] : memref<?xf32>
  return %r : memref<?xf32>
}

// A buffer that a loop hands around is the one before the loop; scalars have no destination, and each buffer has its own.
// CHECK-LABEL: func.func @loop(%arg0: index, %arg1: memref<2xf32>, %arg2: memref<3xf32>) -> (memref<2xf32>, f32, memref<3xf32>)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg1)
// CHECK: return %{{.*}}, %{{.*}}, %arg2
func.func @loop(%n: index) -> (memref<2xf32>, f32, memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = memref.alloc() : memref<2xf32>
  %other = memref.alloc() : memref<3xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %init) -> (memref<2xf32>) {
    memref.store %zero, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  return %r, %zero, %other : memref<2xf32>, f32, memref<3xf32>
}

// Results that are not allocated by the function itself, or with an alignment, stay: the caller copies them.
// CHECK-LABEL: func.func @stays(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>)
// CHECK: memref.alloc() {alignment = 64
// CHECK: scf.if
// CHECK: memref.alloc()
func.func @stays(%c: i1, %x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %aligned = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  } else {
    %copy = memref.alloc() : memref<4xf32>
    memref.copy %x, %copy : memref<4xf32> to memref<4xf32>
    scf.yield %copy : memref<4xf32>
  }
  return %aligned, %r : memref<4xf32>, memref<4xf32>
}

// The same buffer twice has one destination that is taken.
// CHECK-LABEL: func.func @twice(%arg0: memref<4xf32>, %arg1: memref<4xf32>)
// CHECK: return %arg0, %arg0
func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
  %r = memref.alloc() : memref<4xf32>
  return %r, %r : memref<4xf32>, memref<4xf32>
}

// Functions that are called keep their type.
// CHECK-LABEL: func.func @called() -> memref<4xf32>
func.func @called() -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  return %r : memref<4xf32>
}
// CHECK-LABEL: func.func @caller(%arg0: memref<4xf32>) -> memref<4xf32>
func.func @caller() -> memref<4xf32> {
  %r = call @called() : () -> memref<4xf32>
  return %r : memref<4xf32>
}

// With copies, each function keeps its type, also one that is called, and a copy of it takes the destinations. Functions without
// buffers among their results have none. A function that no other calls and whose copy takes all destinations calls the copy.
// RUN: %kopt %s --take-destinations=copies | FileCheck %s --check-prefix=COPIES
// COPIES-LABEL: func.func @static(%arg0: memref<4xf32>) -> memref<4xf32>
// COPIES-NEXT: %[[NEW:.*]] = memref.alloc() : memref<4xf32>
// COPIES-NEXT: %[[RESULT:.*]] = call @static.into(%arg0, %[[NEW]])
// COPIES-NEXT: return %[[RESULT]]
// COPIES-LABEL: func.func @static.into(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> memref<4xf32>
// COPIES-NOT: memref.alloc
// COPIES: return %arg1
// COPIES-LABEL: func.func @dynamic(%arg0: memref<?xf32>, %arg1: index) -> memref<?xf32>
// COPIES-NOT: call @dynamic.into
// COPIES-LABEL: func.func @stays(%arg0: i1, %arg1: memref<4xf32>)
// COPIES-NOT: call @stays.into
// COPIES-LABEL: func.func @twice()
// COPIES-NOT: call @twice.into
// COPIES-LABEL: func.func @called()
// COPIES-NOT: call @called.into
// COPIES-LABEL: func.func @called.into(%arg0: memref<4xf32>)
// COPIES: return %arg0
// COPIES-LABEL: func.func @caller.into(%arg0: memref<4xf32>)
// COPIES: call @called()
// COPIES-NOT: @scalar.into
func.func @scalar(%x: f32) -> f32 {
  return %x : f32
}
