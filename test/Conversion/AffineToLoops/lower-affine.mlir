// RUN: %kopt %s --lower-affine | FileCheck %s
// RUN: %if mlir-opt %{ %mlir-opt %s --lower-affine | FileCheck %s %}

// CHECK-LABEL: func.func @quotients
// CHECK-SAME: (%[[X:.*]]: index)
func.func @quotients(%x: index) -> (index, index, index) {
  // CHECK: %[[C4:.*]] = arith.constant 4 : index
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[M1:.*]] = arith.constant -1 : index
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[X]], %[[C0]] : index
  // CHECK: %[[COMPLEMENT:.*]] = arith.subi %[[M1]], %[[X]] : index
  // CHECK: %[[DIVIDEND:.*]] = arith.select %[[NEGATIVE]], %[[COMPLEMENT]], %[[X]] : index
  // CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[DIVIDEND]], %[[C4]] : index
  // CHECK: %[[BELOW:.*]] = arith.subi %[[M1]], %[[QUOTIENT]] : index
  // CHECK: %[[FLOOR:.*]] = arith.select %[[NEGATIVE]], %[[BELOW]], %[[QUOTIENT]] : index
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%x)
  // CHECK: arith.cmpi sle, %[[X]]
  // CHECK: arith.divsi
  // CHECK: %[[CEIL:.*]] = arith.select
  %b = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%x)
  // CHECK: %[[REST:.*]] = arith.remsi %[[X]]
  // CHECK: arith.cmpi slt, %[[REST]]
  // CHECK: %[[SUM:.*]] = arith.addi %[[REST]]
  // CHECK: %[[MOD:.*]] = arith.select %{{.*}}, %[[SUM]], %[[REST]] : index
  %c = affine.apply affine_map<(d0) -> (d0 mod 4)>(%x)
  // CHECK: return %[[FLOOR]], %[[CEIL]], %[[MOD]]
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: func.func @loops
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: memref<8x?xf32>, %[[X:.*]]: f32)
func.func @loops(%n: index, %m: memref<8x?xf32>, %x: f32) -> f32 {
  // CHECK: %[[LOWER:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
  // CHECK: %[[UPPER:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
  // CHECK: %[[STEP:.*]] = arith.constant 2 : index
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %[[LOWER]] to %[[UPPER]] step %[[STEP]] iter_args(%[[S:.*]] = %[[X]]) -> (f32) {
  %r = affine.for %i = max affine_map<()[s0] -> (0, s0 - 4)>()[%n] to min affine_map<()[s0] -> (8, s0)>()[%n] step 2 iter_args(%s = %x) -> f32 {
    // CHECK: %[[AT:.*]] = arith.addi %[[I]], %{{.*}} : index
    // CHECK: %[[Y:.*]] = memref.load %[[M]][%[[I]], %[[AT]]] : memref<8x?xf32>
    %y = affine.load %m[%i, %i + 1] : memref<8x?xf32>
    // CHECK: memref.store %[[Y]], %[[M]][%{{.*}}, %{{.*}}] : memref<8x?xf32>
    affine.store %y, %m[0, symbol(%n) * 3] : memref<8x?xf32>
    // CHECK: memref.prefetch %[[M]][%{{.*}}, %{{.*}}], write, locality<1>, data
    affine.prefetch %m[1, 2], write, locality<1>, data : memref<8x?xf32>
    // CHECK: %[[V:.*]] = vector.load %[[M]][%[[I]], %{{.*}}] : memref<8x?xf32>, vector<4xf32>
    %v = affine.vector_load %m[%i, 0] : memref<8x?xf32>, vector<4xf32>
    // CHECK: vector.store %[[V]], %[[M]][%{{.*}}, %[[I]]] : memref<8x?xf32>, vector<4xf32>
    affine.vector_store %v, %m[0, %i] : memref<8x?xf32>, vector<4xf32>
    // CHECK-DAG: arith.cmpi sge
    // CHECK-DAG: arith.cmpi eq
    // CHECK: %[[BOTH:.*]] = arith.andi
    // CHECK: %[[T:.*]] = scf.if %[[BOTH]] -> (f32) {
    // CHECK: scf.yield %[[Y]] : f32
    // CHECK: } else {
    // CHECK: scf.yield %[[S]] : f32
    %t = affine.if affine_set<(d0)[s0] : (d0 - 4 >= 0, d0 floordiv 2 - s0 == 0)>(%i)[%n] -> f32 {
      affine.yield %y : f32
    } else {
      affine.yield %s : f32
    }
    // CHECK: scf.yield %[[T]] : f32
    affine.yield %t : f32
  }
  // CHECK: return %[[R]]
  return %r : f32
}

// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index, %m: memref<8xf32>) -> (f32, i32) {
  // CHECK: %[[R:.*]]:2 = scf.parallel (%[[I:.*]], %{{.*}}) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) init (%{{.*}}, %{{.*}}) -> (f32, i32) {
  %r:2 = affine.parallel (%i, %j) = (0, 1) to (%n, 8) step (1, 2) reduce ("addf", "andi") -> (f32, i32) {
    // CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[I]]]
    %x = affine.load %m[%i] : memref<8xf32>
    %y = arith.constant 3 : i32
    // CHECK: scf.reduce(%[[X]], %{{.*}} : f32, i32) {
    // CHECK: arith.addf
    // CHECK: scf.reduce.return
    // CHECK: arith.andi
    // CHECK: scf.reduce.return
    affine.yield %x, %y : f32, i32
  }
  // CHECK: scf.parallel
  // CHECK: scf.reduce
  affine.parallel (%i) = (0) to (%n) {
  }
  return %r#0, %r#1 : f32, i32
}

// CHECK-LABEL: func.func @digits
// CHECK-SAME: (%[[X:.*]]: index, %[[N:.*]]: index)
func.func @digits(%x: index, %n: index) -> index {
  // CHECK: %[[C4:.*]] = arith.constant 4 : index
  // CHECK: %[[STRIDE:.*]] = arith.muli %[[N]], %{{.*}} overflow<nsw, nuw> : index
  // CHECK: arith.floordivsi %[[X]], %[[STRIDE]] : index
  // CHECK: arith.remsi %[[X]], %[[STRIDE]] : index
  // CHECK: arith.divsi
  // CHECK: arith.remsi %[[X]], %[[C4]] : index
  %d:3 = affine.delinearize_index %x into (3, %n, 4) : index, index, index
  // CHECK: arith.muli %{{.*}} overflow<nsw> : index
  // CHECK: arith.muli %{{.*}} overflow<nsw> : index
  // CHECK: arith.addi %{{.*}} overflow<nsw> : index
  // CHECK: arith.addi %{{.*}} overflow<nsw> : index
  %l = affine.linearize_index [%d#2, %d#1, %d#0] by (4, %n, 3) : index
  return %l : index
}

// CHECK-LABEL: func.func @transfers
func.func @transfers(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    // CHECK: %[[AT:.*]] = arith.addi
    // CHECK: memref.dma_start %{{.*}}[%{{.*}}], %{{.*}}[%[[AT]]], %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
    affine.dma_start %a[%i], %b[%i + 1], %t[0], %n, %n, %n : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
    // CHECK: memref.dma_wait %{{.*}}[%{{.*}}], %{{.*}} : memref<1xi32>
    affine.dma_wait %t[0], %n : memref<1xi32>
  }
  return
}
