// Products, and integers that are not whole bytes, have no atomic instruction: they are computed by a loop that compares and exchanges.
// RUN: %kopt %s --pass-pipeline='builtin.module(apply-patterns{sets=memref-expand-atomics})' | FileCheck %s --check-prefix=IR
// RUN: %kc run %s --entry main --backend jit --inputs '[3, 1.5, -0.0, true, 7]' | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret --inputs '[3, 1.5, -0.0, true, 7]' | FileCheck %s
// CHECK: {{^}}(3, 9, 1.5, 2.25, -0, -0, 7, 49, true, false, true, 9)
// IR-LABEL: func.func @main(
// IR: memref.generic_atomic_rmw %{{.*}}[%{{.*}}] : memref<2xf32> {
// IR-NEXT: ^bb0(%[[OLD:.*]]: f32):
// IR-NEXT: %[[NEW:.*]] = arith.mulf %[[OLD]], %{{.*}} : f32
// IR-NEXT: memref.atomic_yield %[[NEW]] : f32
func.func @main(%f: f32, %h: f16, %d: f64, %b: i1, %n: i64) -> (f32, f32, f16, f16, f64, f64, i64, i64, i1, i1, i1, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.alloca() : memref<2xf32>
  memref.store %f, %g[%c1] : memref<2xf32>
  %0 = memref.atomic_rmw mulf %f, %g[%c1] : (f32, memref<2xf32>) -> f32
  %1 = memref.load %g[%c1] : memref<2xf32>
  %gh = memref.alloca() : memref<1xf16>
  memref.store %h, %gh[%c0] : memref<1xf16>
  %2 = memref.atomic_rmw mulf %h, %gh[%c0] : (f16, memref<1xf16>) -> f16
  %3 = memref.load %gh[%c0] : memref<1xf16>
  %gd = memref.alloca() : memref<f64>
  %one = arith.constant 1.0 : f64
  memref.store %d, %gd[] : memref<f64>
  %4 = memref.atomic_rmw mulf %one, %gd[] : (f64, memref<f64>) -> f64
  %5 = memref.load %gd[] : memref<f64>
  %gn = memref.alloca() : memref<1xi64>
  memref.store %n, %gn[%c0] : memref<1xi64>
  %6 = memref.atomic_rmw muli %n, %gn[%c0] : (i64, memref<1xi64>) -> i64
  %7 = memref.load %gn[%c0] : memref<1xi64>
  %gb = memref.alloca() : memref<2xi1>
  %no = arith.constant false
  memref.store %b, %gb[%c1] : memref<2xi1>
  %8 = memref.atomic_rmw xori %b, %gb[%c1] : (i1, memref<2xi1>) -> i1
  %9 = memref.load %gb[%c1] : memref<2xi1>
  memref.store %b, %gb[%c0] : memref<2xi1>
  %10 = memref.atomic_rmw assign %no, %gb[%c0] : (i1, memref<2xi1>) -> i1
  %i = arith.trunci %n : i64 to i5
  %c2 = arith.constant 2 : i5
  %gi = memref.alloca() : memref<1xi5>
  memref.store %i, %gi[%c0] : memref<1xi5>
  %old = memref.atomic_rmw addi %c2, %gi[%c0] : (i5, memref<1xi5>) -> i5
  %new = memref.load %gi[%c0] : memref<1xi5>
  %11 = arith.extui %new : i5 to i64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : f32, f32, f16, f16, f64, f64, i64, i64, i1, i1, i1, i64
}
