// RUN: %kopt %s --differentiate --cse | FileCheck %s

// The reverse of a conditional takes what is costly to compute from the primal execution: the sine and the exponential, as
// additional results, and the cosine, which is a result already. The derivative of the sine is that cosine, too. The division
// follows from them, and is yielded as well; arithmetic alone is computed again.
// CHECK-LABEL: func.func private @f.rev(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[NONE:[^:]*]]: i1, %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64) -> f64
// CHECK: %[[P:.*]]:4 = scf.if %[[NONE]] -> (f64, f64, f64, f64) {
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: scf.yield %{{.*}}, %[[X]], %[[ZERO]], %[[ZERO]] : f64, f64, f64, f64
// CHECK: } else {
// CHECK: %[[S:.*]] = math.sin %[[X]]
// CHECK: %[[C:.*]] = math.cos %[[X]]
// CHECK: %[[T:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: %[[E:.*]] = math.exp %[[S]]
// CHECK: %[[Q:.*]] = arith.divf %[[E]], %[[T]]
// CHECK: scf.yield %[[Q]], %[[C]], %[[S]], %[[E]] : f64, f64, f64, f64
// CHECK: scf.if %[[NONE]] -> (f64) {
// CHECK: } else {
// CHECK-NOT: math.
// CHECK: arith.addf %[[X]], %[[X]]
// CHECK-NOT: math.
// CHECK: arith.negf %[[P]]#2
// CHECK-NOT: math.
// CHECK: return
func.func @f(%x: f64, %none: i1) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %0:2 = scf.if %none -> (f64, f64) {
    scf.yield %one, %x : f64, f64
  } else {
    %s = math.sin %x : f64
    %c = math.cos %x : f64
    %t = arith.addf %x, %x : f64
    %e = math.exp %s : f64
    %q = arith.divf %e, %t : f64
    scf.yield %q, %c : f64, f64
  }
  return %0#0, %0#1 : f64, f64
}
func.func @main(%x: f64, %none: i1, %a: f64, %b: f64) -> f64 {
  %0 = diff.rev @f(%x, %none)(%a, %b) : (f64, i1, f64, f64) -> f64
  return %0 : f64
}

// The cotangent of %y begins in the conditional: where %y is the result, the seed is handed on, and not added to zeros.
// CHECK-LABEL: func.func private @pick.rev(
// CHECK-SAME: %[[COND:[^:]*]]: i1, %{{[^:]*}}: tensor<4xf32>, %[[SEED:[^:]*]]: tensor<4xf32>, %{{[^:]*}}: tensor<4xf32>)
// CHECK: scf.if %[[COND]] -> (tensor<4xf32>) {
// CHECK-NEXT: scf.yield %[[SEED]] : tensor<4xf32>
// CHECK-NEXT: } else {
// CHECK-NOT: splat
// CHECK: return
func.func @pick(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.sin %x : tensor<4xf32>
  %0 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %y : tensor<4xf32>
  } else {
    %1 = arith.mulf %y, %y : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @gradient_of_pick(%c: i1, %x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = diff.rev @pick(%c, %x)(%d) : (i1, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
