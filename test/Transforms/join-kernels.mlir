// RUN: %kopt %s --join-kernels --mlir-pass-statistics 2> %t.statistics | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATISTICS --input-file %t.statistics
// STATISTICS: 4 num-joined

#id = affine_map<(i) -> (i)>

// The second and the third kernel update different rows of one buffer with results of the first one, which only they read. The
// leaves follow those that they depend on.

// CHECK-LABEL: @rows
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[R:.*]]: index, %[[N:.*]]: index
// CHECK: %[[SUMS:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[EVEN:.*]] = memref.subview %[[SUMS]][%[[R]], 0]
// CHECK-DAG: %[[ODD:.*]] = memref.subview %[[SUMS]][%{{.*}}, 0]
// CHECK: schedule.kernel ins(%[[X]], %[[N]] : memref<?xf32>, index) outs(%[[EVEN]], %[[ODD]] :
// CHECK-SAME: plan <for i/8 { exp[i:8v] addf[i:8v] sin[i:8v] addf_1[i:8v] }>
// CHECK-NOT: schedule.kernel
func.func @rows(%x: memref<?xf32>, %r: index, %n: index) -> memref<?x?xf32> {
  %c1 = arith.constant 1 : index
  %sums = memref.alloc(%n, %n) : memref<?x?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a, %b : memref<?xf32>, memref<?xf32>) plan <for i/8 { exp[i:8v] sin[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>, %other: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%other : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.sin %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  %even = memref.subview %sums[%r, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  schedule.kernel ins(%a : memref<?xf32>) outs(%even : memref<?xf32, strided<[1], offset: ?>>) plan <for i/32 { addf[i:32v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = arith.addf %o, %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  %next = arith.addi %r, %c1 : index
  %odd = memref.subview %sums[%next, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  schedule.kernel ins(%b : memref<?xf32>) outs(%odd : memref<?xf32, strided<[1], offset: ?>>) plan <for i/32 { addf[i:32v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = arith.addf %o, %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %b : memref<?xf32>
  return %sums : memref<?x?xf32>
}

// The rows may be the same, so the second update must follow the first one.

// CHECK-LABEL: @maybe_the_same_row
// CHECK: plan <for i/8 { exp[i:8v] addf[i:8v] sin[i:8v] }>
// CHECK: plan <for i/32 { addf[i:32v] }>
func.func @maybe_the_same_row(%x: memref<?xf32>, %r: index, %s: index, %n: index) -> memref<?x?xf32> {
  %sums = memref.alloc(%n, %n) : memref<?x?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a, %b : memref<?xf32>, memref<?xf32>) plan <for i/8 { exp[i:8v] sin[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>, %other: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%other : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.sin %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  %one = memref.subview %sums[%r, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  schedule.kernel ins(%a : memref<?xf32>) outs(%one : memref<?xf32, strided<[1], offset: ?>>) plan <for i/32 { addf[i:32v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = arith.addf %o, %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  %other = memref.subview %sums[%s, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  schedule.kernel ins(%b : memref<?xf32>) outs(%other : memref<?xf32, strided<[1], offset: ?>>) plan <for i/32 { addf[i:32v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = arith.addf %o, %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return %sums : memref<?x?xf32>
}

// Arguments may share storage: the second kernel might change what the first one reads.

// CHECK-LABEL: @arguments
// CHECK: plan <for i/8 { exp[i:8v] }>
// CHECK: plan <for i/8 { addf[i:8v] }>
func.func @arguments(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a : memref<?xf32>) plan <for i/8 { exp[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  schedule.kernel ins(%a : memref<?xf32>) outs(%y : memref<?xf32>) plan <for i/8 { addf[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = arith.addf %o, %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  return
}

// A buffer that is used again remains an output. A load in between reads another buffer.

// CHECK-LABEL: @used_again
// CHECK: schedule.kernel
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : memref<?xf32>, memref<?xf32>) plan <for i/8 { exp[i:8v] sin[i:8v] }>
// CHECK: memref.load
// CHECK-NOT: schedule.kernel
func.func @used_again(%x: memref<?xf32>, %n: index) -> (memref<?xf32>, memref<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a : memref<?xf32>) plan <for i/8 { exp[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  %first = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) plan <for i/8 { sin[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.sin %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  return %a, %b, %first : memref<?xf32>, memref<?xf32>, f32
}

// An element of the result changes in between.

// CHECK-LABEL: @changed
// CHECK: plan <for i/8 { exp[i:8v] }>
// CHECK: memref.store
// CHECK: plan <for i/8 { sin[i:8v] }>
func.func @changed(%x: memref<?xf32>, %n: index, %value: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a : memref<?xf32>) plan <for i/8 { exp[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.store %value, %a[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) plan <for i/8 { sin[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.sin %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  return %b : memref<?xf32>
}

// An object may refer to any buffer that is not an allocation of the function.

// CHECK-LABEL: @object
// CHECK: plan <for i/8 { exp[i:8v] }>
// CHECK: data.ref_write
// CHECK: plan <for i/8 { sin[i:8v] }>
func.func @object(%x: memref<?xf32>, %n: index, %object: !data.ref<f32>, %value: f32) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%x : memref<?xf32>) outs(%a : memref<?xf32>) plan <for i/8 { exp[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.exp %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  data.ref_write %object(%value) : (!data.ref<f32>, f32) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  schedule.kernel ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) plan <for i/8 { sin[i:8v] }> {
  ^bb0(%in: tensor<?xf32>, %out: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : tensor<?xf32>) outs(%out : tensor<?xf32>) {
    ^bb0(%e: f32, %o: f32):
      %v = math.sin %e : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    schedule.yield %0 : tensor<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  return %b : memref<?xf32>
}
