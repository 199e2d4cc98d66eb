// Cases are printed without a sign, and read so. mlir-opt prints this one alike, and cannot read it.
// RUN: %kopt %s --verify-roundtrip | FileCheck %s
// CHECK: 18446744073709551615: ^bb1
func.func @wide_cases(%a: i64) {
  cf.switch %a : i64, [
    default: ^bb1,
    -1: ^bb1
  ]
^bb1:
  return
}
