// Loops over the elements of buffers, in the forms of other compilers: on each back end they compute the same, in kernels or in
// loops. All elements are integers; the expected numbers are those of NumPy, in the comments.

// RUN: %kc run %s --entry product --backend interpret | FileCheck %s --check-prefix=PRODUCT
// RUN: %kc run %s --entry product --backend interpret-buffers | FileCheck %s --check-prefix=PRODUCT
// RUN: %kc run %s --entry product --backend jit | FileCheck %s --check-prefix=PRODUCT
// RUN: %kc build %s --entry product --emit=schedule | FileCheck %s --check-prefix=KERNEL

// RUN: %kc run %s --entry aliases --backend interpret | FileCheck %s --check-prefix=ALIASES
// RUN: %kc run %s --entry aliases --backend interpret-buffers | FileCheck %s --check-prefix=ALIASES
// RUN: %kc run %s --entry aliases --backend jit | FileCheck %s --check-prefix=ALIASES

// RUN: %kc run %s --entry factors --backend interpret | FileCheck %s --check-prefix=FACTORS
// RUN: %kc run %s --entry factors --backend interpret-buffers | FileCheck %s --check-prefix=FACTORS
// RUN: %kc run %s --entry factors --backend jit | FileCheck %s --check-prefix=FACTORS

// RUN: %kc run %s --entry stencils --backend interpret | FileCheck %s --check-prefix=STENCILS
// RUN: %kc run %s --entry stencils --backend interpret-buffers | FileCheck %s --check-prefix=STENCILS
// RUN: %kc run %s --entry stencils --backend jit | FileCheck %s --check-prefix=STENCILS

// The elements (3 i + 5 j) mod 7 of a matrix.
func.func private @fill(%m: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf64>
  %columns = memref.dim %m, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %n = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1 * 5) mod 7)>(%i, %j)
      %k = arith.index_cast %n : index to i64
      %x = arith.sitofp %k : i64 to f64
      affine.store %x, %m[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// m = (3 * np.arange(24)[:, None] + 5 * np.arange(24)) % 7; (2 * m + m @ m).sum(axis=1)
// PRODUCT: [5310, 5397, 5575, 5214, 5308, 5535, 5020, 5310, 5397, 5575, 5214, 5308, 5535, 5020, 5310, 5397, 5575, 5214, 5308, 5535, 5020, 5310, 5397, 5575]
// KERNEL: schedule.kernel ins(%{{.*}}) outs(%{{.*}} : tensor<24x24xf64>)
func.func @product() -> tensor<24xf64> {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %a = memref.alloc() : memref<24x24xf64>
  %c = memref.alloc() : memref<24x24xf64>
  %sums = memref.alloc() : memref<24xf64>
  %da = memref.cast %a : memref<24x24xf64> to memref<?x?xf64>
  %dc = memref.cast %c : memref<24x24xf64> to memref<?x?xf64>
  func.call @fill(%da) : (memref<?x?xf64>) -> ()
  func.call @fill(%dc) : (memref<?x?xf64>) -> ()
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      %x = affine.load %c[%i, %j] : memref<24x24xf64>
      %y = arith.mulf %x, %two : f64
      affine.store %y, %c[%i, %j] : memref<24x24xf64>
    }
    affine.for %k = 0 to 24 {
      %x = affine.load %a[%i, %k] : memref<24x24xf64>
      affine.for %j = 0 to 24 {
        %y = affine.load %a[%k, %j] : memref<24x24xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %c[%i, %j] : memref<24x24xf64>
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : memref<24x24xf64>
      }
    }
  }
  affine.for %i = 0 to 24 {
    %s = affine.for %j = 0 to 24 iter_args(%t = %zero) -> f64 {
      %x = affine.load %c[%i, %j] : memref<24x24xf64>
      %u = arith.addf %t, %x : f64
      affine.yield %u : f64
    }
    affine.store %s, %sums[%i] : memref<24xf64>
  }
  %r = bufferization.to_tensor %sums : memref<24xf64> to tensor<24xf64>
  memref.dealloc %a : memref<24x24xf64>
  memref.dealloc %c : memref<24x24xf64>
  memref.dealloc %sums : memref<24xf64>
  return %r : tensor<24xf64>
}

