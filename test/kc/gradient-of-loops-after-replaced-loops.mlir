// The initial value of a loop is the result of a loop that was created anew to save tensors of changing extents, before the first
// loop saves its own values.
// RUN: %kc grad %s --entry f --inputs '[0.4, [0.3, 0.8]]' --check | FileCheck %s
// RUN: %kc grad %s --entry f --inputs '[0.4, [0.3, 0.8]]' --check --backend interpret | FileCheck %s
// CHECK: arr_0: 0.06661580775926
// CHECK: agrees with forward mode and central differences
func.func @f(%x: f64, %a: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %row = arith.constant dense<[0.5, 0.25, 0.75]> : tensor<3xf64>
  %all = tensor.generate {
  ^bb0(%i: index):
    %first:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%s = %x, %t = %a) -> (f64, tensor<?xf64>) {
      %n = tensor.dim %t, %c0 : tensor<?xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %s) -> (f64) {
        %e = tensor.extract %t[%k] : tensor<?xf64>
        %p = arith.mulf %u, %e : f64
        %q = math.sin %p : f64
        scf.yield %q : f64
      }
      %next = tensor.cast %row : tensor<3xf64> to tensor<?xf64>
      scf.yield %r, %next : f64, tensor<?xf64>
    }
    %second = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %first#0) -> (f64) {
      %t = math.sin %s : f64
      scf.yield %t : f64
    }
    tensor.yield %second : f64
  } : tensor<3xf64>
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f64) {
    %e = tensor.extract %all[%i] : tensor<3xf64>
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  return %sum : f64
}
