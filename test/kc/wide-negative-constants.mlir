// Negative constants of more than 64 bits keep their sign.
// RUN: %kc run %s --entry shifted | FileCheck %s --check-prefix=SHIFTED
// SHIFTED: {{^}}-3786717732112363967
// RUN: %kc run %s --entry divided --inputs '[7]' | FileCheck %s --check-prefix=DIVIDED
// DIVIDED: {{^}}-2
// RUN: %kc build %s --entry divided --emit=llvm-dialect -o - | FileCheck %s --check-prefix=DIALECT
// DIALECT: llvm.mlir.constant(-4 : i100)
func.func @shifted() -> i64 {
  %c = arith.constant -7573435464224727933 : i65
  %one = arith.constant 1 : i65
  %shifted = arith.shrui %c, %one : i65
  %low = arith.trunci %shifted : i65 to i64
  return %low : i64
}

func.func @divided(%x: i64) -> i64 {
  %wide = arith.extsi %x : i64 to i100
  %c = arith.constant -4 : i100
  %quotient = arith.floordivsi %wide, %c : i100
  %low = arith.trunci %quotient : i100 to i64
  return %low : i64
}