// Adds the elements before and after to each, from the front.
func.func private @add_neighbors(%from: memref<300xi64>, %to: memref<300xi64>) attributes {no_inline} {
  affine.for %i = 1 to 299 {
    %x = affine.load %from[%i - 1] : memref<300xi64>
    %y = affine.load %from[%i + 1] : memref<300xi64>
    %s = arith.addi %x, %y : i64
    affine.store %s, %to[%i] : memref<300xi64>
  }
  return
}

// The sum of the elements 0 to 599 after 300 elements are updated from the first 300, where the updated elements begin 0, 1, 299 and
// 300 elements later:
//
// for by in (0, 1, 299, 300):
//     m = np.arange(600)
//     for i in range(1, 299): m[by + i] = m[i - 1] + m[i + 1]
//     print(m.sum())
//
// ALIASES: (4634800, 2396075, 135149, 134851)
func.func @aliases() -> (i64, i64, i64, i64) {
  %by0 = arith.constant 0 : index
  %by1 = arith.constant 8 : index
  %by299 = arith.constant 2392 : index
  %by300 = arith.constant 2400 : index
  %0 = func.call @moved(%by0) : (index) -> i64
  %1 = func.call @moved(%by1) : (index) -> i64
  %2 = func.call @moved(%by299) : (index) -> i64
  %3 = func.call @moved(%by300) : (index) -> i64
  return %0, %1, %2, %3 : i64, i64, i64, i64
}

func.func private @moved(%by: index) -> i64 {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %bytes = memref.alloc() : memref<4800xi8>
  %all = memref.view %bytes[%c0][] : memref<4800xi8> to memref<600xi64>
  affine.for %i = 0 to 600 {
    %n = arith.index_cast %i : index to i64
    affine.store %n, %all[%i] : memref<600xi64>
  }
  %from = memref.view %bytes[%c0][] : memref<4800xi8> to memref<300xi64>
  %to = memref.view %bytes[%by][] : memref<4800xi8> to memref<300xi64>
  func.call @add_neighbors(%from, %to) : (memref<300xi64>, memref<300xi64>) -> ()
  %sum = affine.for %i = 0 to 600 iter_args(%s = %zero) -> i64 {
    %x = affine.load %all[%i] : memref<600xi64>
    %t = arith.addi %s, %x : i64
    affine.yield %t : i64
  }
  memref.dealloc %bytes : memref<4800xi8>
  return %sum : i64
}

// An integer factorization without division: of each row, multiples of the rows before are subtracted, in both loop orders.
//
// a = (3 * np.arange(20)[:, None] + 5 * np.arange(20)) % 7
// for k in range(20): a[k + 1:, k + 1:] -= np.outer(a[k + 1:, k], a[k, k + 1:]) % 3
// a.sum(axis=1)
//
// FACTORS: [61, 58, 47, 20, 17, -10, 22, 2, 43, 12, 7, -12, -18, -6, -18, 43, -1, 7, -16, -23]
func.func @factors() -> tensor<20xi64> {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %a = memref.alloc() : memref<20x20xi64>
  %sums = memref.alloc() : memref<20xi64>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %n = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1 * 5) mod 7)>(%i, %j)
      %k = arith.index_cast %n : index to i64
      affine.store %k, %a[%i, %j] : memref<20x20xi64>
    }
    affine.store %zero, %sums[%i] : memref<20xi64>
  }
  affine.for %k = 0 to 20 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 20 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 20 {
        %x = affine.load %a[%i, %k] : memref<20x20xi64>
        %y = affine.load %a[%k, %j] : memref<20x20xi64>
        %p = arith.muli %x, %y : i64
        %q = arith.remsi %p, %three : i64
        %f = arith.addi %q, %three : i64
        %g = arith.remsi %f, %three : i64
        %z = affine.load %a[%i, %j] : memref<20x20xi64>
        %s = arith.subi %z, %g : i64
        affine.store %s, %a[%i, %j] : memref<20x20xi64>
      }
    }
  }
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %x = affine.load %a[%i, %j] : memref<20x20xi64>
      %y = affine.load %sums[%i] : memref<20xi64>
      %s = arith.addi %y, %x : i64
      affine.store %s, %sums[%i] : memref<20xi64>
    }
  }
  %r = bufferization.to_tensor %sums : memref<20xi64> to tensor<20xi64>
  memref.dealloc %a : memref<20x20xi64>
  memref.dealloc %sums : memref<20xi64>
  return %r : tensor<20xi64>
}

