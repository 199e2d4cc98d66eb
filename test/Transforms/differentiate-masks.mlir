// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// A square root whose result a later operation selects: its cotangent is zero where it is not selected, and is selected by the same
// condition after the division, which may be by zero.
// CHECK-LABEL: func.func private @selected.rev(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[C:[^:]*]]: tensor<?xi1>
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-SAME: %[[C]]
// CHECK: ^bb0(%[[CT:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[IS:[^:]*]]: i1
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[CT]]
// CHECK: %[[KEPT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[QUOTIENT]]
// CHECK: arith.select %[[IS]], %[[KEPT]]
func.func @selected(%x: tensor<?xf64>, %c: tensor<?xi1>) -> tensor<?xf64> {
  %s = math.sqrt %x : tensor<?xf64>
  %y = arith.select %c, %s, %x : tensor<?xi1>, tensor<?xf64>
  return %y : tensor<?xf64>
}

// The exponential may be infinite where it is not selected, so that zero times it is not a number.
// CHECK-LABEL: func.func private @softplus.rev(
// CHECK: math.exp
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @softplus(%x: tensor<4xf64>, %c: tensor<4xi1>) -> tensor<4xf64> {
  %e = math.exp %x : tensor<4xf64>
  %l = math.log1p %e : tensor<4xf64>
  %y = arith.select %c, %x, %l : tensor<4xi1>, tensor<4xf64>
  return %y : tensor<4xf64>
}

// Elements that an operation only moves are not selected again.
// CHECK-LABEL: func.func private @moved.rev(
// CHECK: arith.select
// CHECK-NOT: arith.select
// CHECK: return
func.func @moved(%x: tensor<4xf64>, %z: tensor<4xf64>, %c: tensor<4xi1>) -> tensor<4xf64> {
  %s = arith.addf %x, %z : tensor<4xf64>
  %y = arith.select %c, %s, %z : tensor<4xi1>, tensor<4xf64>
  return %y : tensor<4xf64>
}

// A cotangent or tangent of zero stays zero at a singularity.
// CHECK-LABEL: func.func private @root.fwd(
// CHECK: arith.cmpf oeq
// CHECK-LABEL: func.func private @root.rev(
// CHECK-SAME: %{{[^:]*}}: f64, %[[D:[^:]*]]: f64
// CHECK: %[[Q:.*]] = arith.divf %[[D]]
// CHECK: %[[ZERO:.*]] = arith.cmpf oeq, %[[D]]
// CHECK: %[[R:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[Q]]
// CHECK: return %[[R]]
func.func @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

// The divisor of a logistic function is positive.
// CHECK-LABEL: func.func private @logistic.rev(
// CHECK-NOT: arith.cmpf
// CHECK: return
func.func @logistic(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %n = arith.negf %x : f64
  %e = math.exp %n : f64
  %d = arith.addf %one, %e : f64
  %y = arith.divf %one, %d : f64
  return %y : f64
}

func.func @requests(%x: tensor<?xf64>, %c: tensor<?xi1>, %v: tensor<4xf64>, %m: tensor<4xi1>, %s: f64)
    -> (tensor<?xf64>, tensor<4xf64>, tensor<4xf64>, f64, f64, f64) {
  %0 = diff.rev @selected(%x, %c)(%x) : (tensor<?xf64>, tensor<?xi1>, tensor<?xf64>) -> tensor<?xf64>
  %1 = diff.rev @softplus(%v, %m)(%v) : (tensor<4xf64>, tensor<4xi1>, tensor<4xf64>) -> tensor<4xf64>
  %2 = diff.rev @moved(%v, %v, %m)(%v) {wrt = [0]} : (tensor<4xf64>, tensor<4xf64>, tensor<4xi1>, tensor<4xf64>) -> tensor<4xf64>
  %3 = diff.rev @root(%s)(%s) : (f64, f64) -> f64
  %4 = diff.fwd @root(%s)(%s) : (f64, f64) -> f64
  %5 = diff.rev @logistic(%s)(%s) : (f64, f64) -> f64
  return %0, %1, %2, %3, %4, %5 : tensor<?xf64>, tensor<4xf64>, tensor<4xf64>, f64, f64, f64
}
