// RUN: %kopt %s --plan-buffers | FileCheck %s

// An operation writes to an input that dies in it if it reads each element only for the element of the result in the same
// place.

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(i) -> (i)>
#behind = affine_map<(i) -> (i + 1)>

// CHECK-LABEL: func.func @same_place
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: linalg.fill ins(%arg0 : f32) outs(%[[Y]] : memref<?x?xf32>)
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?x?xf32>) outs(%[[Y]] : memref<?x?xf32>)
// CHECK: return %[[Y]]
func.func @same_place(%x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The same permutation on both sides is the same place.
// CHECK-LABEL: func.func @same_permutation
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?x?xf32>) outs(%[[Y]] : memref<?x?xf32>)
func.func @same_permutation(%x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#swap, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Two operands read it.
// CHECK-LABEL: func.func @two_maps
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[Y]]
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[Y]] : memref<?x?xf32>, memref<?x?xf32>) outs(%[[E]] : memref<?x?xf32>)
// CHECK: memref.dealloc %[[Y]]
// CHECK-NEXT: return %[[E]]
func.func @two_maps(%x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// One operand reads it in another order.
// CHECK-LABEL: func.func @other_map
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?x?xf32>) outs(%[[E]] : memref<?x?xf32>)
func.func @other_map(%x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The element read is behind the one that is written.
// CHECK-LABEL: func.func @shifted
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?xf32>) outs(%[[E]] : memref<?xf32>)
func.func @shifted(%x: f32, %n: index, %more: index) -> tensor<?xf32> {
  %0 = tensor.empty(%more) : tensor<?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#behind, #at], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// An element of the sum is written for each element of a row.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : memref<?xf32>, memref<?x?xf32>) outs(%[[E]] : memref<?xf32>)
func.func @reduced(%x: f32, %n: index, %t: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#row, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y, %t : tensor<?xf32>, tensor<?x?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// The region reads it besides.
// CHECK-LABEL: func.func @captured
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?xf32>) outs(%[[E]] : memref<?xf32>)
// CHECK: memref.load %[[Y]]
func.func @captured(%x: f32, %n: index, %i: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %b = tensor.extract %y[%i] : tensor<?xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// It is used again.
// CHECK-LABEL: func.func @used_again
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<?xf32>) outs(%[[E]] : memref<?xf32>)
// CHECK: return %[[E]], %[[Y]]
func.func @used_again(%x: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %r, %y : tensor<?xf32>, tensor<?xf32>
}

// One branch overwrites a tensor that dies and does without the allocation of its result; the other one has none to free.
// CHECK-LABEL: func.func @allocation_of_one_branch
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} outs(%[[X:.*]] : memref<4xf32>)
// CHECK: else
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @allocation_of_one_branch(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.empty() : tensor<4xf32>
  %x = tensor.splat %v : tensor<4xf32>
  %r = scf.if %c -> (f32) {
    %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.negf %in : f32
      linalg.yield %e : f32
    } -> tensor<4xf32>
    %e = tensor.extract %1[%c0] : tensor<4xf32>
    scf.yield %e : f32
  } else {
    scf.yield %v : f32
  }
  return %r : f32
}
