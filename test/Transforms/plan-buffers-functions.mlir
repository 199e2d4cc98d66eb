// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" | FileCheck %s
// RUN: %kopt %s --default-pipeline | FileCheck %s --check-prefix=DEFAULT

// The type of a function value follows that of the function, which has buffers for tensors.

// CHECK-LABEL: func.func private @negate_first(
// CHECK-SAME: memref<4xf32>) -> memref<4xf32>
func.func private @negate_first(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<4xf32>
  %n = arith.negf %e : f32
  %r = tensor.insert %n into %x[%c0] : tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func private @exponential(tensor<4xf32>) -> tensor<4xf32>

// The arguments stay the caller's, and the result is freed after its last use.
// CHECK-LABEL: func.func @choose(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: memref<4xf32>) -> f32 {
// CHECK: %[[F:.*]] = constant @negate_first : (memref<4xf32>) -> memref<4xf32>
// CHECK: %[[G:.*]] = constant @exponential : (memref<4xf32>) -> memref<4xf32>
// CHECK: %[[H:.*]] = arith.select %[[C]], %[[F]], %[[G]] : (memref<4xf32>) -> memref<4xf32>
// CHECK: %[[Y:.*]] = call_indirect %[[H]](%[[X]]) : (memref<4xf32>) -> memref<4xf32>
// CHECK: %[[E:.*]] = memref.load %[[Y]]
// CHECK: memref.dealloc %[[Y]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[E]]
// DEFAULT-LABEL: func.func @choose(
// DEFAULT: call_indirect %{{.*}}(%{{.*}}) : (memref<4xf32>) -> memref<4xf32>
func.func @choose(%c: i1, %x: tensor<4xf32>) -> f32 {
  %f = func.constant @negate_first : (tensor<4xf32>) -> tensor<4xf32>
  %g = func.constant @exponential : (tensor<4xf32>) -> tensor<4xf32>
  %h = arith.select %c, %f, %g : (tensor<4xf32>) -> tensor<4xf32>
  %y = func.call_indirect %h(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %y[%c0] : tensor<4xf32>
  return %e : f32
}

// A function may take a function that takes a function.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: ((memref<4xf32>) -> memref<4xf32>) -> index) -> index {
// CHECK: call_indirect %{{.*}}(%{{.*}}) : ((memref<4xf32>) -> memref<4xf32>) -> index
func.func @nested(%take: ((tensor<4xf32>) -> tensor<4xf32>) -> index) -> index {
  %f = func.constant @negate_first : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call_indirect %take(%f) : ((tensor<4xf32>) -> tensor<4xf32>) -> index
  return %r : index
}

// A function value is passed on by blocks.
// CHECK-LABEL: func.func @blocks(
// CHECK: ^bb1(%{{.*}}: (memref<4xf32>) -> memref<4xf32>):
func.func @blocks(%f: (tensor<4xf32>) -> tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>) {
  cf.br ^bb1(%f : (tensor<4xf32>) -> tensor<4xf32>)
^bb1(%g: (tensor<4xf32>) -> tensor<4xf32>):
  return %g : (tensor<4xf32>) -> tensor<4xf32>
}
