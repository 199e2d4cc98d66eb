// RUN: %kopt %s --checkpoint-loops | FileCheck %s --check-prefix=MARK
// RUN: %kopt %s --checkpoint-loops --differentiate --canonicalize --cse | FileCheck %s

// A loop of 100 iterations becomes 10 segments of 10. The derivative saves 10 values, and 10 more in each segment, which it
// executes again.

// MARK-LABEL: func.func @iterate
// MARK: scf.for
// MARK: } {minoan.checkpoint}
// CHECK-LABEL: func.func private @iterate.rev(
// CHECK: tensor.empty() : tensor<10xf64>
// CHECK: scf.for %{{.*}} = %{{.*}} to %c10 step
// CHECK: scf.for {{.*}} -> (f64) {
// CHECK-NEXT: math.sin
// CHECK-NEXT: scf.yield
// CHECK: tensor.insert
// CHECK: scf.for {{.*}} to %c10 step
// CHECK: %[[START:.*]] = tensor.extract
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]], %{{.*}} = %{{.*}}) -> (f64, tensor<?xf64>)
// CHECK: math.sin
// CHECK: tensor.insert
// CHECK: scf.for
// CHECK: tensor.extract
// CHECK: math.cos
// CHECK: return
func.func @iterate(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f64) {
    %b = math.sin %a : f64
    scf.yield %b : f64
  }
  return %r : f64
}

// A loop that updates a tensor in place is not split.
// CHECK-LABEL: func.func private @update.rev(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: {minoan.checkpoint}
// CHECK-NEXT: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @update(%t: tensor<8xf64>, %n: index) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf64>) {
    %x = tensor.extract %a[%i] : tensor<8xf64>
    %y = arith.mulf %x, %x : f64
    %b = tensor.insert %y into %a[%i] : tensor<8xf64>
    scf.yield %b : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

func.func @requests(%x: f64, %t: tensor<8xf64>, %n: index) -> (f64, tensor<8xf64>) {
  %0 = diff.rev @iterate(%x)(%x) : (f64, f64) -> f64
  %1 = diff.rev @update(%t, %n)(%t) : (tensor<8xf64>, index, tensor<8xf64>) -> tensor<8xf64>
  return %0, %1 : f64, tensor<8xf64>
}
