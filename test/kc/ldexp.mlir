// `math.ldexp` rounds once, and has infinities and denormal numbers: MLIR's own operation takes no vectors of exponents.
// RUN: %kc run %s --entry scalars --inputs '[1.5, 3, 1.5, -1074]' --format json | FileCheck %s --check-prefix=SCALARS
// RUN: %kc run %s --entry scalars --inputs '[1.5, 3, 1.5, -1074]' --format json --backend interpret | FileCheck %s --check-prefix=SCALARS
// SCALARS: {"tuple":[12.0,1e-323]}
// RUN: %kc run %s --entry vectors --inputs '[[1.5, 1.0, 1.0, 1.5, "nan", "-inf"], [-1, -149, 128, 2147483647, 5, -2147483648]]' --format json | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry vectors --inputs '[[1.5, 1.0, 1.0, 1.5, "nan", "-inf"], [-1, -149, 128, 2147483647, 5, -2147483648]]' --format json --backend interpret | FileCheck %s --check-prefix=VECTORS
// VECTORS: [0.75,1e-45,"inf","inf","nan","-inf"]
// RUN: %kc build %s --entry vectors --emit=asm --target-cpu=skylake-avx512 | FileCheck %s --check-prefix=ASM
// ASM: vscalefps
func.func @scalars(%x: f64, %n: i32, %y: f64, %m: i32) -> (f64, f64) {
  %0 = math.ldexp %x, %n : f64, i32
  %1 = math.ldexp %y, %m : f64, i32
  return %0, %1 : f64, f64
}
func.func @vectors(%x: tensor<6xf32>, %n: tensor<6xi32>) -> tensor<6xf32> {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %nothing = arith.constant 0 : i32
  %number = vector.transfer_read %x[%zero], %none : tensor<6xf32>, vector<6xf32>
  %exponent = vector.transfer_read %n[%zero], %nothing : tensor<6xi32>, vector<6xi32>
  %left = vector.shape_cast %number : vector<6xf32> to vector<2x3xf32>
  %right = vector.shape_cast %exponent : vector<6xi32> to vector<2x3xi32>
  %scaled = math.ldexp %left, %right : vector<2x3xf32>, vector<2x3xi32>
  %flat = vector.shape_cast %scaled : vector<2x3xf32> to vector<6xf32>
  %empty = tensor.empty() : tensor<6xf32>
  %result = vector.transfer_write %flat, %empty[%zero] : vector<6xf32>, tensor<6xf32>
  return %result : tensor<6xf32>
}
