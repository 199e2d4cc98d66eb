func.func @constants() {
  %r0 = arith.constant 4 : i32
  %r1 = arith.constant -1 : i64
  %r2 = arith.constant 3 : index
  %r3 = arith.constant true
  %r4 = arith.constant false
  %r5 = arith.constant 1.500000e+00 : f32
  %r6 = arith.constant -0.000000e+00 : f64
  %r7 = arith.constant 0x7FC00000 : f32
  %r8 = arith.constant 1.000000e+00 : bf16
  %r9 = arith.constant dense<1> : vector<4xi32>
  %r10 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r11 = arith.constant dense<0> : vector<[4]xi8>
  %r12 = arith.constant {label = "x"} 4 : i32
  return
}

func.func @overflowing(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  %r0 = arith.addi %a, %b : i32
  %r1 = arith.addi %a, %b overflow<nsw> : i32
  %r2 = arith.addi %a, %b overflow<nuw> : i32
  %r3 = arith.addi %i, %i overflow<nsw, nuw> : index
  %r4 = arith.addi %v, %v : vector<4xi8>
  %r5 = arith.addi %t, %t {note} : tensor<?xi64>
  %r6 = arith.subi %a, %b : i32
  %r7 = arith.subi %a, %b overflow<nsw> : i32
  %r8 = arith.subi %a, %b overflow<nuw> : i32
  %r9 = arith.subi %i, %i overflow<nsw, nuw> : index
  %r10 = arith.subi %v, %v : vector<4xi8>
  %r11 = arith.subi %t, %t {note} : tensor<?xi64>
  %r12 = arith.muli %a, %b : i32
  %r13 = arith.muli %a, %b overflow<nsw> : i32
  %r14 = arith.muli %a, %b overflow<nuw> : i32
  %r15 = arith.muli %i, %i overflow<nsw, nuw> : index
  %r16 = arith.muli %v, %v : vector<4xi8>
  %r17 = arith.muli %t, %t {note} : tensor<?xi64>
  %r18 = arith.shli %a, %b : i32
  %r19 = arith.shli %a, %b overflow<nsw> : i32
  %r20 = arith.shli %a, %b overflow<nuw> : i32
  %r21 = arith.shli %i, %i overflow<nsw, nuw> : index
  %r22 = arith.shli %v, %v : vector<4xi8>
  %r23 = arith.shli %t, %t {note} : tensor<?xi64>
  return
}

func.func @exact(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  %r0 = arith.divsi %a, %b : i32
  %r1 = arith.divsi %a, %b exact : i32
  %r2 = arith.divsi %v, %v exact {note} : vector<4xi8>
  %r3 = arith.divui %a, %b : i32
  %r4 = arith.divui %a, %b exact : i32
  %r5 = arith.divui %v, %v exact {note} : vector<4xi8>
  %r6 = arith.shrsi %a, %b : i32
  %r7 = arith.shrsi %a, %b exact : i32
  %r8 = arith.shrsi %v, %v exact {note} : vector<4xi8>
  %r9 = arith.shrui %a, %b : i32
  %r10 = arith.shrui %a, %b exact : i32
  %r11 = arith.shrui %v, %v exact {note} : vector<4xi8>
  return
}

func.func @integers(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  %r0 = arith.ceildivsi %a, %b : i32
  %r1 = arith.ceildivsi %t, %t : tensor<?xi64>
  %r2 = arith.ceildivui %a, %b : i32
  %r3 = arith.ceildivui %t, %t : tensor<?xi64>
  %r4 = arith.floordivsi %a, %b : i32
  %r5 = arith.floordivsi %t, %t : tensor<?xi64>
  %r6 = arith.remsi %a, %b : i32
  %r7 = arith.remsi %t, %t : tensor<?xi64>
  %r8 = arith.remui %a, %b : i32
  %r9 = arith.remui %t, %t : tensor<?xi64>
  %r10 = arith.andi %a, %b : i32
  %r11 = arith.andi %t, %t : tensor<?xi64>
  %r12 = arith.ori %a, %b : i32
  %r13 = arith.ori %t, %t : tensor<?xi64>
  %r14 = arith.xori %a, %b : i32
  %r15 = arith.xori %t, %t : tensor<?xi64>
  %r16 = arith.maxsi %a, %b : i32
  %r17 = arith.maxsi %t, %t : tensor<?xi64>
  %r18 = arith.maxui %a, %b : i32
  %r19 = arith.maxui %t, %t : tensor<?xi64>
  %r20 = arith.minsi %a, %b : i32
  %r21 = arith.minsi %t, %t : tensor<?xi64>
  %r22 = arith.minui %a, %b : i32
  %r23 = arith.minui %t, %t : tensor<?xi64>
  return
}

func.func @extended(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  %r0, %s0 = arith.addui_extended %a, %b : i32, i1
  %r1, %s1 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  %r2, %s2 = arith.mulsi_extended %a, %b : i32
  %r3, %s3 = arith.mului_extended %v, %v : vector<4xi8>
  return
}

