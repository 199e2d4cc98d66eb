// RUN: %kopt %s --pass-pipeline="builtin.module(fuse)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(fuse{memory-cost=1000})" | FileCheck %s --check-prefix=MEMORY
// RUN: %kopt %s --pass-pipeline="builtin.module(fuse{explain})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %kopt %s --pass-pipeline="builtin.module(fuse)" --mlir-debug-counter=fuse-count=0 | FileCheck %s --check-prefix=COUNTED

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// A cheap producer is recomputed in both consumers, and the tensor is not materialized.
// CHECK-LABEL: func.func @cheap
// CHECK-NOT: arith.mulf {{.*}} : tensor
// CHECK: ins(%arg0 : tensor<?x?xf32>)
// CHECK: %[[P:.*]] = arith.mulf %[[A:.*]], %[[A]] : f32
// CHECK-NEXT: arith.addf %[[P]], %[[P]] : f32
// CHECK: ins(%arg0 : tensor<?x?xf32>)
// CHECK: %[[Q:.*]] = arith.mulf %[[B:.*]], %[[B]] : f32
// CHECK-NEXT: arith.subf %[[Q]], %[[Q]] : f32
// COUNTED-LABEL: func.func @cheap
// COUNTED: arith.mulf {{.*}} : tensor<?x?xf32>
func.func @cheap(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %p = arith.mulf %a, %a : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.subf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r, %q : tensor<?x?xf32>, tensor<?x?xf32>
}

// An expensive producer is computed once, unless memory is more expensive.
// CHECK-LABEL: func.func @dear
// CHECK: math.exp %arg0 : tensor<?x?xf32>
// MEMORY-LABEL: func.func @dear
// MEMORY-NOT: math.exp %arg0
// MEMORY-COUNT-2: math.exp {{.*}} : f32
// EXPLAIN: remark: 'linalg.generic' reads operand 0 and does not compute it: each element is read 2 times; computing it costs 14 instructions, reading it 4
// EXPLAIN: fuse-readers.mlir:[[@LINE+5]]:8
// EXPLAIN: note: 'math.exp' computes it here
// EXPLAIN: fuse-readers.mlir:[[@LINE+2]]:8
func.func @dear(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %p = math.exp %a : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.subf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r, %q : tensor<?x?xf32>, tensor<?x?xf32>
}

// A row that is repeated few times.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins(%arg0 : tensor<4xf32>)
func.func @broadcast(%a: tensor<4xf32>, %o: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %p = arith.mulf %a, %a : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4xf32>) outs(%o : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// A window over a tensor that is dear to compute.
// CHECK-LABEL: func.func @window
// CHECK: math.exp %arg0 : tensor<10xf32>
// EXPLAIN: remark: 'linalg.generic' reads operand 0 and does not compute it: each element is read 3 times
func.func @window(%a: tensor<10xf32>, %o: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<8xf32> {
  %p = math.exp %a : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<10xf32>, tensor<3xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %k: f32, %y: f32):
    %m = arith.mulf %x, %k : f32
    %s = arith.addf %m, %y : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// A build in a fold: each iteration reads another element.
// CHECK-LABEL: func.func @fold_of_build
// CHECK-NOT: tensor.
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
// CHECK-NEXT: %[[F:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT: %[[G:.*]] = arith.sitofp %[[F]] : i32 to f32
// CHECK-NEXT: %[[E:.*]] = math.exp %[[G]] : f32
// CHECK-NEXT: arith.addf %[[A]], %[[E]]
func.func @fold_of_build(%n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %v = math.exp %f : f32
    tensor.yield %v : f32
  } : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f32 {
    %e = tensor.extract %g[%i] : tensor<?xf32>
    %s = arith.addf %a, %e : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// One that is needed as it is.
// CHECK-LABEL: func.func @returned
// CHECK: math.exp %arg0 : tensor<?xf32>
// EXPLAIN: remark: 'tensor.extract' reads operand 0 and does not compute it: 'func.return' requires the tensor: the consumer has no iteration domain
func.func @returned(%a: tensor<?xf32>, %i: index) -> (tensor<?xf32>, f32) {
  %p = math.exp %a : tensor<?xf32>
  %e = tensor.extract %p[%i] : tensor<?xf32>
  return %p, %e : tensor<?xf32>, f32
}
