// RUN: %kopt %s --form-kernels --split-input-file | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,fuse,canonicalize,cse,schedule-kernels)" --split-input-file | FileCheck %s --check-prefix=PLAN
// An operation with several results, and a reduction in a fixed order of terms with functions, become operations that have kernels.

#map = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// The functions of the terms have lanes. The sum is that of the scalars, in their order.
// CHECK-LABEL: @sum_in_order
// CHECK: schedule.kernel
// CHECK: %[[TERMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.sin
// CHECK-NEXT: arith.mulf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[TERMS]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// PLAN-LABEL: @sum_in_order
// PLAN: plan <for i/8 { mulf[i:8v] for i { sum[] } }>
func.func @sum_in_order(%x: tensor<?xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#map, #scalar], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.sin %a : f32
    %m = arith.mulf %a, %s : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#map = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// Terms without functions gain nothing.
// CHECK-LABEL: @products_in_order
// CHECK-NOT: schedule.kernel
func.func @products_in_order(%x: tensor<?xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#map, #scalar], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Rows are summed in order, and divided by their sums in another pass.
// CHECK-LABEL: @rows_in_order
// PLAN-LABEL: @rows_in_order
// PLAN: plan <par i/{{[0-9]+}} { for i { for j/8 { exp[j:8v] for j { sum[] } } for j/16 { divf[j:16v] } } }>
func.func @rows_in_order(%x: tensor<?x?xf32>, %sums: tensor<?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<?x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %d = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]} ins(%e, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// The exponential, which both results need, is computed once; the sum, which is cheap, twice.
// CHECK-LABEL: @two_results
// CHECK: %[[K:.*]]:2 = schedule.kernel
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: return %[[K]]#0, %[[K]]#1
// PLAN-LABEL: @two_results
// PLAN: plan <par i/16384 { for i/8 { exp[i:8v] mulf[i:8v] divf[i:8v] } }>
func.func @two_results(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: tensor<?xf32>, %q: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%p, %q : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %r: f32):
    %e = math.exp %a : f32
    %s = arith.addf %a, %b : f32
    %m = arith.mulf %e, %s : f32
    %d = arith.divf %e, %s : f32
    linalg.yield %m, %d : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// The index of a maximum depends on the maximum so far: one loop computes both.
// CHECK-LABEL: @maximum_and_index
// CHECK-NOT: schedule.kernel
// CHECK: linalg.generic
func.func @maximum_and_index(%x: tensor<?xf32>, %m: tensor<f32>, %at: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0:2 = linalg.generic {indexing_maps = [#map, #scalar, #scalar], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%m, %at : tensor<f32>, tensor<i32>) {
  ^bb0(%a: f32, %o: f32, %i: i32):
    %index = linalg.index 0 : index
    %now = arith.index_cast %index : index to i32
    %larger = arith.cmpf ogt, %a, %o : f32
    %v = arith.select %larger, %a, %o : f32
    %w = arith.select %larger, %now, %i : i32
    linalg.yield %v, %w : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
