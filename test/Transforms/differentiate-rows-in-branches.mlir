// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// A conditional in a loop reads a row of a matrix that each iteration updates. The row is a result of the conditional, and is saved:
// n rows, not n matrices. Extents that all iterations share may be dynamic.
// CHECK-LABEL: func.func private @f.rev(
// CHECK-NOT: tensor<?x8x8xf64>
// CHECK: tensor.empty({{.*}}) : tensor<?x8xf64>
// CHECK-NOT: tensor<?x8x8xf64>
// CHECK-LABEL: func.func @g(
// CHECK-LABEL: func.func private @g.rev(
// CHECK-NOT: tensor<?x?x?xf64>
// CHECK: tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?xf64>
// CHECK-NOT: tensor<?x?x?xf64>
// CHECK-LABEL: func.func @fr(
func.func @f(%m: tensor<8x8xf64>, %x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %z = arith.constant dense<0.0> : tensor<f64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %s = %x) -> (tensor<8x8xf64>, f64) {
    %c = arith.cmpf ogt, %s, %half : f64
    %t = scf.if %c -> f64 {
      %row = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<8x8xf64> to tensor<8xf64>
      %sum = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%row : tensor<8xf64>) outs(%z : tensor<f64>) {
      ^bb0(%p: f64, %o: f64):
        %q = arith.mulf %p, %p : f64
        %w = arith.mulf %q, %s : f64
        %v = arith.addf %w, %o : f64
        linalg.yield %v : f64
      } -> tensor<f64>
      %e = tensor.extract %sum[] : tensor<f64>
      scf.yield %e : f64
    } else {
      %d = arith.addf %s, %half : f64
      scf.yield %d : f64
    }
    %u = math.sin %t : f64
    %b = tensor.insert %u into %a[%i, %c0] : tensor<8x8xf64>
    scf.yield %b, %u : tensor<8x8xf64>, f64
  }
  return %r#1 : f64
}
func.func @g(%m: tensor<?x?xf64>, %x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = tensor.dim %m, %c1 : tensor<?x?xf64>
  %half = arith.constant 0.5 : f64
  %z = arith.constant dense<0.0> : tensor<f64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %s = %x) -> (tensor<?x?xf64>, f64) {
    %c = arith.cmpf ogt, %s, %half : f64
    %t = scf.if %c -> f64 {
      %row = tensor.extract_slice %a[%i, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %sum = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%row : tensor<?xf64>) outs(%z : tensor<f64>) {
      ^bb0(%p: f64, %o: f64):
        %q = arith.mulf %p, %p : f64
        %w = arith.mulf %q, %s : f64
        %v = arith.addf %w, %o : f64
        linalg.yield %v : f64
      } -> tensor<f64>
      %e = tensor.extract %sum[] : tensor<f64>
      scf.yield %e : f64
    } else {
      %d = arith.addf %s, %half : f64
      scf.yield %d : f64
    }
    %u = math.sin %t : f64
    %b = tensor.insert %u into %a[%i, %c0] : tensor<?x?xf64>
    scf.yield %b, %u : tensor<?x?xf64>, f64
  }
  return %r#1 : f64
}
func.func @fr(%m: tensor<8x8xf64>, %x: f64, %n: index, %d: f64) -> (tensor<8x8xf64>, f64) {
  %a, %b = diff.rev @f(%m, %x, %n)(%d) : (tensor<8x8xf64>, f64, index, f64) -> (tensor<8x8xf64>, f64)
  return %a, %b : tensor<8x8xf64>, f64
}
func.func @gr(%m: tensor<?x?xf64>, %x: f64, %n: index, %d: f64) -> (tensor<?x?xf64>, f64) {
  %a, %b = diff.rev @g(%m, %x, %n)(%d) : (tensor<?x?xf64>, f64, index, f64) -> (tensor<?x?xf64>, f64)
  return %a, %b : tensor<?x?xf64>, f64
}
