// Every test of a float's class compiles.
// RUN: %kc run %s --entry f --inputs '[1.0, "inf", "nan", 1e-40]' --format json | FileCheck %s
// RUN: %kc run %s --entry f --inputs '[1.0, "inf", "nan", 1e-40]' --format json --backend interpret | FileCheck %s
// CHECK: {"tuple":[false,true,true,false,true,true,false,true,false]}
func.func @f(%one: f64, %inf: f32, %nan: f16, %small: f32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = math.isinf %one : f64
  %1 = math.isinf %inf : f32
  %2 = math.isnan %nan : f16
  %3 = math.isnormal %nan : f16
  %4 = math.isnormal %one : f64
  %5 = math.isfinite %small : f32
  %6 = math.isnormal %small : f32
  %7 = math.isfinite %one : f64
  %8 = math.isinf %nan : f16
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i1, i1, i1, i1, i1, i1, i1, i1, i1
}
