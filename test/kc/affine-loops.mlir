// Bounds that are extrema, triangular loops, conditions, reductions, and quotients of negative numbers.

// RUN: %kc run %s --entry stencil --backend interpret | FileCheck %s --check-prefix=STENCIL
// RUN: %kc run %s --entry stencil --backend interpret-buffers | FileCheck %s --check-prefix=STENCIL
// RUN: %kc run %s --entry stencil --backend jit | FileCheck %s --check-prefix=STENCIL
// STENCIL: [3, 6, 9, 12, 15, 18, 21, 13]
func.func @stencil() -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  %from = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = arith.index_cast %n : index to i32
    affine.store %x, %from[%i] : memref<8xi32>
  }
  %to = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    // The neighbors inside of the array.
    %sum = affine.for %j = max affine_map<(d0) -> (0, d0 - 1)>(%i) to min affine_map<(d0) -> (8, d0 + 2)>(%i) iter_args(%s = %zero) -> (i32) {
      %x = affine.load %from[%j] : memref<8xi32>
      %t = arith.addi %s, %x : i32
      affine.yield %t : i32
    }
    %more = affine.if affine_set<(d0) : (d0 - 7 == 0)>(%i) -> i32 {
      %c2 = arith.constant -2 : i32
      affine.yield %c2 : i32
    } else {
      affine.yield %zero : i32
    }
    %all = arith.addi %sum, %more : i32
    affine.store %all, %to[%i] : memref<8xi32>
  }
  %result = tensor.generate {
  ^bb0(%i: index):
    %e = memref.load %to[%i] : memref<8xi32>
    tensor.yield %e : i32
  } : tensor<8xi32>
  memref.dealloc %from : memref<8xi32>
  memref.dealloc %to : memref<8xi32>
  return %result : tensor<8xi32>
}

// RUN: %kc run %s --entry triangle --inputs '[5]' --backend interpret | FileCheck %s --check-prefix=TRIANGLE
// RUN: %kc run %s --entry triangle --inputs '[5]' --backend interpret-buffers | FileCheck %s --check-prefix=TRIANGLE
// RUN: %kc run %s --entry triangle --inputs '[5]' --backend jit | FileCheck %s --check-prefix=TRIANGLE
// The pairs with j <= i, and those of them with i + j even and i > 1.
// TRIANGLE: (15, 7)
func.func @triangle(%n: index) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%a = %zero, %b = %zero) -> (i32, i32) {
    %s:2 = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%c = %a, %d = %b) -> (i32, i32) {
      %e = arith.addi %c, %one : i32
      %f = affine.if affine_set<(d0, d1) : ((d0 + d1) mod 2 == 0, d0 - 2 >= 0)>(%i, %j) -> i32 {
        %g = arith.addi %d, %one : i32
        affine.yield %g : i32
      } else {
        affine.yield %d : i32
      }
      affine.yield %e, %f : i32, i32
    }
    affine.yield %s#0, %s#1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// RUN: %kc run %s --entry reductions --inputs '[4]' --backend interpret | FileCheck %s --check-prefix=REDUCTIONS
// RUN: %kc run %s --entry reductions --inputs '[4]' --backend interpret-buffers | FileCheck %s --check-prefix=REDUCTIONS
// RUN: %kc run %s --entry reductions --inputs '[4]' --backend jit | FileCheck %s --check-prefix=REDUCTIONS
// REDUCTIONS: (30, 144, 8)
func.func @reductions(%n: index) -> (f32, i32, f32) {
  %three = arith.constant 3 : index
  %r:3 = affine.parallel (%i, %j) = (max(%three - 3, 0), 1) to (%n, min(symbol(%n), %n + 1)) step (2, 1) reduce ("addf", "muli", "maximumf") -> (f32, i32, f32) {
    %k = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 + 1)>(%i, %j)
    %x = arith.index_cast %k : index to i32
    %y = arith.sitofp %x : i32 to f32
    %z = affine.apply affine_map<(d0, d1) -> (d0 floordiv 2 + d1)>(%i, %j)
    %w = arith.index_cast %z : index to i32
    affine.yield %y, %w, %y : f32, i32, f32
  }
  return %r#0, %r#1, %r#2 : f32, i32, f32
}

// RUN: %kc run %s --entry quotients --inputs '[-7, 3]' --backend interpret | FileCheck %s --check-prefix=QUOTIENTS
// RUN: %kc run %s --entry quotients --inputs '[-7, 3]' --backend interpret-buffers | FileCheck %s --check-prefix=QUOTIENTS
// RUN: %kc run %s --entry quotients --inputs '[-7, 3]' --backend jit | FileCheck %s --check-prefix=QUOTIENTS
// QUOTIENTS: (-2, -1, 1, -3, -2, 2, -7, 3)
func.func @quotients(%x: index, %n: index) -> (index, index, index, index, index, index, index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%x)
  %b = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%x)
  %c = affine.apply affine_map<(d0) -> (d0 mod 4)>(%x)
  %d = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%x)[%n]
  %e = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%x)[%n]
  %f = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%x)[%n]
  %g = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%x)[%n]
  %h = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%x)[%n]
  return %a, %b, %c, %d, %e, %f, %g, %h : index, index, index, index, index, index, index, index
}

// RUN: %kc run %s --entry indices --inputs '[-5, 4]' --backend interpret | FileCheck %s --check-prefix=INDICES
// RUN: %kc run %s --entry indices --inputs '[-5, 4]' --backend interpret-buffers | FileCheck %s --check-prefix=INDICES
// RUN: %kc run %s --entry indices --inputs '[-5, 4]' --backend jit | FileCheck %s --check-prefix=INDICES
// INDICES: (-1, 1, 3, -5)
func.func @indices(%x: index, %n: index) -> (index, index, index, index) {
  %d:3 = affine.delinearize_index %x into (3, %n) : index, index, index
  %l = affine.linearize_index [%d#0, %d#1, %d#2] by (3, %n) : index
  return %d#0, %d#1, %d#2, %l : index, index, index, index
}

// RUN: %kc run %s --entry vectors --backend interpret | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry vectors --backend interpret-buffers | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry vectors --backend jit | FileCheck %s --check-prefix=VECTORS
// VECTORS: 42
func.func @vectors() -> f32 {
  %m = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = arith.index_cast %i : index to i32
    %y = arith.sitofp %x : i32 to f32
    affine.store %y, %m[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 2 {
    affine.prefetch %m[%i * 4], read, locality<3>, data : memref<8xf32>
    %v = affine.vector_load %m[%i * 2] : memref<8xf32>, vector<2xf32>
    %w = arith.addf %v, %v : vector<2xf32>
    affine.vector_store %w, %m[%i * 2 + 4] : memref<8xf32>, vector<2xf32>
  }
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %m[%i] : memref<8xf32>
    %w = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> f32 {
      %two = arith.constant 3.0 : f32
      affine.yield %two : f32
    } else {
      %one = arith.constant 1.0 : f32
      affine.yield %one : f32
    }
    %y = arith.mulf %x, %w : f32
    %t = arith.addf %s, %y : f32
    affine.yield %t : f32
  }
  memref.dealloc %m : memref<8xf32>
  return %sum : f32
}
