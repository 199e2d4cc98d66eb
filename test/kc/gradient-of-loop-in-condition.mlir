// A loop in the region of a condition is executed once more than there are iterations, so it is not part of the nest that saves together.
// RUN: %kc grad %s --entry recurrence --inputs "[0.5, [0.1, 0.2, 0.3]]" --check | FileCheck %s
// RUN: %kc grad %s --entry reduction --inputs "[0.444, -2, [0.6, -0.969, 0.938]]" --check | FileCheck %s
// CHECK: agrees with forward mode and central differences
#vector = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func @recurrence(%x: f64, %t: tensor<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.while (%a = %x, %i = %c0) : (f64, index) -> (f64, index) {
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%q = %a) -> (f64) {
      %e = tensor.extract %t[%j] : tensor<3xf64>
      %sin = math.sin %q : f64
      %sum = arith.addf %e, %sin : f64
      scf.yield %sum : f64
    }
    %again = arith.cmpi slt, %i, %c3 : index
    scf.condition(%again) %s, %i : f64, index
  } do {
  ^bb0(%b: f64, %k: index):
    %next = arith.addi %k, %c1 : index
    %m = arith.mulf %b, %b : f64
    scf.yield %m, %next : f64, index
  }
  return %r#0 : f64
}

func.func @reduction(%x: f64, %n: index, %t: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<f64>
  %r:2 = scf.while (%a = %x, %i = %n) : (f64, index) -> (f64, index) {
    %again = arith.cmpi slt, %i, %c0 : index
    %sums = linalg.generic {indexing_maps = [#vector, #scalar], iterator_types = ["reduction"]} ins(%t : tensor<?xf64>) outs(%zero : tensor<f64>) {
    ^bb0(%in: f64, %out: f64):
      %sin = math.sin %out : f64
      %scaled = arith.mulf %sin, %a : f64
      %sum = arith.addf %in, %scaled : f64
      linalg.yield %sum : f64
    } -> tensor<f64>
    %sum = tensor.extract %sums[] : tensor<f64>
    scf.condition(%again) %sum, %i : f64, index
  } do {
  ^bb0(%b: f64, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %b, %next : f64, index
  }
  return %r#0 : f64
}
