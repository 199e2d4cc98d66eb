// A loop may run zero times: an operation leaves it only if it is defined for its operands.
// RUN: %kopt %s --allow-unregistered-dialect --loop-invariant-code-motion --split-input-file | FileCheck %s

// A shift too far is poison, which nobody looks at when the loop does not run.
// CHECK-LABEL: func.func @shift
// CHECK: arith.shli
// CHECK: scf.for
func.func @shift(%n: index, %x: i32, %by: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.shli %x, %by : i32
    "test.use"(%0) : (i32) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @division
// CHECK-NOT: arith.divui %{{.*}}, %arg2
// CHECK: arith.divui %arg1, %c3
// CHECK: arith.remsi %arg1, %c3
// CHECK: arith.divui %arg1, %c-1
// CHECK: index.divs %arg0, %c7
// CHECK: scf.for
// CHECK: arith.divui %arg1, %arg2
// CHECK: arith.divsi %arg1, %c-1
// CHECK: arith.remui %arg1, %c0_i32
func.func @division(%n: index, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : i32
  %m1 = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divui %x, %y : i32
    %1 = arith.divsi %x, %m1 : i32
    %2 = arith.remui %x, %zero : i32
    %3 = arith.divui %x, %c3 : i32
    %4 = arith.remsi %x, %c3 : i32
    %5 = arith.divui %x, %m1 : i32
    %6 = index.divs %n, %c7
    "test.use"(%0, %1, %2, %3, %4, %5, %6) : (i32, i32, i32, i32, i32, i32, index) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @extent
// CHECK: %[[D:.*]] = memref.dim %arg0, %c0
// CHECK: tensor.dim %arg1, %c0
// CHECK: scf.for
// CHECK: memref.dim %arg0, %c1
// CHECK: tensor.dim %arg1, %arg2
// CHECK: tensor.extract
func.func @extent(%m: memref<?xi1>, %t: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.dim %m, %c0 : memref<?xi1>
    %1 = memref.dim %m, %c1 : memref<?xi1>
    %2 = tensor.dim %t, %c0 : tensor<?xf32>
    %3 = tensor.dim %t, %n : tensor<?xf32>
    %4 = tensor.extract %t[%n] : tensor<?xf32>
    "test.use"(%0, %1, %2, %3, %4) : (index, index, index, index, f32) -> ()
  }
  return
}
