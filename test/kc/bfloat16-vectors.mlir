// Vectors of bf16 are computed in f32 and rounded by integer arithmetic: without calls of conversions for each element, and with
// the values of the interpreter.
// RUN: %kc build %s --emit=asm --entry arithmetic --entry transpose --entry exponential --target-cpu=x86-64-v3 | FileCheck %s --implicit-check-not=__truncsfbf2 --implicit-check-not=expf
// RUN: %kc build %s --emit=asm --entry arithmetic --entry transpose --entry exponential --target-cpu=znver4 | FileCheck %s --implicit-check-not=__truncsfbf2 --implicit-check-not=expf
// CHECK-LABEL: {{^}}arithmetic:
// CHECK: vmulps
// CHECK: vpslld $16
// CHECK-LABEL: {{^}}transpose:
// CHECK: vpunpck
// CHECK-LABEL: {{^}}exponential:
// CHECK: vfmadd

// RUN: %kc run %s --entry arithmetic --inputs '[[1.5, -0.0, 1e38, 1e-40, 255, 3, "nan", "-inf", 257], [3, 0, 1e38, 1, 1, 0.3, 1, "inf", 1]]' > %t.jit
// RUN: %kc run %s --entry arithmetic --backend interpret --inputs '[[1.5, -0.0, 1e38, 1e-40, 255, 3, "nan", "-inf", 257], [3, 0, 1e38, 1, 1, 0.3, 1, "inf", 1]]' | diff - %t.jit
// RUN: FileCheck %s --check-prefix=VALUES --input-file %t.jit
// VALUES: {{^}}([4.5, 0, 2e38, 1, 256, 3.3, NaN, NaN, 256], [7.5, 0, inf, 1, 256, 1.2, NaN, NaN, 256], [true, false, false, true, false, false, false, true, false])
func.func @arithmetic(%x: tensor<9xbf16>, %y: tensor<9xbf16>) -> (tensor<9xbf16>, tensor<9xbf16>, tensor<9xi1>) {
  %0 = arith.addf %x, %y : tensor<9xbf16>
  %1 = arith.mulf %x, %y : tensor<9xbf16>
  %2 = arith.addf %1, %y : tensor<9xbf16>
  %3 = arith.cmpf olt, %x, %y : tensor<9xbf16>
  return %0, %2, %3 : tensor<9xbf16>, tensor<9xbf16>, tensor<9xi1>
}

func.func @transpose(%x: tensor<128x64xbf16>) -> tensor<64x128xbf16> {
  %e = tensor.empty() : tensor<64x128xbf16>
  %0 = linalg.transpose ins(%x : tensor<128x64xbf16>) outs(%e : tensor<64x128xbf16>) permutation = [1, 0]
  return %0 : tensor<64x128xbf16>
}

func.func @exponential(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = math.exp %x : tensor<64xbf16>
  return %0 : tensor<64xbf16>
}

// Each conversion is rounded once: from numbers next to halfway between two bf16.
// RUN: %kc run %s --entry narrow --inputs '[[1.00390625, 1.0039062500000002, 1.0117187499999998, 1e-45, 3.4e38, 3.3961775292304601e38, 4e-41, -1.01171875, "nan"], [16842753, 33489, 257, -2147483648, 2147483647, 0, -1, 511, 65408]]' > %t.jit
// RUN: %kc run %s --entry narrow --backend interpret --inputs '[[1.00390625, 1.0039062500000002, 1.0117187499999998, 1e-45, 3.4e38, 3.3961775292304601e38, 4e-41, -1.01171875, "nan"], [16842753, 33489, 257, -2147483648, 2147483647, 0, -1, 511, 65408]]' | diff - %t.jit
// RUN: FileCheck %s --check-prefix=NARROW --input-file %t.jit
// NARROW: {{^}}([1, 1.01, 1.01, 0, inf, inf, 0, -1.016, NaN], [16900000, 33500, 256, -2150000000, 2150000000, 0, -1, 512, 65500])
func.func @narrow(%x: tensor<9xf64>, %i: tensor<9xi32>) -> (tensor<9xbf16>, tensor<9xbf16>) {
  %0 = arith.truncf %x : tensor<9xf64> to tensor<9xbf16>
  %1 = arith.sitofp %i : tensor<9xi32> to tensor<9xbf16>
  return %0, %1 : tensor<9xbf16>, tensor<9xbf16>
}
