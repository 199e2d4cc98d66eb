// Arguments of a function are symbols of affine maps; the values that replace them inside of a loop may not be, so a function with
// affine operations is only inlined at the top of another one.

// RUN: %kopt %s --inline | FileCheck %s

// CHECK-LABEL: func.func private @element
func.func private @element(%n: index, %m: memref<8xf32>) -> f32 {
  %x = affine.load %m[symbol(%n)] : memref<8xf32>
  affine.for %i = 0 to %n {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return %x : f32
}

// CHECK-LABEL: func.func @callers
func.func @callers(%m: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: scf.for %[[K:.*]] =
  // CHECK-NEXT: call @element(%[[K]],
  scf.for %k = %c0 to %c8 step %c1 {
    %x = func.call @element(%k, %m) : (index, memref<8xf32>) -> f32
  }
  // CHECK: affine.for %[[I:.*]] = 0 to 8
  // CHECK-NEXT: call @element(%[[I]],
  affine.for %i = 0 to 8 {
    %x = func.call @element(%i, %m) : (index, memref<8xf32>) -> f32
  }
  // CHECK: affine.load %{{.*}}[symbol(%{{.*}})] : memref<8xf32>
  // CHECK: affine.for %{{.*}} = 0 to %{{.*}} {
  %y = call @element(%n, %m) : (index, memref<8xf32>) -> f32
  return %y : f32
}
