// RUN: %kopt %s --pass-pipeline="builtin.module(outline{max-operations=4})" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(outline{max-operations=20})" | FileCheck %s --check-prefix=SHORT

// A long block is cut where few values are live. Constants are copied; the functions are not inlined again.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-NEXT: arith.constant
// CHECK-NEXT: %[[A:.*]] = call @chain_outlined_0(%[[X]]) : (f32) -> f32
// CHECK-NEXT: %[[B:.*]] = call @chain_outlined_1(%[[A]]) : (f32) -> f32
// CHECK-NEXT: return %[[B]] : f32
// CHECK-LABEL: func.func private @chain_outlined_0(
// CHECK-SAME: attributes {no_inline} {
// CHECK-NEXT: arith.constant
// CHECK: return
// SHORT-NOT: outlined
func.func @chain(%x: f32) -> f32 {
  %c = arith.constant 2.0 : f32
  %0 = arith.mulf %x, %c : f32
  %1 = arith.addf %0, %0 : f32
  %2 = arith.mulf %1, %c : f32
  %3 = arith.addf %2, %2 : f32
  %4 = arith.mulf %3, %c : f32
  %5 = arith.addf %4, %4 : f32
  return %5 : f32
}

// Storage on the stack stays in its function; that on the heap may be given back.
// CHECK-LABEL: func.func @storage(
// CHECK: memref.alloca
// CHECK-NOT: memref.store
// CHECK: call @storage_outlined_0
// CHECK: return
// CHECK-LABEL: func.func private @storage_outlined_0(
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @storage(%x: f32) -> (f32, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %s = memref.alloca() : memref<f32>
  memref.store %x, %s[] : memref<f32>
  %h = memref.alloc() : memref<2xf32>
  memref.store %x, %h[%c0] : memref<2xf32>
  %0 = memref.load %s[] : memref<f32>
  %1 = arith.addf %0, %0 : f32
  %2 = arith.addf %1, %1 : f32
  return %2, %h : f32, memref<2xf32>
}

// So may a view of storage from elsewhere, such as of the frame of a function.
// CHECK-LABEL: func.func @views(
// CHECK: %[[FIRST:.*]]:2 = call @views_outlined_0(%{{.*}}) : (f32) -> (memref<64xi8>, memref<2xf32>)
// CHECK: call @views_outlined_1(
// CHECK-LABEL: func.func private @views_outlined_0(
// CHECK: memref.alloc
// CHECK: memref.view
// CHECK-LABEL: func.func private @views_outlined_1(
// CHECK: memref.view
// CHECK: return
func.func @views(%x: f32) -> (memref<2xf32>, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %frame = memref.alloc() : memref<64xi8>
  %a = memref.view %frame[%c0][] : memref<64xi8> to memref<2xf32>
  memref.store %x, %a[%c0] : memref<2xf32>
  memref.store %x, %a[%c0] : memref<2xf32>
  %b = memref.view %frame[%c32][] : memref<64xi8> to memref<2xf32>
  memref.store %x, %b[%c0] : memref<2xf32>
  memref.store %x, %b[%c0] : memref<2xf32>
  return %a, %b : memref<2xf32>, memref<2xf32>
}

// A computation that asks for the indices of a point stays whole.
// CHECK-LABEL: func.func @points(
// CHECK: linalg.index 0
// CHECK: arith.muli
// CHECK: arith.xori
// CHECK: linalg.yield
#map = affine_map<(d0) -> (d0)>
func.func @points(%out: tensor<8xindex>) -> tensor<8xindex> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%out : tensor<8xindex>) {
  ^bb0(%a: index):
    %i = linalg.index 0 : index
    %1 = arith.addi %i, %a : index
    %2 = arith.muli %1, %1 : index
    %3 = arith.addi %2, %i : index
    %4 = arith.xori %3, %1 : index
    %5 = arith.ori %4, %i : index
    linalg.yield %5 : index
  } -> tensor<8xindex>
  return %0 : tensor<8xindex>
}
