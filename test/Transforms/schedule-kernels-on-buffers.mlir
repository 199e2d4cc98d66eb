// RUN: %kopt %s --schedule-kernels | FileCheck %s
// RUN: not %kopt %s --default-pipeline 2>&1 | FileCheck %s --check-prefix=ERROR
// A kernel on buffers whose operations cannot be scheduled stays as it is: on tensors it would be inlined.
#map = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @on_buffers
// CHECK: schedule.kernel ins(%{{.*}} : memref<4x4xf32>) outs(%{{.*}} : memref<4x4xf32>) {
// ERROR: error: 'linalg.generic' op reduces without reading its result
// ERROR-NOT: panicked
func.func @on_buffers(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  schedule.kernel ins(%b : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%x: tensor<4x4xf32>, %out: tensor<4x4xf32>):
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    schedule.yield %0 : tensor<4x4xf32>
  }
  return
}

// CHECK-LABEL: @on_tensors
// CHECK-NOT: schedule.kernel
// CHECK: linalg.generic
func.func @on_tensors(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %k = schedule.kernel ins(%b : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: tensor<4x4xf32>, %out: tensor<4x4xf32>):
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    schedule.yield %0 : tensor<4x4xf32>
  } -> tensor<4x4xf32>
  return %k : tensor<4x4xf32>
}
