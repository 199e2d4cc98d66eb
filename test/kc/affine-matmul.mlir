// A matrix product in affine loops, over memory and with a loop-carried sum.

// RUN: %kc run %s --entry in_memory --inputs '[[[1,2],[3,4]], [[5,6],[7,8]]]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry in_memory --inputs '[[[1,2],[3,4]], [[5,6],[7,8]]]' --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry in_memory --inputs '[[[1,2],[3,4]], [[5,6],[7,8]]]' --backend jit | FileCheck %s
// CHECK: {{\[\[}}19, 22], [43, 50]]

// RUN: %kc run %s --entry carried --inputs '[[[1,2],[3,4]], [[5,6],[7,8]], 2]' --backend interpret | FileCheck %s --check-prefix=CARRIED
// RUN: %kc run %s --entry carried --inputs '[[[1,2],[3,4]], [[5,6],[7,8]], 2]' --backend interpret-buffers | FileCheck %s --check-prefix=CARRIED
// RUN: %kc run %s --entry carried --inputs '[[[1,2],[3,4]], [[5,6],[7,8]], 2]' --backend jit | FileCheck %s --check-prefix=CARRIED
// CARRIED: 134

func.func @in_memory(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<2x2xf32>
  %y = memref.alloc() : memref<2x2xf32>
  %z = memref.alloc() : memref<2x2xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %p = tensor.extract %a[%i, %j] : tensor<2x2xf32>
      %q = tensor.extract %b[%i, %j] : tensor<2x2xf32>
      affine.store %p, %x[%i, %j] : memref<2x2xf32>
      affine.store %q, %y[%i, %j] : memref<2x2xf32>
      affine.store %zero, %z[%i, %j] : memref<2x2xf32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 2 {
        %p = affine.load %x[%i, %k] : memref<2x2xf32>
        %q = affine.load %y[%k, %j] : memref<2x2xf32>
        %r = affine.load %z[%i, %j] : memref<2x2xf32>
        %s = arith.mulf %p, %q : f32
        %t = arith.addf %r, %s : f32
        affine.store %t, %z[%i, %j] : memref<2x2xf32>
      }
    }
  }
  %result = tensor.generate {
  ^bb0(%i: index, %j: index):
    %e = memref.load %z[%i, %j] : memref<2x2xf32>
    tensor.yield %e : f32
  } : tensor<2x2xf32>
  memref.dealloc %x : memref<2x2xf32>
  memref.dealloc %y : memref<2x2xf32>
  memref.dealloc %z : memref<2x2xf32>
  return %result : tensor<2x2xf32>
}

// The sum of the elements of the product.
func.func @carried(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
    %row = affine.for %j = 0 to %n iter_args(%t = %s) -> (f32) {
      %dot = affine.for %k = 0 to %n iter_args(%u = %t) -> (f32) {
        %p = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        %q = tensor.extract %b[%k, %j] : tensor<?x?xf32>
        %m = arith.mulf %p, %q : f32
        %v = arith.addf %u, %m : f32
        affine.yield %v : f32
      }
      affine.yield %dot : f32
    }
    affine.yield %row : f32
  }
  return %r : f32
}

// RUN: %kc grad %s --entry squares --inputs '[[1, 2, 3, 4]]' | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: [2, 4, 6, 8]
func.func @squares(%x: tensor<4xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = affine.for %i = 0 to 4 iter_args(%s = %zero) -> f64 {
    %y = tensor.extract %x[%i] : tensor<4xf64>
    %z = arith.mulf %y, %y : f64
    %t = arith.addf %s, %z : f64
    affine.yield %t : f64
  }
  return %r : f64
}
