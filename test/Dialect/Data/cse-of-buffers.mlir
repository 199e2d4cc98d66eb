// An object keeps the contents that a buffer has when the object is created.
// RUN: %kopt %s --cse | FileCheck %s
// RUN: %kc run %s --inputs '[[1, 2]]' | FileCheck %s --check-prefix=VALUES
// RUN: %kc run %s --inputs '[[1, 2]]' --backend interpret | FileCheck %s --check-prefix=VALUES
// VALUES: {{^}}([1, 2], [3, 2])
// CHECK-LABEL: func.func private @twice
// CHECK: %[[A:.*]] = data.box %[[M:.*]] : (memref<2xf32>)
// CHECK-NEXT: memref.store
// CHECK: %[[B:.*]] = data.box %[[M]] : (memref<2xf32>)
// CHECK: return %[[A]], %[[A]], %[[B]]
func.func private @twice(%m: memref<2xf32>) -> (!data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f32
  %a = data.box %m : (memref<2xf32>) -> !data.box<tensor<2xf32>>
  %b = data.box %m : (memref<2xf32>) -> !data.box<tensor<2xf32>>
  memref.store %three, %m[%c0] : memref<2xf32>
  %c = data.box %m : (memref<2xf32>) -> !data.box<tensor<2xf32>>
  return %a, %b, %c : !data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>
}

func.func @main(%x: memref<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:3 = call @twice(%x) : (memref<2xf32>) -> (!data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>, !data.box<tensor<2xf32>>)
  %1 = data.unbox %0#1 : (!data.box<tensor<2xf32>>) -> tensor<2xf32>
  %2 = data.unbox %0#2 : (!data.box<tensor<2xf32>>) -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}
