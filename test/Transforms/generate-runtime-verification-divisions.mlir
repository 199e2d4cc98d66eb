// RUN: %kopt %s --generate-runtime-verification --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %c0_i32
// CHECK: data.assert %{{.*}}, "division by zero, or overflow of a signed division"
// CHECK-NEXT: arith.divui %[[A]], %[[B]]
// The second division by the same number is not checked again.
// CHECK-NEXT: arith.remui %[[A]], %[[B]]
func.func @unsigned(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divui %a, %b : i32
  %r = arith.remui %a, %b : i32
  return %q, %r : i32, i32
}

// Divisors for which the division is defined.
// CHECK-LABEL: func.func @defined
// CHECK-NOT: assert
// CHECK: return
func.func @defined(%a: i32, %b: i32, %small: i8) -> (i32, i32, i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %q0 = arith.divsi %a, %seven : i32
  %max = arith.maxsi %b, %one : i32
  %q1 = arith.floordivsi %a, %max : i32
  %is_zero = arith.cmpi eq, %b, %zero : i32
  %chosen = arith.select %is_zero, %one, %b : i32
  %q2 = arith.remui %a, %chosen : i32
  %tiny = arith.constant 1 : i8
  %odd = arith.ori %small, %tiny : i8
  %wide = arith.extui %odd : i8 to i32
  %q3 = arith.remsi %a, %wide : i32
  %least = arith.minsi %max, %seven : i32
  %q4 = arith.remsi %a, %least : i32
  return %q0, %q1, %q2, %q3, %q4 : i32, i32, i32, i32, i32
}

// -1 is no divisor of the least number.
// CHECK-LABEL: func.func @critical
// CHECK: data.assert
// CHECK: arith.divsi
// CHECK: data.assert
// CHECK: arith.remsi
func.func @critical(%a: i32, %b: i32, %c: i32, %small: i8) -> (i32, i32) {
  %minus_one = arith.constant -1 : i32
  %max = arith.maxsi %b, %minus_one : i32
  %q0 = arith.divsi %a, %max : i32
  %tiny = arith.constant 1 : i8
  %odd = arith.ori %small, %tiny : i8
  %wide = arith.extsi %odd : i8 to i32
  %q1 = arith.remsi %a, %wide : i32
  return %q0, %q1 : i32, i32
}

// The divisions of an operation over a domain are checked by a reduction.
// CHECK-LABEL: func.func @elements
// CHECK: %[[DEFINED:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
// CHECK-NOT: arith.divui
// CHECK: linalg.yield
// CHECK: %[[ALL:.*]] = tensor.extract %[[DEFINED]][] : tensor<i1>
// CHECK: data.assert %[[ALL]]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK-NOT: assert
// CHECK: return
func.func @elements(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %q = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.divui %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  return %q : tensor<8xi32>
}

// The reduction is only executed if the divisor, which is the same at all points, is 0 or -1.
// CHECK-LABEL: func.func @invariant
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: data.assert
// CHECK: linalg.generic
// CHECK-NOT: assert
// CHECK: return
func.func @invariant(%a: tensor<8xi32>, %d: i32) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %q = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a, %d : tensor<8xi32>, i32) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %r = arith.divsi %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  return %q : tensor<8xi32>
}

// A condition on elements that are accumulated is checked where they are computed.
// CHECK-LABEL: func.func @accumulated
// CHECK: linalg.reduce
// CHECK: data.assert
// CHECK: arith.divsi
func.func @accumulated(%a: tensor<?xi32>, %init: tensor<i32>) -> tensor<i32> {
  %q = linalg.reduce ins(%a: tensor<?xi32>) outs(%init : tensor<i32>) dimensions = [0] (%in: i32, %acc: i32) {
    %d = arith.divsi %acc, %in : i32
    linalg.yield %d : i32
  }
  return %q : tensor<i32>
}

// The division of an atomic update is checked after it, for the element that it has replaced.
// CHECK-LABEL: func.func @atomic
// CHECK: %[[OLD:.*]] = memref.generic_atomic_rmw
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: i32):
// CHECK: arith.cmpi eq, %[[ELEMENT]]
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}, %[[ELEMENT]], %c1_i32
// CHECK: arith.divui %{{.*}}, %[[DIVISOR]]
// CHECK-NOT: assert
// CHECK: memref.atomic_yield
// CHECK: arith.cmpi eq, %[[OLD]]
// CHECK: data.assert
// CHECK: return
func.func @atomic(%m: memref<4xi32>, %i: index, %a: i32) {
  %old = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%x: i32):
    %q = arith.divui %a, %x : i32
    memref.atomic_yield %q : i32
  }
  return
}
