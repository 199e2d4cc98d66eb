// RUN: %kopt %s --apply-patterns='sets=tensor-dim-of-pad' | FileCheck %s

// CHECK-LABEL: func.func @extents
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: index, %{{.*}}: f32)
// CHECK: tensor.dim %[[X]], %c0
// CHECK: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[LOW:.*]] = arith.addi %[[ROWS]], %c1
// CHECK: %[[BOTH:.*]] = arith.addi %[[LOW]], %[[N]]
// CHECK: %[[COLUMNS:.*]] = tensor.dim %[[X]], %c1
// CHECK: return %[[BOTH]], %[[COLUMNS]]
func.func @extents(%x: tensor<?x?xf32>, %n: index, %v: f32) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = tensor.dim %x, %c0 : tensor<?x?xf32>
  %p = tensor.pad %x low[1, 0] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %rows = tensor.dim %p, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %p, %c1 : tensor<?x?xf32>
  return %rows, %columns, %own : index, index, index
}

// The dimension is not known.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: tensor.dim %[[P]]
func.func @unknown(%x: tensor<?x?xf32>, %at: index, %v: f32) -> index {
  %p = tensor.pad %x low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %extent = tensor.dim %p, %at : tensor<?x?xf32>
  return %extent : index
}
