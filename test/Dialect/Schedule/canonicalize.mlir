// The first run folds the copy in the body, the second one the kernel.
// RUN: %kopt %s --canonicalize --canonicalize | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// A kernel of a copy is its input.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>)
// CHECK-NEXT: return %[[X]]
func.func @copy(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = schedule.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: tensor<64xf32>, %b: tensor<64xf32>):
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%b : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64xf32>
    schedule.yield %1 : tensor<64xf32>
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// The other results stay.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>, %[[Z:.*]]: tensor<64xf32>)
// CHECK: %[[K:.*]] = schedule.kernel ins(%[[X]] : tensor<64xf32>) outs(%[[Z]] : tensor<64xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64xf32>, %[[C:.*]]: tensor<64xf32>):
// CHECK-NEXT: %[[E:.*]] = linalg.exp ins(%[[A]] : tensor<64xf32>) outs(%[[C]] : tensor<64xf32>)
// CHECK-NEXT: schedule.yield %[[E]]
// CHECK: return %[[X]], %[[K]]
func.func @one_of_two(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = schedule.kernel ins(%x : tensor<64xf32>) outs(%y, %z : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>):
    %1 = linalg.exp ins(%a : tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
    schedule.yield %a, %1 : tensor<64xf32>, tensor<64xf32>
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// The contents of an output that is not written are an input.
// CHECK-LABEL: func.func @read_output(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>)
// CHECK: %[[K:.*]] = schedule.kernel ins(%[[X]] : tensor<64xf32>) outs(%[[Y]] : tensor<64xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>):
// CHECK-NEXT: linalg.exp ins(%[[A]] : tensor<64xf32>) outs(%[[B]] : tensor<64xf32>)
// CHECK: return %[[X]], %[[K]]
func.func @read_output(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = schedule.kernel outs(%x, %y : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: tensor<64xf32>, %b: tensor<64xf32>):
    %1 = linalg.exp ins(%a : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
    schedule.yield %a, %1 : tensor<64xf32>, tensor<64xf32>
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// Of two equal results one is written: a sum with zeros has become a copy of the other result, `0 + x` without the sign of zero.
// CHECK-LABEL: func.func @equal_results(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>, %[[Z:.*]]: tensor<64xf32>)
// CHECK: %[[K:.*]] = schedule.kernel ins(%[[X]] : tensor<64xf32>) outs(%[[Y]] : tensor<64xf32>) {
// CHECK: schedule.yield %{{.*}} : tensor<64xf32>
// CHECK: return %[[K]], %[[K]]
func.func @equal_results(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = schedule.kernel ins(%x : tensor<64xf32>) outs(%y, %z : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>):
    %zero = arith.constant 0.0 : f32
    %1 = linalg.exp ins(%a : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%1 : tensor<64xf32>) outs(%c : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %zero fastmath<nsz> : f32
      linalg.yield %sum : f32
    } -> tensor<64xf32>
    schedule.yield %1, %2 : tensor<64xf32>, tensor<64xf32>
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// The copy to the output is folded, and the sum is written to it.
// CHECK-LABEL: func.func @copied_result
// CHECK: schedule.kernel ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: ^bb0(%{{.*}}: tensor<4x8xf32>, %[[OUT:.*]]: tensor<4xf32>):
// CHECK-NOT: tensor.empty
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%[[OUT]] : tensor<4xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}}) outs(%[[ZEROS]]
// CHECK: schedule.yield %[[SUM]]
func.func @copied_result(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = schedule.kernel ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %out: tensor<4xf32>):
    %zero = arith.constant 0.0 : f32
    %own = tensor.empty() : tensor<4xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%own : tensor<4xf32>) -> tensor<4xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %s = arith.addf %o, %in : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    %copy = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%out : tensor<4xf32>) {
    ^bb0(%in: f32, %o: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    schedule.yield %copy : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
