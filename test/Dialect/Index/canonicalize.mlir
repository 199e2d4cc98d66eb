// What indices fold to are constants of their own dialect.
// RUN: %kopt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[SUM:.*]] = index.constant 5
// CHECK-DAG: %[[LESS:.*]] = index.bool.constant true
// CHECK-NEXT: return %[[SUM]], %[[LESS]] : index, i1
func.func @f() -> (index, i1) {
  %a = index.constant 2
  %b = index.constant 3
  %0 = index.add %a, %b
  %1 = index.cmp ult(%a, %b)
  return %0, %1 : index, i1
}