// A sum of neighbors out of place, then one in place, whose iterations depend on each other.
//
// a = (3 * np.arange(20)[:, None] + 5 * np.arange(20)) % 7; b = a.copy()
// b[1:-1, 1:-1] = a[1:-1, :-2] + a[1:-1, 2:] - a[:-2, 1:-1] + a[2:, 1:-1]
// for i in range(1, 20):
//     for j in range(1, 20): b[i, j] = np.fmod(b[i, j] + b[i - 1, j] + b[i, j - 1] + 11, 11)
// b.sum(axis=1)
//
// STENCILS: [61, 105, 110, 85, 92, 101, 102, 81, 82, 110, 83, 112, 111, 107, 66, 108, 103, 114, 104, 79]
func.func @stencils() -> tensor<20xi64> {
  %zero = arith.constant 0 : i64
  %eleven = arith.constant 11 : i64
  %a = memref.alloc() : memref<20x20xi64>
  %b = memref.alloc() : memref<20x20xi64>
  %sums = memref.alloc() : memref<20xi64>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %n = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1 * 5) mod 7)>(%i, %j)
      %k = arith.index_cast %n : index to i64
      affine.store %k, %a[%i, %j] : memref<20x20xi64>
      affine.store %k, %b[%i, %j] : memref<20x20xi64>
    }
  }
  affine.for %i = 1 to 19 {
    affine.for %j = 1 to 19 {
      %l = affine.load %a[%i, %j - 1] : memref<20x20xi64>
      %r = affine.load %a[%i, %j + 1] : memref<20x20xi64>
      %u = affine.load %a[%i - 1, %j] : memref<20x20xi64>
      %d = affine.load %a[%i + 1, %j] : memref<20x20xi64>
      %lr = arith.addi %l, %r : i64
      %ud = arith.subi %d, %u : i64
      %s = arith.addi %lr, %ud : i64
      affine.store %s, %b[%i, %j] : memref<20x20xi64>
    }
  }
  affine.for %i = 1 to 20 {
    affine.for %j = 1 to 20 {
      %c = affine.load %b[%i, %j] : memref<20x20xi64>
      %u = affine.load %b[%i - 1, %j] : memref<20x20xi64>
      %l = affine.load %b[%i, %j - 1] : memref<20x20xi64>
      %ul = arith.addi %u, %l : i64
      %s = arith.addi %c, %ul : i64
      %t = arith.addi %s, %eleven : i64
      %m = arith.remsi %t, %eleven : i64
      affine.store %m, %b[%i, %j] : memref<20x20xi64>
    }
  }
  affine.for %i = 0 to 20 {
    %s = affine.for %j = 0 to 20 iter_args(%t = %zero) -> i64 {
      %x = affine.load %b[%i, %j] : memref<20x20xi64>
      %v = arith.addi %t, %x : i64
      affine.yield %v : i64
    }
    affine.store %s, %sums[%i] : memref<20xi64>
  }
  %r = bufferization.to_tensor %sums : memref<20xi64> to tensor<20xi64>
  memref.dealloc %a : memref<20x20xi64>
  memref.dealloc %b : memref<20x20xi64>
  memref.dealloc %sums : memref<20xi64>
  return %r : tensor<20xi64>
}
