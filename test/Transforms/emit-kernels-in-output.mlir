// A temporary is kept in the output of the statement that reads it last, if that reads each element where it overwrites it.
// RUN: %kopt %s --split-input-file --pass-pipeline='builtin.module(form-kernels,schedule-kernels,plan-buffers,emit-kernels)' | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @in_output
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<512x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK: math.exp
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: vector.load %[[OUT]]
// CHECK: arith.divf
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: return %[[OUT]]
func.func @in_output(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x1024xf32>
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<512x1024xf32>) outs(%all : tensor<512x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<512x1024xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<512x1024xf32>) outs(%none : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in fastmath<reassoc> : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %result = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<512x1024xf32>, tensor<512xf32>) outs(%all : tensor<512x1024xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<512x1024xf32>
  return %result : tensor<512x1024xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The elements of the output have another type.
// CHECK-LABEL: func.func @other_type
// CHECK: memref.alloc() : memref<512x1024xf64>
// CHECK: memref.alloc() {{.*}} : memref<1x1024xf32>
func.func @other_type(%x: tensor<512x1024xf32>) -> tensor<512x1024xf64> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<512xf32>
  %all = tensor.empty() : tensor<512x1024xf32>
  %wide = tensor.empty() : tensor<512x1024xf64>
  %none = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<512x1024xf32>) outs(%all : tensor<512x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<512x1024xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<512x1024xf32>) outs(%none : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in fastmath<reassoc> : f32
    linalg.yield %0 : f32
  } -> tensor<512xf32>
  %result = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<512x1024xf32>, tensor<512xf32>) outs(%wide : tensor<512x1024xf64>) {
  ^bb0(%in: f32, %s: f32, %out: f64):
    %0 = arith.divf %in, %s : f32
    %1 = arith.extf %0 : f32 to f64
    linalg.yield %1 : f64
  } -> tensor<512x1024xf64>
  return %result : tensor<512x1024xf64>
}
