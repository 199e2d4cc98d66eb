// RUN: %kopt %s --split-input-file --lower-affine --canonicalize --raise-buffer-loops --canonicalize --cse | FileCheck %s
// RUN: %kopt %s --split-input-file --lower-affine --canonicalize --raise-buffer-loops --canonicalize --cse --plan-buffers | FileCheck %s --check-prefix=BUFFERS

// No buffer is copied.
// BUFFERS: func.func @product
// BUFFERS-NOT: memref.copy

// An accumulation in memory is a reduction, in any order of the loops. Arguments may share memory.
// CHECK-DAG: #[[MA:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[MB:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MC:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @product
// CHECK: memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[OVERLAP:.*]] = arith.ori
// CHECK: scf.if %[[OVERLAP]] {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } else {
// CHECK-DAG: %[[C:.*]] = bufferization.to_tensor %arg2 restrict writable : memref<32x32xf32>
// CHECK-DAG: %[[A:.*]] = bufferization.to_tensor %arg0 restrict : memref<32x32xf32>
// CHECK-DAG: %[[B:.*]] = bufferization.to_tensor %arg1 restrict : memref<32x32xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[MA]], #[[MB]], #[[MC]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] : tensor<32x32xf32>)
// CHECK: arith.addf
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %arg2
func.func @product(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %k = 0 to 32 {
      %x = affine.load %a[%i, %k] : memref<32x32xf32>
      affine.for %j = 0 to 32 {
        %y = affine.load %b[%k, %j] : memref<32x32xf32>
        %z = affine.load %c[%i, %j] : memref<32x32xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<32x32xf32>
      }
    }
  }
  return
}

// -----

// Two allocations share no memory, and one shares none with an argument. The elements that are read are parts of the buffer.
// CHECK-LABEL: func.func @out_of_place
// CHECK-NOT: scf
// CHECK: memref.subview %arg0[0, 1] [30, 30] [1, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT: scf
// CHECK: return
func.func @out_of_place(%a: memref<32x32xf32>) -> memref<32x32xf32> {
  %b = memref.alloc() : memref<32x32xf32>
  affine.for %i = 1 to 31 {
    affine.for %j = 1 to 31 {
      %u = affine.load %a[%i - 1, %j] : memref<32x32xf32>
      %d = affine.load %a[%i + 1, %j] : memref<32x32xf32>
      %s = arith.addf %u, %d : f32
      affine.store %s, %b[%i, %j] : memref<32x32xf32>
    }
  }
  return %b : memref<32x32xf32>
}

// -----

