// RUN: %kopt %s | %kopt | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt | FileCheck %s

// A plan is printed in one line.
// CHECK-LABEL: func.func @rows
// CHECK: %{{.*}} = schedule.kernel ins(%{{.*}} : tensor<8x64xf32>) outs(%{{.*}} : tensor<8xf32>) plan <par i/4 { for i { for j/16 tail(mask) { sum[j:16v] } } }> {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<8x64xf32>, %{{.*}}: tensor<8xf32>):
// CHECK: schedule.yield %{{.*}} : tensor<8xf32>
// CHECK-NEXT: } -> tensor<8xf32>
func.func @rows(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <
    par i/4 {
      for i {
        for j/16 tail(mask) { sum[j:16v] }
      }
    }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %1 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} } ins(%a : tensor<8x64xf32>) outs(%b : tensor<8xf32>) dimensions = [1]
    schedule.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// On buffers, the arguments stand for their contents.
// CHECK-LABEL: func.func @on_buffers
// CHECK: schedule.kernel ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?xf32>):
func.func @on_buffers(%x: memref<?xf32>, %y: memref<?xf32>) {
  schedule.kernel ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  return
}
