// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s | %kopt | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: arith.constant 4 : i32
  %r0 = arith.constant 4 : i32
  // CHECK: arith.constant -1 : i64
  %r1 = arith.constant -1 : i64
  // CHECK: arith.constant 3 : index
  %r2 = arith.constant 3 : index
  // CHECK: arith.constant true
  %r3 = arith.constant true
  // CHECK: arith.constant false
  %r4 = arith.constant false
  // CHECK: arith.constant 1.500000e+00 : f32
  %r5 = arith.constant 1.500000e+00 : f32
  // CHECK: arith.constant -0.000000e+00 : f64
  %r6 = arith.constant -0.000000e+00 : f64
  // CHECK: arith.constant 0x7FC00000 : f32
  %r7 = arith.constant 0x7FC00000 : f32
  // CHECK: arith.constant 1.000000e+00 : bf16
  %r8 = arith.constant 1.000000e+00 : bf16
  // CHECK: arith.constant dense<1> : vector<4xi32>
  %r9 = arith.constant dense<1> : vector<4xi32>
  // CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r10 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK: arith.constant dense<0> : vector<[4]xi8>
  %r11 = arith.constant dense<0> : vector<[4]xi8>
  // CHECK: arith.constant {label = "x"} 4 : i32
  %r12 = arith.constant {label = "x"} 4 : i32
  return
}

// CHECK-LABEL: func.func @overflowing
func.func @overflowing(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r0 = arith.addi %a, %b : i32
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw> : i32
  %r1 = arith.addi %a, %b overflow<nsw> : i32
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nuw> : i32
  %r2 = arith.addi %a, %b overflow<nuw> : i32
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw, nuw> : index
  %r3 = arith.addi %i, %i overflow<nsw, nuw> : index
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r4 = arith.addi %v, %v : vector<4xi8>
  // CHECK: arith.addi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<?xi64>
  %r5 = arith.addi %t, %t {note} : tensor<?xi64>
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r6 = arith.subi %a, %b : i32
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw> : i32
  %r7 = arith.subi %a, %b overflow<nsw> : i32
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nuw> : i32
  %r8 = arith.subi %a, %b overflow<nuw> : i32
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw, nuw> : index
  %r9 = arith.subi %i, %i overflow<nsw, nuw> : index
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r10 = arith.subi %v, %v : vector<4xi8>
  // CHECK: arith.subi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<?xi64>
  %r11 = arith.subi %t, %t {note} : tensor<?xi64>
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r12 = arith.muli %a, %b : i32
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw> : i32
  %r13 = arith.muli %a, %b overflow<nsw> : i32
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nuw> : i32
  %r14 = arith.muli %a, %b overflow<nuw> : i32
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw, nuw> : index
  %r15 = arith.muli %i, %i overflow<nsw, nuw> : index
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r16 = arith.muli %v, %v : vector<4xi8>
  // CHECK: arith.muli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<?xi64>
  %r17 = arith.muli %t, %t {note} : tensor<?xi64>
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r18 = arith.shli %a, %b : i32
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw> : i32
  %r19 = arith.shli %a, %b overflow<nsw> : i32
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nuw> : i32
  %r20 = arith.shli %a, %b overflow<nuw> : i32
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} overflow<nsw, nuw> : index
  %r21 = arith.shli %i, %i overflow<nsw, nuw> : index
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r22 = arith.shli %v, %v : vector<4xi8>
  // CHECK: arith.shli %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<?xi64>
  %r23 = arith.shli %t, %t {note} : tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @exact
