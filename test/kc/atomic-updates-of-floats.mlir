// Machine code compares and exchanges integers of whole bytes: updates of other elements are those of such integers.
// RUN: %kc run %s --entry main --inputs '[3, 1.5, -2, true, 3]' | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[3, 1.5, -2, true, 3]' --backend interpret | FileCheck %s
// CHECK: {{^}}(9, 3, 2.25, 4, true, 8)
func.func @main(%f: f32, %h: f16, %d: f64, %b: i1, %n: i16) -> (f32, f32, f16, f64, i1, i16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.alloca() : memref<2xf32>
  memref.store %f, %g[%c1] : memref<2xf32>
  %s = memref.subview %g[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  %o = memref.generic_atomic_rmw %s[%c0] : memref<1xf32, strided<[1], offset: 1>> {
  ^bb0(%cur: f32):
    %w = arith.mulf %cur, %f : f32
    memref.atomic_yield %w : f32
  }
  %r = memref.load %g[%c1] : memref<2xf32>
  %gh = memref.alloca() : memref<1xf16>
  memref.store %h, %gh[%c0] : memref<1xf16>
  %oh = memref.generic_atomic_rmw %gh[%c0] : memref<1xf16> {
  ^bb0(%cur: f16):
    %w = arith.mulf %cur, %cur : f16
    memref.atomic_yield %w : f16
  }
  %rh = memref.load %gh[%c0] : memref<1xf16>
  %gd = memref.alloca() : memref<f64>
  memref.store %d, %gd[] : memref<f64>
  %od = memref.generic_atomic_rmw %gd[] : memref<f64> {
  ^bb0(%cur: f64):
    %w = arith.mulf %cur, %d : f64
    memref.atomic_yield %w : f64
  }
  %rd = memref.load %gd[] : memref<f64>
  %gb = memref.alloca() : memref<2xi1>
  memref.store %b, %gb[%c1] : memref<2xi1>
  %ob = memref.generic_atomic_rmw %gb[%c1] : memref<2xi1> {
  ^bb0(%cur: i1):
    %w = arith.andi %cur, %b : i1
    memref.atomic_yield %w : i1
  }
  %rb = memref.load %gb[%c1] : memref<2xi1>
  %i = arith.trunci %n : i16 to i5
  %gi = memref.alloca() : memref<1xi5>
  memref.store %i, %gi[%c0] : memref<1xi5>
  %oi = memref.generic_atomic_rmw %gi[%c0] : memref<1xi5> {
  ^bb0(%cur: i5):
    %c5 = arith.constant 5 : i5
    %w = arith.addi %cur, %c5 : i5
    memref.atomic_yield %w : i5
  }
  %ri = memref.load %gi[%c0] : memref<1xi5>
  %ei = arith.extsi %ri : i5 to i16
  return %r, %o, %rh, %rd, %rb, %ei : f32, f32, f16, f64, i1, i16
}
