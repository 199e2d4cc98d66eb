// Results that are an argument of a private function, or a view of one, are lent: neither the function nor its callers copy them.

// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" | FileCheck %s
// RUN: %kc run %s --entry reads --backend interpret --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=READS
// RUN: %kc run %s --entry reads --backend interpret-buffers --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=READS
// RUN: %kc run %s --entry reads --backend jit --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=READS
// READS: 5
// RUN: %kc run %s --entry updates --backend interpret --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=UPDATES
// RUN: %kc run %s --entry updates --backend interpret-buffers --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=UPDATES
// RUN: %kc run %s --entry updates --backend jit --inputs '[[1,2,3,4]]' | FileCheck %s --check-prefix=UPDATES
// UPDATES: ([9, 2, 3, 4], 1)

// CHECK-LABEL: func.func private @same(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT: return %[[X]]
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  return %x : tensor<4xf32>
}

// A view of the result of another call.
// CHECK-LABEL: func.func private @view(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: call @same
// CHECK-NEXT: %[[V:.*]] = memref.expand_shape
// CHECK-NEXT: return %[[V]]
func.func private @view(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {no_inline} {
  %s = call @same(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %v : tensor<2x2xf32>
}

// A function that calls itself lends if its other returns do.
// CHECK-LABEL: func.func private @countdown(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: call @countdown
// CHECK: return
func.func private @countdown(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %done = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %done, ^end, ^next
^end:
  return %x : tensor<4xf32>
^next:
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  %r = call @countdown(%m, %x) : (index, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @reads(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @reads(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v = call @view(%x) : (tensor<4xf32>) -> tensor<2x2xf32>
  %s = call @countdown(%c3, %x) : (index, tensor<4xf32>) -> tensor<4xf32>
  %a = tensor.extract %v[%c1, %c1] : tensor<2x2xf32>
  %b = tensor.extract %s[%c0] : tensor<4xf32>
  %r = arith.addf %a, %b : f32
  return %r : f32
}

// A tensor that is updated while a lent result of it is read is copied once.
// CHECK-LABEL: func.func @updates(
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @updates(%x: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9.0 : f32
  %s = call @same(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.insert %nine into %s[%c0] : tensor<4xf32>
  %v = call @view(%s) : (tensor<4xf32>) -> tensor<2x2xf32>
  %i = call @first(%v) : (tensor<2x2xf32>) -> f32
  return %u, %i : tensor<4xf32>, f32
}

func.func private @first(%v: tensor<2x2xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %v[%c0, %c0] : tensor<2x2xf32>
  return %e : f32
}

// An owned tensor that was passed through is updated in place after its last use.
// CHECK-LABEL: func.func @in_place(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[S:.*]] = call @same
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: return
func.func @in_place(%a: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%a : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = call @same(%f) : (tensor<4xf32>) -> tensor<4xf32>
  %nine = arith.constant 9.0 : f32
  %u = tensor.insert %nine into %s[%c0] : tensor<4xf32>
  return %u : tensor<4xf32>
}

// A public function, and one whose value is taken, return tensors that their callers own.
// CHECK-LABEL: func.func @public(
// CHECK: memref.copy
// CHECK: return
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func private @taken(
// CHECK: memref.copy
// CHECK: return
func.func private @taken(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @take() -> ((tensor<4xf32>) -> tensor<4xf32>) {
  %f = constant @taken : (tensor<4xf32>) -> tensor<4xf32>
  return %f : (tensor<4xf32>) -> tensor<4xf32>
}

// Returns of different arguments do not lend.
// CHECK-LABEL: func.func private @either(
// CHECK: memref.copy
// CHECK: return
// CHECK: memref.copy
// CHECK: return
func.func private @either(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^one, ^other
^one:
  return %x : tensor<4xf32>
^other:
  return %y : tensor<4xf32>
}
func.func @calls_either(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @either(%c, %x, %y) : (i1, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.extract %r[%c0] : tensor<4xf32>
  return %e : f32
}
