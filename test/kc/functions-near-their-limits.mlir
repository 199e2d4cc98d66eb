// The area hyperbolic cosine of a number below 1 is not a number, and expm1 keeps the digits of small numbers in vectors, too.
// RUN: %kc run %s --entry cosines --inputs '[-1828.3898]' | FileCheck %s --check-prefix=COSINES
// RUN: %kc run %s --entry cosines --inputs '[-1828.3898]' --backend interpret | FileCheck %s --check-prefix=COSINES
// COSINES: (NaN, NaN, NaN)
func.func @cosines(%x: f32) -> (f32, f32, f64) {
  %c = arith.constant -1828.3898 : f32
  %d = arith.constant -52421.38817559 : f64
  %0 = math.acosh %x : f32
  %1 = math.acosh %c : f32
  %2 = math.acosh %d : f64
  return %0, %1, %2 : f32, f32, f64
}
// RUN: %kc run %s --entry small --inputs '[[1e-20, -0.0, 1e-8, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20]]' --target-cpu=x86-64 | FileCheck %s --check-prefix=SMALL
// SMALL: [1e-20, -0, 1e-8, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20]
func.func @small(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.expm1 %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
// RUN: %kc run %s --entry narrow --inputs '[[0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001]]' | FileCheck %s --check-prefix=NARROW
// NARROW: [0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001]
func.func @narrow(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = math.expm1 %x : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
