// A negative power of an integer zero is an error, interpreted and compiled.
// RUN: not %kc run %s --entry scalar --inputs '[0, -2]' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %kc run %s --entry scalar --inputs '[0, -2]' --backend interpret 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %kc run %s --entry vectors --inputs '[0, -2]' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %kc run %s --entry vectors --inputs '[0, -2]' --backend interpret 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %kc run %s --entry indices --inputs '[0, -2]' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %kc run %s --entry scalar --inputs '[-1, -3]' | FileCheck %s --check-prefix=ONE
// RUN: %kc run %s --entry vectors --inputs '[-1, -3]' | FileCheck %s --check-prefix=ONE
// RUN: %kc run %s --entry indices --inputs '[-1, -3]' | FileCheck %s --check-prefix=ONE
// RUN: %kc run %s --entry vectors --inputs '[3, 2]' | FileCheck %s --check-prefix=NINE
// RUN: %kc build %s --entry squares --emit=llvm-dialect | FileCheck %s --check-prefix=SQUARES
// ERROR: error: division by zero: a negative power of zero
// ERROR-NEXT: negative-powers-of-zero.mlir:[[#]]:[[#]]
// ONE: {{^}}-1{{$}}
// NINE: {{^}}9{{$}}
func.func @scalar(%a: i64, %b: i64) -> i64 {
  %s = math.ipowi %a, %b : i64
  return %s : i64
}
func.func @vectors(%a: i64, %b: i64) -> i64 {
  %one = arith.constant 1 : i64
  %x = vector.from_elements %one, %one, %one, %a : vector<2x2xi64>
  %y = vector.broadcast %b : i64 to vector<2x2xi64>
  %s = math.ipowi %x, %y : vector<2x2xi64>
  %e = vector.extract %s[1, 1] : i64 from vector<2x2xi64>
  return %e : i64
}
func.func @indices(%a: index, %b: index) -> index {
  %x = vector.broadcast %a : index to vector<2xindex>
  %y = vector.broadcast %b : index to vector<2xindex>
  %s = math.ipowi %x, %y : vector<2xindex>
  %e = vector.extract %s[1] : index from vector<2xindex>
  %c = math.ipowi %a, %b : index
  %d = math.ipowi %e, %c : index
  return %d : index
}
// A constant exponent that is not negative needs no check.
// SQUARES-LABEL: llvm.func @squares
// SQUARES-NOT: assert
func.func @squares(%a: i64) -> i64 {
  %two = arith.constant 3 : i64
  %s = math.ipowi %a, %two : i64
  return %s : i64
}
