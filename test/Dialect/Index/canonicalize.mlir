// Operations of the index dialect fold to its own constants.
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

// CHECK-LABEL: func.func @neutral
// CHECK: %[[ZERO:.*]] = index.constant 0
// CHECK-NEXT: return %arg0, %[[ZERO]]
func.func @neutral(%a: index) -> (index, index) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %0 = index.add %a, %c0
  %1 = index.mul %0, %c1
  %2 = index.sub %1, %c0
  %3 = index.mul %a, %c0
  return %2, %3 : index, index
}

// Two constants, one behind the other, are one.
// CHECK-LABEL: func.func @constants_meet
// CHECK-DAG: %[[SUM:.*]] = index.constant 7
// CHECK-DAG: %[[PRODUCT:.*]] = index.constant 12
// CHECK-DAG: %[[GREATER:.*]] = index.constant 4
// CHECK-DAG: index.add %arg0, %[[SUM]]
// CHECK-DAG: index.mul %arg0, %[[PRODUCT]]
// CHECK-DAG: index.maxs %arg0, %[[GREATER]]
func.func @constants_meet(%a: index) -> (index, index, index) {
  %c3 = index.constant 3
  %c4 = index.constant 4
  %0 = index.add %a, %c3
  %1 = index.add %0, %c4
  %2 = index.mul %a, %c3
  %3 = index.mul %2, %c4
  %4 = index.maxs %a, %c3
  %5 = index.maxs %4, %c4
  return %1, %3, %5 : index, index, index
}

// CHECK-LABEL: func.func @compared_with_itself
// CHECK-DAG: %[[FALSE:.*]] = index.bool.constant false
// CHECK-DAG: %[[TRUE:.*]] = index.bool.constant true
// CHECK: return %[[FALSE]], %[[TRUE]], %[[TRUE]]
func.func @compared_with_itself(%a: index) -> (i1, i1, i1) {
  %0 = index.cmp slt(%a, %a)
  %1 = index.cmp ule(%a, %a)
  %2 = index.cmp eq(%a, %a)
  return %0, %1, %2 : i1, i1, i1
}