func.func @exact(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  // CHECK: arith.divsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r0 = arith.divsi %a, %b : i32
  // CHECK: arith.divsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact : i32
  %r1 = arith.divsi %a, %b exact : i32
  // CHECK: arith.divsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact {note} : vector<4xi8>
  %r2 = arith.divsi %v, %v exact {note} : vector<4xi8>
  // CHECK: arith.divui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r3 = arith.divui %a, %b : i32
  // CHECK: arith.divui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact : i32
  %r4 = arith.divui %a, %b exact : i32
  // CHECK: arith.divui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact {note} : vector<4xi8>
  %r5 = arith.divui %v, %v exact {note} : vector<4xi8>
  // CHECK: arith.shrsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r6 = arith.shrsi %a, %b : i32
  // CHECK: arith.shrsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact : i32
  %r7 = arith.shrsi %a, %b exact : i32
  // CHECK: arith.shrsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact {note} : vector<4xi8>
  %r8 = arith.shrsi %v, %v exact {note} : vector<4xi8>
  // CHECK: arith.shrui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r9 = arith.shrui %a, %b : i32
  // CHECK: arith.shrui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact : i32
  %r10 = arith.shrui %a, %b exact : i32
  // CHECK: arith.shrui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} exact {note} : vector<4xi8>
  %r11 = arith.shrui %v, %v exact {note} : vector<4xi8>
  return
}

