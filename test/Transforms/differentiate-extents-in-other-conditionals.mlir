// A conditional returns a tensor whose extents are defined in an earlier conditional: the region that does not have the tensor yields an
// empty one.
// RUN: %kopt %s --gradient=functions=f | FileCheck %s
// CHECK-LABEL: func.func private @f.rev
// CHECK:         scf.if %{{.*}} -> (f64
// CHECK:         } else {
// CHECK:           %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:           tensor.empty(%[[ZERO]]) : tensor<?xf64>
// CHECK:         return
func.func @f(%x: f64, %a: tensor<?xf64>, %c: i1, %d: i1) -> f64 {
  %row = scf.if %c -> (tensor<?xf64>) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %slice = tensor.extract_slice %a[%c0] [%c2] [1] : tensor<?xf64> to tensor<?xf64>
    scf.yield %slice : tensor<?xf64>
  } else {
    scf.yield %a : tensor<?xf64>
  }
  %r = scf.if %d -> (f64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %own = scf.if %c -> (tensor<?xf64>) {
      scf.yield %row : tensor<?xf64>
    } else {
      scf.yield %a : tensor<?xf64>
    }
    %n = tensor.dim %own, %c0 : tensor<?xf64>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (f64) {
      %e = tensor.extract %a[%i] : tensor<?xf64>
      %p = arith.mulf %y, %e : f64
      %q = math.sin %p : f64
      scf.yield %q : f64
    }
    scf.yield %s : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}
