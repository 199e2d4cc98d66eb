// RUN: %kopt %s --pass-pipeline="builtin.module(outline{repeated=8})" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(outline{repeated=1000})" | FileCheck %s --check-prefix=FEW
// FEW-NOT: call

// Equal computations become calls of one function; a captured constant belongs to the computation.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[X:.*]]: f32)
// CHECK: call @twice_outlined_0(%[[A]], %[[B]], %[[X]]) : (memref<4xf32>, memref<4xf32>, f32) -> ()
// CHECK: call @twice_outlined_0(%[[B]], %[[A]], %[[X]]) : (memref<4xf32>, memref<4xf32>, f32) -> ()
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[A]] : memref<4xf32>)
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[A]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK: return
// CHECK-LABEL: func.func private @twice_outlined_0(
// CHECK-SAME: %[[IN:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<4xf32>, %[[Y:.*]]: f32) attributes {no_inline} {
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.0
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[IN]] : memref<4xf32>) outs(%[[OUT]] : memref<4xf32>)
// CHECK: arith.mulf %{{.*}}, %[[Y]]
// CHECK: arith.addf %{{.*}}, %[[TWO]]
// CHECK: return
#id = affine_map<(i) -> (i)>
func.func @twice(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    %1 = arith.addf %0, %two : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    %1 = arith.addf %0, %two : f32
    linalg.yield %1 : f32
  }
  // Another constant.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    %1 = arith.addf %0, %three : f32
    linalg.yield %1 : f32
  }
  // One buffer in both places.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    %1 = arith.addf %0, %two : f32
    linalg.yield %1 : f32
  }
  return
}

// Functions of a module share; a loop gives its results back, and an enclosing loop comes first.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[S:.*]] = call @sum_outlined_1(%{{.*}}) : (memref<8xf32>) -> f32
// CHECK-NEXT: return %[[S]] : f32
// CHECK-LABEL: func.func private @sum_outlined_1(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: return %{{.*}} : f32
// CHECK-LABEL: func.func @same(
// CHECK: %[[S:.*]] = call @sum_outlined_1(%{{.*}}) : (memref<8xf32>) -> f32
// CHECK-NEXT: return %[[S]] : f32
func.func @sum(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %z) -> f32 {
    %t = scf.for %j = %c0 to %i step %c1 iter_args(%in = %acc) -> f32 {
      %v = memref.load %m[%j] : memref<8xf32>
      %n = arith.addf %in, %v : f32
      scf.yield %n : f32
    }
    scf.yield %t : f32
  }
  return %s : f32
}
func.func @same(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %z) -> f32 {
    %t = scf.for %j = %c0 to %i step %c1 iter_args(%in = %acc) -> f32 {
      %v = memref.load %m[%j] : memref<8xf32>
      %n = arith.addf %in, %v : f32
      scf.yield %n : f32
    }
    scf.yield %t : f32
  }
  return %s : f32
}

// Not shared: loops that allocate, and assertions, whose messages have different locations.
// CHECK-LABEL: func.func @different(
// CHECK-NOT: call
// CHECK: return
func.func @different(%n: index, %c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %t[%i] : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %t[%i] : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.cmpi slt, %i, %n : index
    cf.assert %0, "less"
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.cmpi slt, %i, %n : index
    cf.assert %0, "less"
  }
  return
}

// CHECK-LABEL: func.func @kernels(
// CHECK: call @kernels_outlined_2(%{{.*}}, %{{.*}}) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT: call @kernels_outlined_2(%{{.*}}, %{{.*}}) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK: func.func private @kernels_outlined_2(
// CHECK: schedule.kernel
#map = affine_map<(i, j) -> (i, j)>
func.func @kernels(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  schedule.kernel ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: tensor<4x4xf32>, %out: tensor<4x4xf32>):
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    schedule.yield %0 : tensor<4x4xf32>
  }
  schedule.kernel ins(%b : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%x: tensor<4x4xf32>, %out: tensor<4x4xf32>):
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    schedule.yield %0 : tensor<4x4xf32>
  }
  return
}