// A loop that reads what it has written stays; so does an outer loop over time, around loops that are raised.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: return
func.func @in_place(%a: memref<32x32xf32>) {
  affine.for %i = 1 to 32 {
    affine.for %j = 1 to 32 {
      %u = affine.load %a[%i - 1, %j] : memref<32x32xf32>
      %l = affine.load %a[%i, %j - 1] : memref<32x32xf32>
      %s = arith.addf %u, %l : f32
      affine.store %s, %a[%i, %j] : memref<32x32xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @steps
// CHECK: scf.for
// CHECK-NOT: scf
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: scf
// CHECK: return
func.func @steps(%a: memref<1024xf32>) {
  %b = memref.alloca() : memref<1024xf32>
  affine.for %t = 0 to 10 {
    affine.for %i = 0 to 1023 {
      %x = affine.load %a[%i + 1] : memref<1024xf32>
      %y = arith.negf %x : f32
      affine.store %y, %b[%i] : memref<1024xf32>
    }
    affine.for %i = 0 to 1023 {
      %x = affine.load %b[%i] : memref<1024xf32>
      %y = arith.negf %x : f32
      affine.store %y, %a[%i] : memref<1024xf32>
    }
  }
  return
}

// -----

// Parts of one buffer are disjoint by their bounds, in each iteration of an outer loop.
// CHECK-LABEL: func.func @pivots
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK-DAG: memref.subview %arg0[%[[NEXT]], %[[NEXT]]]
// CHECK-DAG: memref.subview %arg0[%[[NEXT]], %[[K]]] {{.*}} to memref<?xf32, strided<[64], offset: ?>>
// CHECK-DAG: memref.subview %arg0[%[[K]], %[[NEXT]]] {{.*}} to memref<?xf32, strided<[1], offset: ?>>
// CHECK: linalg.generic
// CHECK-NOT: scf
// CHECK: return
func.func @pivots(%a: memref<64x64xf32>) {
  affine.for %k = 0 to 64 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 64 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 64 {
        %x = affine.load %a[%i, %k] : memref<64x64xf32>
        %y = affine.load %a[%k, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %a[%i, %j] : memref<64x64xf32>
        %s = arith.subf %z, %p : f32
        affine.store %s, %a[%i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// -----

// Indices that may be out of bounds are checked before the loops. Those up to an extent are not.
// CHECK-LABEL: func.func @dynamic
// CHECK-DAG: %[[ROWS:.*]] = memref.dim %arg0, %c0
// CHECK-DAG: %[[COLUMNS:.*]] = memref.dim %arg0, %c1
// CHECK: arith.cmpi slt, %[[COLUMNS]], %arg1
// CHECK-NOT: arith.cmpi slt, %[[ROWS]]
// CHECK: scf.if
func.func @dynamic(%a: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = arith.negf %x : f32
      affine.store %y, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// An index that is out of bounds in some iteration stays in a loop.
// CHECK-LABEL: func.func @out_of_bounds
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: return
func.func @out_of_bounds(%a: memref<1024xf32>) {
  affine.for %i = 0 to 1024 {
    %x = affine.load %a[%i] : memref<1024xf32>
    affine.store %x, %a[%i - 1] : memref<1024xf32>
  }
  return
}

// -----

// Several statements in one nest, the second of which reads what the first wrote in the same iteration.
// CHECK-LABEL: func.func @statements
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK-NOT: scf
// CHECK: return
func.func @statements(%a: memref<32x32xf32>) -> memref<32xf32> {
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<32xf32>
  affine.for %i = 0 to 32 {
    affine.store %zero, %m[%i] : memref<32xf32>
    affine.for %j = 0 to 32 {
      %x = affine.load %a[%i, %j] : memref<32x32xf32>
      %y = affine.load %m[%i] : memref<32xf32>
      %z = arith.maximumf %x, %y : f32
      affine.store %z, %m[%i] : memref<32xf32>
    }
    %y = affine.load %m[%i] : memref<32xf32>
    %z = arith.negf %y : f32
    affine.store %z, %m[%i] : memref<32xf32>
  }
  return %m : memref<32xf32>
}

// -----

// The second statement reads elements that the first one writes in later iterations.
// CHECK-LABEL: func.func @backward
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: return
func.func @backward(%a: memref<1024xf32>) -> memref<1024xf32> {
  %b = memref.alloc() : memref<1024xf32>
  affine.for %i = 0 to 1023 {
    %x = affine.load %b[%i] : memref<1024xf32>
    %y = arith.negf %x : f32
    affine.store %y, %b[%i] : memref<1024xf32>
    %z = affine.load %b[%i + 1] : memref<1024xf32>
    affine.store %z, %a[%i] : memref<1024xf32>
  }
  return %b : memref<1024xf32>
}

// -----

// A loop that carries a scalar is a reduction into the stored elements, or into a temporary tensor.
// CHECK-LABEL: func.func @carried
// CHECK: %[[TO:.*]] = bufferization.to_tensor %[[SUMS:.*]] restrict writable : memref<32xf32>
// CHECK: %[[ZEROS:.*]] = linalg.{{.*}} outs(%[[TO]] : tensor<32xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}) outs(%[[ZEROS]] : tensor<32xf32>)
// CHECK: %[[START:.*]] = tensor.splat %arg1 : tensor<32x32xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%[[START]] : tensor<32x32xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK-NOT: scf
// CHECK: return
func.func @carried(%a: memref<32x32xf32>, %zero: f32) -> (memref<32xf32>, memref<32x32xf32>) {
  %sums = memref.alloca() : memref<32xf32>
  %c = memref.alloca() : memref<32x32xf32>
  affine.for %i = 0 to 32 {
    %s = affine.for %j = 0 to 32 iter_args(%t = %zero) -> f32 {
      %x = affine.load %a[%i, %j] : memref<32x32xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %s, %sums[%i] : memref<32xf32>
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %s = affine.for %k = 0 to 32 iter_args(%t = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<32x32xf32>
        %y = affine.load %a[%k, %j] : memref<32x32xf32>
        %p = arith.mulf %x, %y : f32
        %u = arith.addf %t, %p : f32
        affine.yield %u : f32
      }
      %x = affine.load %a[%i, %j] : memref<32x32xf32>
      %y = arith.addf %s, %x : f32
      affine.store %y, %c[%i, %j] : memref<32x32xf32>
    }
  }
  return %sums, %c : memref<32xf32>, memref<32x32xf32>
}

// -----

// A sum in a fixed order into one element is not vectorized; a maximum is.
// CHECK-LABEL: func.func @one_element
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: return
func.func @one_element(%a: memref<1024xf32>) -> (memref<f32>, memref<f32>) {
  %s = memref.alloc() : memref<f32>
  %m = memref.alloc() : memref<f32>
  affine.for %i = 0 to 1024 {
    %x = affine.load %a[%i] : memref<1024xf32>
    %y = affine.load %s[] : memref<f32>
    %z = arith.addf %y, %x : f32
    affine.store %z, %s[] : memref<f32>
  }
  affine.for %i = 0 to 1024 {
    %x = affine.load %a[%i] : memref<1024xf32>
    %y = affine.load %m[] : memref<f32>
    %z = arith.maximumf %y, %x : f32
    affine.store %z, %m[] : memref<f32>
  }
  return %s, %m : memref<f32>, memref<f32>
}

// -----

// Few iterations are not worth it, a call may have any effect, and another step is not supported.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: scf.for
// CHECK-NOT: linalg
// CHECK: return
func.func private @effect()
func.func @stays(%a: memref<1024xf32>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<1024xf32>
    %y = arith.negf %x : f32
    affine.store %y, %a[%i] : memref<1024xf32>
  }
  affine.for %i = 0 to 1024 {
    func.call @effect() : () -> ()
    %x = affine.load %a[%i] : memref<1024xf32>
    %y = arith.negf %x : f32
    affine.store %y, %a[%i] : memref<1024xf32>
  }
  affine.for %i = 0 to 1024 step 2 {
    %x = affine.load %a[%i] : memref<1024xf32>
    %y = arith.negf %x : f32
    affine.store %y, %a[%i] : memref<1024xf32>
  }
  return
}