// CHECK-LABEL: func.func @integers
func.func @integers(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  // CHECK: arith.ceildivsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r0 = arith.ceildivsi %a, %b : i32
  // CHECK: arith.ceildivsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r1 = arith.ceildivsi %t, %t : tensor<?xi64>
  // CHECK: arith.ceildivui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r2 = arith.ceildivui %a, %b : i32
  // CHECK: arith.ceildivui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r3 = arith.ceildivui %t, %t : tensor<?xi64>
  // CHECK: arith.floordivsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r4 = arith.floordivsi %a, %b : i32
  // CHECK: arith.floordivsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r5 = arith.floordivsi %t, %t : tensor<?xi64>
  // CHECK: arith.remsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r6 = arith.remsi %a, %b : i32
  // CHECK: arith.remsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r7 = arith.remsi %t, %t : tensor<?xi64>
  // CHECK: arith.remui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r8 = arith.remui %a, %b : i32
  // CHECK: arith.remui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r9 = arith.remui %t, %t : tensor<?xi64>
  // CHECK: arith.andi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r10 = arith.andi %a, %b : i32
  // CHECK: arith.andi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r11 = arith.andi %t, %t : tensor<?xi64>
  // CHECK: arith.ori %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r12 = arith.ori %a, %b : i32
  // CHECK: arith.ori %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r13 = arith.ori %t, %t : tensor<?xi64>
  // CHECK: arith.xori %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r14 = arith.xori %a, %b : i32
  // CHECK: arith.xori %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r15 = arith.xori %t, %t : tensor<?xi64>
  // CHECK: arith.maxsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r16 = arith.maxsi %a, %b : i32
  // CHECK: arith.maxsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r17 = arith.maxsi %t, %t : tensor<?xi64>
  // CHECK: arith.maxui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r18 = arith.maxui %a, %b : i32
  // CHECK: arith.maxui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r19 = arith.maxui %t, %t : tensor<?xi64>
  // CHECK: arith.minsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r20 = arith.minsi %a, %b : i32
  // CHECK: arith.minsi %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r21 = arith.minsi %t, %t : tensor<?xi64>
  // CHECK: arith.minui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r22 = arith.minui %a, %b : i32
  // CHECK: arith.minui %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi64>
  %r23 = arith.minui %t, %t : tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @extended
func.func @extended(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  // CHECK: arith.addui_extended %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32, i1
  %r0, %s0 = arith.addui_extended %a, %b : i32, i1
  // CHECK: arith.addui_extended %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>, vector<4xi1>
  %r1, %s1 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  // CHECK: arith.mulsi_extended %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r2, %s2 = arith.mulsi_extended %a, %b : i32
  // CHECK: arith.mului_extended %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r3, %s3 = arith.mului_extended %v, %v : vector<4xi8>
  return
}

// CHECK-LABEL: func.func @floats
func.func @floats(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r0 = arith.addf %x, %x : f32
  // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r1 = arith.addf %d, %d fastmath<fast> : f64
  // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r2 = arith.addf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r3 = arith.addf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.subf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r4 = arith.subf %x, %x : f32
  // CHECK: arith.subf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r5 = arith.subf %d, %d fastmath<fast> : f64
  // CHECK: arith.subf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r6 = arith.subf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.subf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r7 = arith.subf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.mulf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r8 = arith.mulf %x, %x : f32
  // CHECK: arith.mulf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r9 = arith.mulf %d, %d fastmath<fast> : f64
  // CHECK: arith.mulf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r10 = arith.mulf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.mulf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r11 = arith.mulf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.divf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r12 = arith.divf %x, %x : f32
  // CHECK: arith.divf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r13 = arith.divf %d, %d fastmath<fast> : f64
  // CHECK: arith.divf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r14 = arith.divf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.divf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r15 = arith.divf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.remf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r16 = arith.remf %x, %x : f32
  // CHECK: arith.remf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r17 = arith.remf %d, %d fastmath<fast> : f64
  // CHECK: arith.remf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r18 = arith.remf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.remf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r19 = arith.remf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.maximumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r20 = arith.maximumf %x, %x : f32
  // CHECK: arith.maximumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r21 = arith.maximumf %d, %d fastmath<fast> : f64
  // CHECK: arith.maximumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r22 = arith.maximumf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.maximumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r23 = arith.maximumf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.minimumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r24 = arith.minimumf %x, %x : f32
  // CHECK: arith.minimumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r25 = arith.minimumf %d, %d fastmath<fast> : f64
  // CHECK: arith.minimumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r26 = arith.minimumf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.minimumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r27 = arith.minimumf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.maxnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r28 = arith.maxnumf %x, %x : f32
  // CHECK: arith.maxnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r29 = arith.maxnumf %d, %d fastmath<fast> : f64
  // CHECK: arith.maxnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r30 = arith.maxnumf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.maxnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r31 = arith.maxnumf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.minnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r32 = arith.minnumf %x, %x : f32
  // CHECK: arith.minnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<fast> : f64
  %r33 = arith.minnumf %d, %d fastmath<fast> : f64
  // CHECK: arith.minnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan,ninf> : vector<4xf32>
  %r34 = arith.minnumf %v, %v fastmath<nnan,ninf> : vector<4xf32>
  // CHECK: arith.minnumf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<*xf64>
  %r35 = arith.minnumf %t, %t {note} : tensor<*xf64>
  // CHECK: arith.negf %{{[a-z0-9]+}} : f16
  %r36 = arith.negf %h : f16
  // CHECK: arith.negf %{{[a-z0-9]+}} fastmath<contract> : vector<4xf32>
  %r37 = arith.negf %v fastmath<contract> : vector<4xf32>
  return
}

// CHECK-LABEL: func.func @compare_integers
func.func @compare_integers(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  // CHECK: arith.cmpi eq, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r0 = arith.cmpi eq, %a, %b : i32
  // CHECK: arith.cmpi ne, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r1 = arith.cmpi ne, %a, %b : i32
  // CHECK: arith.cmpi slt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r2 = arith.cmpi slt, %a, %b : i32
  // CHECK: arith.cmpi sle, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r3 = arith.cmpi sle, %a, %b : i32
  // CHECK: arith.cmpi sgt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r4 = arith.cmpi sgt, %a, %b : i32
  // CHECK: arith.cmpi sge, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r5 = arith.cmpi sge, %a, %b : i32
  // CHECK: arith.cmpi ult, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r6 = arith.cmpi ult, %a, %b : i32
  // CHECK: arith.cmpi ule, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r7 = arith.cmpi ule, %a, %b : i32
  // CHECK: arith.cmpi ugt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r8 = arith.cmpi ugt, %a, %b : i32
  // CHECK: arith.cmpi uge, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r9 = arith.cmpi uge, %a, %b : i32
  // CHECK: arith.cmpi eq, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : index
  %r10 = arith.cmpi eq, %i, %i : index
  // CHECK: arith.cmpi slt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi8>
  %r11 = arith.cmpi slt, %v, %v : vector<4xi8>
  // CHECK: arith.cmpi slt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : tensor<?xi64>
  %r12 = arith.cmpi slt, %t, %t {note} : tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @compare_floats
func.func @compare_floats(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  // CHECK: arith.cmpf false, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r0 = arith.cmpf false, %x, %x : f32
  // CHECK: arith.cmpf oeq, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r1 = arith.cmpf oeq, %x, %x : f32
  // CHECK: arith.cmpf ogt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r2 = arith.cmpf ogt, %x, %x : f32
  // CHECK: arith.cmpf oge, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r3 = arith.cmpf oge, %x, %x : f32
  // CHECK: arith.cmpf olt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r4 = arith.cmpf olt, %x, %x : f32
  // CHECK: arith.cmpf ole, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r5 = arith.cmpf ole, %x, %x : f32
  // CHECK: arith.cmpf one, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r6 = arith.cmpf one, %x, %x : f32
  // CHECK: arith.cmpf ord, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r7 = arith.cmpf ord, %x, %x : f32
  // CHECK: arith.cmpf ueq, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r8 = arith.cmpf ueq, %x, %x : f32
  // CHECK: arith.cmpf ugt, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r9 = arith.cmpf ugt, %x, %x : f32
  // CHECK: arith.cmpf uge, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r10 = arith.cmpf uge, %x, %x : f32
  // CHECK: arith.cmpf ult, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r11 = arith.cmpf ult, %x, %x : f32
  // CHECK: arith.cmpf ule, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r12 = arith.cmpf ule, %x, %x : f32
  // CHECK: arith.cmpf une, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r13 = arith.cmpf une, %x, %x : f32
  // CHECK: arith.cmpf uno, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r14 = arith.cmpf uno, %x, %x : f32
  // CHECK: arith.cmpf true, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
  %r15 = arith.cmpf true, %x, %x : f32
  // CHECK: arith.cmpf oeq, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} fastmath<nnan> : vector<4xf32>
  %r16 = arith.cmpf oeq, %v, %v fastmath<nnan> : vector<4xf32>
  return
}

// CHECK-LABEL: func.func @select
func.func @select(%c: i1, %cv: vector<4xi1>, %a: i32, %v: vector<4xf32>, %t: tensor<?xf32>, %ct: tensor<?xi1>, %m: memref<4xf32>) {
  // CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
  %r0 = arith.select %c, %a, %a : i32
  // CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xf32>
  %r1 = arith.select %c, %v, %v : vector<4xf32>
  // CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : vector<4xi1>, vector<4xf32>
  %r2 = arith.select %cv, %v, %v : vector<4xi1>, vector<4xf32>
  // CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?xi1>, tensor<?xf32>
  %r3 = arith.select %ct, %t, %t : tensor<?xi1>, tensor<?xf32>
  // CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {note} : memref<4xf32>
  %r4 = arith.select %c, %m, %m {note} : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @casts
func.func @casts(%a: i32, %b: i64, %i: index, %x: f32, %d: f64, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?x4xf64>, %m: memref<4xi32>, %n: memref<2xindex>) {
  // CHECK: arith.extf %{{[a-z0-9]+}} : f32 to f64
  %r0 = arith.extf %x : f32 to f64
  // CHECK: arith.extf %{{[a-z0-9]+}} fastmath<fast> : f32 to f64
  %r1 = arith.extf %x fastmath<fast> : f32 to f64
  // CHECK: arith.extf %{{[a-z0-9]+}} : vector<4xf32> to vector<4xf64>
  %r2 = arith.extf %w : vector<4xf32> to vector<4xf64>
  // CHECK: arith.truncf %{{[a-z0-9]+}} : f64 to f32
  %r3 = arith.truncf %d : f64 to f32
  // CHECK: arith.truncf %{{[a-z0-9]+}} to_nearest_even : f64 to f32
  %r4 = arith.truncf %d to_nearest_even : f64 to f32
  // CHECK: arith.truncf %{{[a-z0-9]+}} downward : f64 to f16
  %r5 = arith.truncf %d downward : f64 to f16
  // CHECK: arith.truncf %{{[a-z0-9]+}} upward : f64 to bf16
  %r6 = arith.truncf %d upward : f64 to bf16
  // CHECK: arith.truncf %{{[a-z0-9]+}} toward_zero fastmath<contract> : f64 to f32
  %r7 = arith.truncf %d toward_zero fastmath<contract> : f64 to f32
  // CHECK: arith.truncf %{{[a-z0-9]+}} to_nearest_away : f64 to f32
  %r8 = arith.truncf %d to_nearest_away : f64 to f32
  // CHECK: arith.truncf %{{[a-z0-9]+}} : tensor<?x4xf64> to tensor<?x4xf32>
  %r9 = arith.truncf %t : tensor<?x4xf64> to tensor<?x4xf32>
  // CHECK: arith.extsi %{{[a-z0-9]+}} : i32 to i64
  %r10 = arith.extsi %a : i32 to i64
  // CHECK: arith.extui %{{[a-z0-9]+}} : vector<4xi32> to vector<4xi64>
  %r11 = arith.extui %v : vector<4xi32> to vector<4xi64>
  // CHECK: arith.trunci %{{[a-z0-9]+}} : i64 to i32
  %r12 = arith.trunci %b : i64 to i32
  // CHECK: arith.trunci %{{[a-z0-9]+}} overflow<nsw> : i64 to i1
  %r13 = arith.trunci %b overflow<nsw> : i64 to i1
  // CHECK: arith.trunci %{{[a-z0-9]+}} overflow<nsw, nuw> {note} : vector<4xi32> to vector<4xi8>
  %r14 = arith.trunci %v overflow<nsw, nuw> {note} : vector<4xi32> to vector<4xi8>
  // CHECK: arith.sitofp %{{[a-z0-9]+}} : i32 to f32
  %r15 = arith.sitofp %a : i32 to f32
  // CHECK: arith.uitofp %{{[a-z0-9]+}} : vector<4xi32> to vector<4xf64>
  %r16 = arith.uitofp %v : vector<4xi32> to vector<4xf64>
  // CHECK: arith.fptosi %{{[a-z0-9]+}} : f32 to i32
  %r17 = arith.fptosi %x : f32 to i32
  // CHECK: arith.fptoui %{{[a-z0-9]+}} : tensor<?x4xf64> to tensor<?x4xi8>
  %r18 = arith.fptoui %t : tensor<?x4xf64> to tensor<?x4xi8>
  // CHECK: arith.index_cast %{{[a-z0-9]+}} : index to i64
  %r19 = arith.index_cast %i : index to i64
  // CHECK: arith.index_cast %{{[a-z0-9]+}} : i32 to index
  %r20 = arith.index_cast %a : i32 to index
  // CHECK: arith.index_cast %{{[a-z0-9]+}} : memref<2xindex> to memref<2xi64>
  %r21 = arith.index_cast %n : memref<2xindex> to memref<2xi64>
  // CHECK: arith.index_castui %{{[a-z0-9]+}} : index to i8
  %r22 = arith.index_castui %i : index to i8
  // CHECK: arith.bitcast %{{[a-z0-9]+}} : i32 to f32
  %r23 = arith.bitcast %a : i32 to f32
  // CHECK: arith.bitcast %{{[a-z0-9]+}} : vector<4xf32> to vector<4xi32>
  %r24 = arith.bitcast %w : vector<4xf32> to vector<4xi32>
  // CHECK: arith.bitcast %{{[a-z0-9]+}} : memref<4xi32> to memref<4xf32>
  %r25 = arith.bitcast %m : memref<4xi32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @multiple_of_vscale
func.func @multiple_of_vscale(%a: index) -> index {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  // CHECK: %c4_vscale = arith.muli %c4, %vscale : index
  %0 = arith.muli %c4, %v : index
  // CHECK: %c4_vscale_0 = arith.muli %vscale, %c4 : index
  %1 = arith.muli %v, %c4 : index
  // CHECK: %[[OTHER:[0-9]+]] = arith.muli %vscale, %arg0 : index
  %2 = arith.muli %v, %a : index
  return %2 : index
}
