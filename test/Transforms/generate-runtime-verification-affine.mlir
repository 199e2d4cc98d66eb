// RUN: %kopt %s --generate-runtime-verification | FileCheck %s

// CHECK-LABEL: func.func @accesses
// CHECK-SAME: (%[[M:.*]]: memref<8xf32>, %[[N:.*]]: index)
func.func @accesses(%m: memref<8xf32>, %n: index) -> f32 {
  // CHECK: %[[DOUBLE:.*]] = arith.muli %[[N]], %c2 overflow<nsw> : index
  // CHECK: %[[AT:.*]] = arith.addi %[[DOUBLE]], %c1 : index
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %c8 : index
  // CHECK: data.assert %[[INSIDE]], "index {} is out of bounds for extent 8"(%[[AT]])
  // CHECK: affine.load %[[M]][symbol(%[[N]]) * 2 + 1]
  %x = affine.load %m[symbol(%n) * 2 + 1] : memref<8xf32>
  // CHECK: %[[ALSO:.*]] = arith.cmpi ult, %[[N]], %c8 : index
  // CHECK: data.assert %[[ALSO]], "index {} is out of bounds for extent 8"(%[[N]])
  // CHECK: affine.store %{{.*}}, %[[M]][symbol(%[[N]])]
  affine.store %x, %m[symbol(%n)] : memref<8xf32>
  return %x : f32
}
