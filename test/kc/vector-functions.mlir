// Kernels over tensors of floats have no calls of the C library, in a loop for the rare lanes of the tangent alone.
// RUN: %kc build %s --entry f --emit=llvm-ir --target-cpu=x86-64-v4 | FileCheck %s --implicit-check-not='@{{(llvm.)?(a?(sin|cos|tan)|log10|cbrt)}}'
// RUN: %kc build %s --entry f --emit=llvm-ir --target-cpu=x86-64-v3 | FileCheck %s --implicit-check-not='@{{(llvm.)?(a?(sin|cos|tan)|log10|cbrt)}}'
// RUN: %kc build %s --entry tangent --emit=llvm-ir --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=TANGENT --implicit-check-not=@llvm.tan.v
// RUN: %kc run %s --entry g --inputs "[[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]]" | FileCheck %s --check-prefix=RESULT

// CHECK: llvm.fma
func.func @f(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>) {
  %0 = math.atan %x : tensor<512x512xf32>
  %1 = math.asin %0 : tensor<512x512xf32>
  %2 = math.acos %1 : tensor<512x512xf32>
  %3 = math.atan2 %2, %y : tensor<512x512xf32>
  %4 = math.log10 %x : tensor<512x512xf32>
  %5 = math.sinh %4 : tensor<512x512xf32>
  %6 = math.cosh %5 : tensor<512x512xf32>
  %7 = math.asinh %6 : tensor<512x512xf32>
  %8 = math.acosh %x : tensor<512x512xf32>
  %9 = math.atanh %8 : tensor<512x512xf32>
  %10 = math.cbrt %9 : tensor<512x512xf32>
  return %3, %7, %10 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>
}

// TANGENT: call float @llvm.tan.f32
func.func @tangent(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = math.tan %x : tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// RESULT: ([0.7937005259840998, 0.7937005259840998,
func.func @g(%x: tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>) {
  %0 = math.cbrt %x : tensor<16xf64>
  %1 = math.atan2 %0, %x : tensor<16xf64>
  return %0, %1 : tensor<16xf64>, tensor<16xf64>
}
