// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)" | FileCheck %s

// A loop of blocks that carries a tensor updates it in place: one copy of the argument before the loop.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[T:.*]]: memref<4xf32>, %[[N:.*]]: index) -> memref<4xf32> {
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.copy %[[T]], %[[A]]
// CHECK-NEXT: cf.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %[[A]] : index, memref<4xf32>)
// CHECK-NEXT: ^[[HEAD]](%[[I:.*]]: index, %[[X:.*]]: memref<4xf32>):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]](%[[X]] : memref<4xf32>), ^[[END:bb[0-9]+]](%[[X]] : memref<4xf32>)
// CHECK-NEXT: ^[[BODY]](%[[Y:.*]]: memref<4xf32>):
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK: cf.br ^[[HEAD]](%{{.*}}, %[[Y]] : index, memref<4xf32>)
// CHECK-NEXT: ^[[END]](%[[Z:.*]]: memref<4xf32>):
// CHECK-NEXT: return %[[Z]]
func.func @loop(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<4xf32>)
^head(%i: index, %x: tensor<4xf32>):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.extract %x[%i] : tensor<4xf32>
  %d = arith.addf %e, %e : f32
  %y = tensor.insert %d into %x[%i] : tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %y : index, tensor<4xf32>)
^end:
  return %x : tensor<4xf32>
}

// A buffer that a successor does not need is freed in a block on the edge to it.
// CHECK-LABEL: func.func @one_side(
// CHECK: %[[P:.*]] = memref.alloc
// CHECK: cf.cond_br %{{.*}}, ^[[SPLIT:bb[0-9]+]](%[[P]] : memref<?xf32>), ^[[USES:bb[0-9]+]](%[[P]] : memref<?xf32>)
// CHECK-NEXT: ^[[USES]](%[[Q:.*]]: memref<?xf32>):
// CHECK-NEXT: memref.load %[[Q]]
// CHECK-NEXT: memref.dealloc %[[Q]]
// CHECK-NEXT: cf.br ^[[END:bb[0-9]+]](
// CHECK-NEXT: ^[[SPLIT]](%[[R:.*]]: memref<?xf32>):
// CHECK-NEXT: memref.dealloc %[[R]]
// CHECK-NEXT: cf.br ^[[END]](
// CHECK-NEXT: ^[[END]](%{{.*}}: f32):
func.func @one_side(%c: i1, %n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %p = tensor.splat %f[%n] : tensor<?xf32>
  cf.cond_br %c, ^end(%f : f32), ^uses
^uses:
  %e = tensor.extract %p[%c0] : tensor<?xf32>
  cf.br ^end(%e : f32)
^end(%r: f32):
  return %r : f32
}
