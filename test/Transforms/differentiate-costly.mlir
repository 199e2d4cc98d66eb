// The costly numbers of elementwise operations in a loop, whose iterations depend on each other, are saved and not computed again.

// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s
// RUN: %kc run %s --entry steps --inputs '[[0.5, -1.0], [1.5, 0.25], 3]' | FileCheck %s --check-prefix=VALUE
// RUN: %kc grad %s --entry steps --inputs '[[0.5, -1.0], [1.5, 0.25], 3]' --check | FileCheck %s --check-prefix=GRADIENT

// VALUE: [0.3605582765372436, 0.47097506304820197]
// GRADIENT: arr_0: [-0.04002510545810{{[0-9]+}}, -0.000238376255385{{[0-9]+}}]
// GRADIENT: arr_1: [-0.07521333028512{{[0-9]+}}, -0.1061739269186{{[0-9]+}}]
// GRADIENT: agrees with forward mode and central differences

// The exponential is an additional result of the operation, which the primal sweep saves by iteration.
// CHECK-LABEL: func.func private @steps.rev(
// CHECK: scf.for
// CHECK: %[[T:.*]]:2 = linalg.generic
// CHECK: %[[E:.*]] = math.exp
// CHECK: linalg.yield %{{.*}}, %[[E]]
// CHECK: tensor.insert_slice %[[T]]#1 into
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK: return
func.func @steps(%x: tensor<2xf64>, %w: tensor<2xf64>, %n: index) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<2xf64>) {
    %room = tensor.empty() : tensor<2xf64>
    %t = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
    } ins(%s, %w : tensor<2xf64>, tensor<2xf64>) outs(%room : tensor<2xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.mulf %a, %b : f64
      %e = math.exp %p : f64
      %d = arith.addf %e, %one : f64
      %q = arith.divf %one, %d : f64
      linalg.yield %q : f64
    } -> tensor<2xf64>
    scf.yield %t : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}

// The same with the requests of the command line.
func.func @wanted(%x: tensor<2xf64>, %w: tensor<2xf64>, %n: index, %d: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %0:2 = diff.rev @steps(%x, %w, %n)(%d) : (tensor<2xf64>, tensor<2xf64>, index, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %0#0, %0#1 : tensor<2xf64>, tensor<2xf64>
}
