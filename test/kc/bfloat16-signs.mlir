// The sign of a bfloat16 that is passed in memory, and whose bits are used as well as itself.
// RUN: %kc run %s --entry signs --inputs '[1, -0.5]' --backend interpret | FileCheck %s
// RUN: %kc run %s --entry signs --inputs '[1, -0.5]' | FileCheck %s
// CHECK: (-1, -16640, true, -0.5)
func.func @signs(%x: bf16, %y: bf16) -> (bf16, i16, i1, bf16) {
  %zero = arith.constant 0 : i16
  %signed = math.copysign %x, %y : bf16
  %bits = arith.bitcast %y : bf16 to i16
  %is_negative = arith.cmpi slt, %bits, %zero : i16
  return %signed, %bits, %is_negative, %y : bf16, i16, i1, bf16
}
// RUN: %kc run %s --entry wide --inputs '[1, -0.5]' --backend interpret | FileCheck %s --check-prefix=WIDE
// RUN: %kc run %s --entry wide --inputs '[1, -0.5]' | FileCheck %s --check-prefix=WIDE
// WIDE: (-1, -0.5)
func.func @wide(%x: f32, %y: bf16) -> (f32, bf16) {
  %e = arith.extf %y : bf16 to f32
  %signed = math.copysign %x, %e : f32
  return %signed, %y : f32, bf16
}
