// A loop in a loop saves into storage that both carry, and the reverse sweep does not execute it again.
// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @counted.rev
// CHECK:         %[[OUTER:.*]]:{{[0-9]+}} = scf.for
// CHECK:           %[[START:.*]] = {{.*}}
// CHECK:           %[[INNER:.*]]:{{[0-9]+}} = scf.for
// CHECK:             math.sin
// CHECK:             tensor.insert %{{.*}} into %{{.*}} : tensor<?xf64>
// CHECK:             scf.yield %{{.*}}, %{{.*}}, %{{.*}} : f64, index, tensor<?xf64>
// The number of values before the inner loop is saved for each iteration of the outer one.
// CHECK:           tensor.insert %{{.*}} into %{{.*}} : tensor<?xindex>
// CHECK:           scf.yield
// CHECK:         scf.for
// CHECK-NOT:       math.sin
// CHECK:           %[[BASE:.*]] = tensor.extract %{{.*}} : tensor<?xindex>
// CHECK-NOT:       math.sin
// CHECK:           scf.for
// CHECK:             %[[AT:.*]] = arith.addi %[[BASE]], %{{.*}} : index
// CHECK:             %[[SAVED:.*]] = tensor.extract %[[OUTER]]#{{[0-9]+}}[%[[AT]]] : tensor<?xf64>
// CHECK:             math.cos %[[SAVED]]
// CHECK-NOT:       math.sin
// CHECK:         return
func.func @counted(%x: f64, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (f64) {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%z = %y) -> (f64) {
      %t = math.sin %z : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}

// A slice that an iteration reads is saved, not the tensor. A condition determines the numbers of iterations.
// CHECK-LABEL: func.func private @conditions.rev
// CHECK:         scf.while
// CHECK:           scf.while
// CHECK:             %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, 4] [1, 1] : tensor<?x4xf64> to tensor<4xf64>
// CHECK:             tensor.insert_slice %[[SLICE]] into %{{.*}} : tensor<4xf64> into tensor<?x4xf64>
// CHECK-NOT:     scf.while
// CHECK:         return
func.func @conditions(%a: tensor<?x4xf64>, %x: f64, %limit: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%y = %x, %b = %a, %k = %c0) : (f64, tensor<?x4xf64>, index) -> (f64, tensor<?x4xf64>, index) {
    %p = arith.cmpf olt, %y, %limit : f64
    scf.condition(%p) %y, %b, %k : f64, tensor<?x4xf64>, index
  } do {
  ^bb0(%y: f64, %b: tensor<?x4xf64>, %k: index):
    %next = arith.addi %k, %c1 : index
    %s:3 = scf.while (%z = %y, %c = %b, %j = %c0) : (f64, tensor<?x4xf64>, index) -> (f64, tensor<?x4xf64>, index) {
      %q = arith.cmpi slt, %j, %n : index
      scf.condition(%q) %z, %c, %j : f64, tensor<?x4xf64>, index
    } do {
    ^bb0(%z: f64, %c: tensor<?x4xf64>, %j: index):
      %row = tensor.extract_slice %c[%j, 0] [1, 4] [1, 1] : tensor<?x4xf64> to tensor<4xf64>
      %squares = arith.mulf %row, %row : tensor<4xf64>
      %changed = tensor.insert_slice %squares into %c[%j, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
      %e = tensor.extract %squares[%c1] : tensor<4xf64>
      %w = arith.addf %z, %e : f64
      %up = arith.addi %j, %c1 : index
      scf.yield %w, %changed, %up : f64, tensor<?x4xf64>, index
    }
    scf.yield %s#0, %s#1, %next : f64, tensor<?x4xf64>, index
  }
  return %r#0 : f64
}

func.func @requests(%x: f64, %a: tensor<?x4xf64>, %n: index, %m: index, %d: f64) -> (f64, tensor<?x4xf64>, f64) {
  %0 = diff.rev @counted(%x, %n, %m)(%d) : (f64, index, index, f64) -> f64
  %1:3 = diff.rev @conditions(%a, %x, %d, %n)(%d) : (tensor<?x4xf64>, f64, f64, index, f64) -> (tensor<?x4xf64>, f64, f64)
  return %0, %1#0, %1#1 : f64, tensor<?x4xf64>, f64
}
