// RUN: %kopt %s --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s

func.func private @effect(%x: i32) -> i32

// CHECK-LABEL: func.func @execute_region
// CHECK-NEXT: %[[R:.*]] = call @effect(%arg0)
// CHECK-NEXT: %[[S:.*]] = scf.execute_region -> i32 no_inline
// CHECK: return %[[R]], %[[S]]
func.func @execute_region(%x: i32) -> (i32, i32) {
  %0 = scf.execute_region -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  %1 = scf.execute_region -> i32 no_inline {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  return %0, %1 : i32, i32
}

// In a function, and in another such region, several blocks are merged with those around; elsewhere they stay.
// CHECK-LABEL: func.func @several_blocks
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2(%arg2 : i32)
// CHECK-NEXT: {{ *}}^bb1:
// CHECK-NEXT: %[[A:.*]] = call @effect(%arg2)
// CHECK-NEXT: cf.br ^bb2(%[[A]] : i32)
// CHECK-NEXT: {{ *}}^bb2(%[[R:.*]]: i32):
// CHECK-NEXT: %[[S:.*]] = scf.if %arg0 -> (i32) {
// CHECK-NEXT: scf.execute_region -> i32
// CHECK: return %[[R]], %[[S]]
func.func @several_blocks(%c: i1, %d: i1, %x: i32) -> (i32, i32) {
  %0 = scf.execute_region -> i32 {
    %1 = scf.execute_region -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      %a = func.call @effect(%x) : (i32) -> i32
      scf.yield %a : i32
    ^b:
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  }
  %2 = scf.if %c -> i32 {
    %3 = scf.execute_region -> i32 {
      cf.cond_br %d, ^a, ^b
    ^a:
      %a = func.call @effect(%x) : (i32) -> i32
      scf.yield %a : i32
    ^b:
      scf.yield %x : i32
    }
    scf.yield %3 : i32
  } else {
    scf.yield %x : i32
  }
  return %0, %2 : i32, i32
}

// CHECK-LABEL: func.func @known_case
// CHECK-NEXT: %[[R:.*]] = call @effect(%arg0)
// CHECK-NEXT: return %arg0, %[[R]]
func.func @known_case(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.index_switch %c1 -> i32
  case 0 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  case 1 {
    scf.yield %x : i32
  }
  default {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  %1 = scf.index_switch %c2 -> i32
  case 0 {
    scf.yield %x : i32
  }
  default {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  return %0, %1 : i32, i32
}

// A dimension with one point is dropped; a box without points is erased.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel (%[[I:.*]]) = (%c0) to (%arg0) step (%c1) {
// CHECK-NEXT: memref.store %arg2, %arg1[%[[I]], %c0]
// CHECK: memref.store %arg2, %arg1[%c0, %c1]
// CHECK-NEXT: return %arg2
func.func @parallel(%n: index, %m: memref<?x?xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c1) to (%c1, %c2) step (%c2, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  %r = scf.parallel (%i) = (%n) to (%n) step (%c1) init (%x) -> i32 {
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}

// A box in a box, unless the inner one depends on the place in the outer one.
// CHECK-LABEL: func.func @boxes
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
// CHECK-NEXT: memref.store %arg2, %arg1[%[[I]], %[[J]]]
// CHECK: scf.parallel (%[[K:.*]]) = (%c0) to (%arg0) step (%c1) {
// CHECK-NEXT: scf.parallel (%{{.*}}) = (%c0) to (%[[K]]) step (%c1) {
func.func @boxes(%n: index, %m: memref<?x?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xi32>
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xi32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @forall
// CHECK-NEXT: %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT: memref.store %arg1, %arg0[%[[C3]]]
// CHECK-NEXT: scf.forall (%{{.*}}, %{{.*}}) = (0, %arg2) to (4, %arg3) step (1, 2) {
// CHECK: return %arg4
func.func @forall(%m: memref<?xi32>, %x: i32, %a: index, %b: index, %t: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) = (3) to (4) step (2) {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  scf.forall (%i, %j) = (%c0, %a) to (%c4, %b) step (1, %c2) {
    memref.store %x, %m[%j] : memref<?xi32>
  }
  %r = scf.forall (%i) in (0) shared_outs(%o = %t) -> (tensor<4xi32>) {
  }
  return %r : tensor<4xi32>
}

// Consecutive conditionals on the same condition or its negation; each uses the values of the other's branch.
// CHECK-LABEL: func.func @conditions
// CHECK-NEXT: %[[R:.*]]:2 = scf.if %arg0 -> (i32, i32) {
// CHECK-NEXT: %[[A:.*]] = func.call @effect(%arg1)
// CHECK-NEXT: %[[B:.*]] = func.call @effect(%[[A]])
// CHECK-NEXT: memref.store %[[B]], %arg2
// CHECK-NEXT: scf.yield %[[A]], %[[B]]
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.store %arg1, %arg2
// CHECK-NEXT: scf.yield %arg1, %arg1
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @conditions(%c: i1, %x: i32, %m: memref<i32>) -> (i32, i32) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = scf.if %c -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  %1 = scf.if %n -> i32 {
    scf.yield %0 : i32
  } else {
    %b = func.call @effect(%0) : (i32) -> i32
    scf.yield %b : i32
  }
  scf.if %c {
    memref.store %1, %m[] : memref<i32>
  } else {
    memref.store %1, %m[] : memref<i32>
  }
  return %0, %1 : i32, i32
}

// The result of the comparison in a loop's condition is known in its body.
// CHECK-LABEL: func.func @compared
// CHECK: scf.while
// CHECK-NEXT: arith.cmpi slt
// CHECK-NOT: arith.cmpi
// CHECK: do {
// CHECK: arith.addi %{{.*}}, %c1_i32
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @compared(%x: i32, %n: i32) -> i32 {
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    %p = arith.cmpi slt, %a, %n : i32
    scf.condition(%p) %a : i32
  } do {
  ^bb0(%b: i32):
    %q = arith.cmpi slt, %b, %n : i32
    %r = arith.cmpi sge, %b, %n : i32
    %s = arith.extui %q : i1 to i32
    %u = arith.extui %r : i1 to i32
    %c = arith.addi %b, %s : i32
    %d = arith.addi %c, %u : i32
    scf.yield %d : i32
  }
  return %0 : i32
}

// Results that both branches give the same values are one.
// CHECK-LABEL: func.func @equal_results
// CHECK: %[[R:.*]]:2 = scf.if %arg0 -> (i32, i32) {
// CHECK: return %[[R]]#0, %[[R]]#0, %[[R]]#1
func.func @equal_results(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  %0:3 = scf.if %c -> (i32, i32, i32) {
    %1 = arith.addi %x, %y : i32
    scf.yield %1, %1, %y : i32, i32, i32
  } else {
    %1 = arith.muli %x, %y : i32
    scf.yield %1, %1, %1 : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// So are values that loops carry, where they begin and go on alike.
// CHECK-LABEL: func.func @carried_twice
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %arg1) -> (i32) {
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[A]] : i32
// CHECK-NEXT: scf.yield %[[S]] : i32
// CHECK: return %[[R]], %[[R]]
func.func @carried_twice(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %s = arith.addi %a, %b : i32
    scf.yield %s, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Removes a dimension with trip count one, unless its index is mapped to a processor.
// CHECK-LABEL: func.func @unit_dimensions
// CHECK: scf.forall (%[[I:.*]]) in (%arg0) shared_outs(%[[O:.*]] = %arg1) -> (tensor<?x4xf32>) {
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[O]][%[[I]], 1] [1, 1] [1, 1]
func.func @unit_dimensions(%n: index, %t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = scf.forall (%i, %j) = (0, 1) to (%n, 2) step (1, 1) shared_outs(%o = %t) -> (tensor<?x4xf32>) {
    %s = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<?x4xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<?x4xf32>
    }
  }
  return %r : tensor<?x4xf32>
}

// A result that is the same in all cases.
// CHECK-LABEL: func.func @unused_of_cases
// CHECK: %[[R:.*]] = scf.index_switch %arg0 -> i32
// CHECK: scf.yield %arg1 : i32
// CHECK: scf.yield %arg2 : i32
// CHECK: return %[[R]] : i32
func.func @unused_of_cases(%i: index, %x: i32, %y: i32) -> i32 {
  %r:2 = scf.index_switch %i -> i32, i32
  case 1 {
    scf.yield %y, %x : i32, i32
  }
  default {
    scf.yield %x, %y : i32, i32
  }
  return %r#1 : i32
}

// A tensor that no iteration inserts into is not shared.
// CHECK-LABEL: func.func @no_insertion
// CHECK-NEXT: return %arg1
func.func @no_insertion(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %0 : tensor<?xf32>
}

// Neither is one whose result is unused, nor are its elements computed.
// CHECK-LABEL: func.func @unused_output
// CHECK: scf.forall (%[[I:.*]]) in (%arg0) shared_outs(%[[O:.*]] = %arg2) -> (tensor<?xf32>) {
// CHECK-NEXT: %[[READ:.*]] = tensor.extract_slice %arg1[%[[I]]] [1] [1]
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: tensor.parallel_insert_slice %[[READ]] into %[[O]][%[[I]]] [1] [1]
// CHECK-NEXT: }
func.func @unused_output(%n: index, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0:2 = scf.forall (%i) in (%n) shared_outs(%o = %a, %p = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %x = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %y = linalg.exp ins(%x : tensor<1xf32>) outs(%x : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %x into %p[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0#1 : tensor<?xf32>
}
