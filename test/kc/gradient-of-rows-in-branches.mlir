// Rows that conditionals in conditionals read from a matrix that both loops update are saved, and have the same gradient on both back ends.
// RUN: %kc grad %s --entry h --inputs '[[[0.1, 0.2, 0.3], [0.2, 0.25, 0.3], [0.3, 0.2, 0.1]], 0.9, 3, 2]' --check | FileCheck %s
// RUN: %kc grad %s --entry h --inputs '[[[0.1, 0.2, 0.3], [0.2, 0.25, 0.3], [0.3, 0.2, 0.1]], 0.9, 3, 2]' --check --backend interpret | FileCheck %s
// RUN: %kc grad %s --entry h --inputs '[[[0.1, 0.2, 0.3], [0.2, 0.25, 0.3], [0.3, 0.2, 0.1]], 0.4, 3, 0]' --check | FileCheck %s
// CHECK: agrees with forward mode and central differences
func.func @h(%m: tensor<?x?xf64>, %x: f64, %n: index, %l: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = tensor.dim %m, %c1 : tensor<?x?xf64>
  %half = arith.constant 0.5 : f64
  %q8 = arith.constant 0.8 : f64
  %z = arith.constant dense<0.0> : tensor<f64>
  %rr:2 = scf.for %o = %c0 to %l step %c1 iter_args(%a0 = %m, %s0 = %x) -> (tensor<?x?xf64>, f64) {
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %s = %s0) -> (tensor<?x?xf64>, f64) {
    %c = arith.cmpf ogt, %s, %half : f64
    %t, %w2 = scf.if %c -> (f64, tensor<?xf64>) {
      %cc = arith.cmpf ogt, %s, %q8 : f64
      %row0 = tensor.extract_slice %a[%o, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %in = scf.if %cc -> f64 {
        %row = tensor.extract_slice %a[%i, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
        %sum = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>, affine_map<(i)->()>], iterator_types = ["reduction"]} ins(%row, %row0 : tensor<?xf64>, tensor<?xf64>) outs(%z : tensor<f64>) {
        ^bb0(%p: f64, %p2: f64, %oo: f64):
          %q = arith.mulf %p, %p2 : f64
          %w = arith.mulf %q, %s : f64
          %v = arith.addf %w, %oo : f64
          linalg.yield %v : f64
        } -> tensor<f64>
        %e = tensor.extract %sum[] : tensor<f64>
        scf.yield %e : f64
      } else {
        %d = arith.addf %s, %q8 : f64
        scf.yield %d : f64
      }
      %row3 = tensor.extract_slice %a[%i, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      scf.yield %in, %row3 : f64, tensor<?xf64>
    } else {
      %d = arith.addf %s, %half : f64
      %row3 = tensor.extract_slice %a[%o, 0] [1, %k] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      scf.yield %d, %row3 : f64, tensor<?xf64>
    }
    %u = math.sin %t : f64
    %e1 = tensor.extract %w2[%c1] : tensor<?xf64>
    %u1 = arith.mulf %u, %e1 : f64
    %b = tensor.insert %u1 into %a[%i, %c0] : tensor<?x?xf64>
    scf.yield %b, %u : tensor<?x?xf64>, f64
  }
  scf.yield %r#0, %r#1 : tensor<?x?xf64>, f64
  }
  %e2 = tensor.extract %rr#0[%c0, %c0] : tensor<?x?xf64>
  %e3 = arith.addf %e2, %rr#1 : f64
  return %e3 : f64
}
