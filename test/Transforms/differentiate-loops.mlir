// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// A sum saves nothing; the cotangent of the array is updated in place of being added to, and no zero is created in the loop.
// CHECK-LABEL: func.func private @sum_of_squares.rev(
// CHECK-SAME: %[[A:.*]]: tensor<?xf64>, %[[D:.*]]: f64, %[[ACC:.*]]: tensor<?xf64>) -> tensor<?xf64>
// CHECK-NOT: tensor.empty
// CHECK: scf.for %{{.*}} iter_args(%[[T:.*]] = %[[ACC]])
// CHECK-NOT: splat
// CHECK: %[[X:.*]] = tensor.extract %[[A]]
// CHECK-NOT: splat
// CHECK: %[[OLD:.*]] = tensor.extract %[[T]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: %[[U:.*]] = tensor.insert %[[NEW]] into %[[T]]
// CHECK: scf.yield %[[U]]
// CHECK: return
func.func @sum_of_squares(%a: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
    %x = tensor.extract %a[%i] : tensor<?xf64>
    %y = arith.mulf %x, %x : f64
    %t = arith.addf %s, %y : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// A product saves the carried number by iteration, and not the induction variable.
// CHECK-LABEL: func.func private @product.rev(
// CHECK: %[[ROOM:.*]] = tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK-NOT: tensor.empty
// CHECK: %[[SAVED:.*]]:2 = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %[[ROOM]])
// CHECK: tensor.insert %[[S]] into %[[T]]
// CHECK: scf.for
// CHECK: tensor.extract %[[SAVED]]#1
// CHECK: return
func.func @product(%a: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
    %x = tensor.extract %a[%i] : tensor<?xf64>
    %t = arith.mulf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// A loop that updates an array saves the number that it reads, not the array.
// CHECK-LABEL: func.func private @update.rev(
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK-NOT: tensor<?x?xf64>
// CHECK: scf.for
// CHECK: %[[READ:.*]] = tensor.extract
// CHECK: tensor.insert %[[READ]] into
// CHECK: scf.for
// CHECK-NOT: splat
// CHECK: return
func.func @update(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<?xf64>) {
    %x = tensor.extract %s[%i] : tensor<?xf64>
    %y = arith.mulf %x, %x : f64
    %t = tensor.insert %y into %s[%i] : tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

func.func @requests(%a: tensor<?xf64>, %d: f64, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %0 = diff.rev @sum_of_squares(%a)(%d) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %1 = diff.rev @product(%a)(%d) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %2 = diff.rev @update(%a, %n)(%a) : (tensor<?xf64>, index, tensor<?xf64>) -> tensor<?xf64>
  return %0, %1, %2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
