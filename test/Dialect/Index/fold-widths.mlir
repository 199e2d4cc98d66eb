// The width of an index is the target's: two constants fold where 32 and 64 bits give the same low bits.
// RUN: %kopt %s --canonicalize | FileCheck %s
// RUN: %mlir-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @agree
// CHECK-DAG: %[[S:.*]] = index.constant 4294967296
// CHECK-DAG: %[[T:.*]] = index.bool.constant true
// CHECK: return %[[S]], %[[T]]
func.func @agree() -> (index, i1) {
  %a = index.constant 4294967295
  %b = index.constant 1
  %five = index.constant 5
  %0 = index.add %a, %b
  %1 = index.cmp ult(%b, %five)
  return %0, %1 : index, i1
}

// CHECK-LABEL: func.func @differ
// CHECK: index.divs
// CHECK: index.divu
// CHECK: index.shru
// CHECK: index.shl
// CHECK: index.maxs
// CHECK: index.cmp slt
// CHECK: index.casts
func.func @differ() -> (index, index, index, index, index, i1, i64) {
  %a = index.constant 4294967296
  %two = index.constant 2
  %far = index.constant 40
  %ones = index.constant 4294967295
  %0 = index.divs %a, %two
  %1 = index.divu %a, %two
  %2 = index.shru %ones, %far
  %3 = index.shl %two, %far
  %4 = index.maxs %ones, %two
  %5 = index.cmp slt(%ones, %two)
  %6 = index.casts %ones : index to i64
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, i1, i64
}

// CHECK-LABEL: func.func @width
// CHECK: index.sizeof
func.func @width() -> index {
  %0 = index.sizeof
  return %0 : index
}
