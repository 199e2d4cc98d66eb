func.func @unary(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  %r0 = math.absf %x : f32
  %r1 = math.absf %v fastmath<fast> : vector<4xf32>
  %r2 = math.acos %x : f32
  %r3 = math.acos %v fastmath<fast> : vector<4xf32>
  %r4 = math.acosh %x : f32
  %r5 = math.acosh %v fastmath<fast> : vector<4xf32>
  %r6 = math.asin %x : f32
  %r7 = math.asin %v fastmath<fast> : vector<4xf32>
  %r8 = math.asinh %x : f32
  %r9 = math.asinh %v fastmath<fast> : vector<4xf32>
  %r10 = math.atan %x : f32
  %r11 = math.atan %v fastmath<fast> : vector<4xf32>
  %r12 = math.atanh %x : f32
  %r13 = math.atanh %v fastmath<fast> : vector<4xf32>
  %r14 = math.cbrt %x : f32
  %r15 = math.cbrt %v fastmath<fast> : vector<4xf32>
  %r16 = math.ceil %x : f32
  %r17 = math.ceil %v fastmath<fast> : vector<4xf32>
  %r18 = math.cos %x : f32
  %r19 = math.cos %v fastmath<fast> : vector<4xf32>
  %r20 = math.cosh %x : f32
  %r21 = math.cosh %v fastmath<fast> : vector<4xf32>
  %r22 = math.erf %x : f32
  %r23 = math.erf %v fastmath<fast> : vector<4xf32>
  %r24 = math.erfc %x : f32
  %r25 = math.erfc %v fastmath<fast> : vector<4xf32>
  %r26 = math.exp %x : f32
  %r27 = math.exp %v fastmath<fast> : vector<4xf32>
  %r28 = math.exp2 %x : f32
  %r29 = math.exp2 %v fastmath<fast> : vector<4xf32>
  %r30 = math.expm1 %x : f32
  %r31 = math.expm1 %v fastmath<fast> : vector<4xf32>
  %r32 = math.floor %x : f32
  %r33 = math.floor %v fastmath<fast> : vector<4xf32>
  %r34 = math.log %x : f32
  %r35 = math.log %v fastmath<fast> : vector<4xf32>
  %r36 = math.log10 %x : f32
  %r37 = math.log10 %v fastmath<fast> : vector<4xf32>
  %r38 = math.log1p %x : f32
  %r39 = math.log1p %v fastmath<fast> : vector<4xf32>
  %r40 = math.log2 %x : f32
  %r41 = math.log2 %v fastmath<fast> : vector<4xf32>
  %r42 = math.round %x : f32
  %r43 = math.round %v fastmath<fast> : vector<4xf32>
  %r44 = math.roundeven %x : f32
  %r45 = math.roundeven %v fastmath<fast> : vector<4xf32>
  %r46 = math.rsqrt %x : f32
  %r47 = math.rsqrt %v fastmath<fast> : vector<4xf32>
  %r48 = math.sin %x : f32
  %r49 = math.sin %v fastmath<fast> : vector<4xf32>
  %r50 = math.sinh %x : f32
  %r51 = math.sinh %v fastmath<fast> : vector<4xf32>
  %r52 = math.sqrt %x : f32
  %r53 = math.sqrt %v fastmath<fast> : vector<4xf32>
  %r54 = math.tan %x : f32
  %r55 = math.tan %v fastmath<fast> : vector<4xf32>
  %r56 = math.tanh %x : f32
  %r57 = math.tanh %v fastmath<fast> : vector<4xf32>
  %r58 = math.trunc %x : f32
  %r59 = math.trunc %v fastmath<fast> : vector<4xf32>
  return
}

func.func @several(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  %r0 = math.atan2 %x, %x : f32
  %r1 = math.atan2 %t, %t fastmath<nnan> : tensor<*xf64>
  %r2 = math.copysign %x, %x : f32
  %r3 = math.copysign %t, %t fastmath<nnan> : tensor<*xf64>
  %r4 = math.powf %x, %x : f32
  %r5 = math.powf %t, %t fastmath<nnan> : tensor<*xf64>
  %r6 = math.fma %x, %x, %x : f32
  %r7 = math.fma %v, %v, %v fastmath<contract> {note} : vector<4xf32>
  %r8 = math.clampf %x to [%x, %x] : f32
  %r9 = math.clampf %d to [%d, %d] fastmath<fast> : f64
  %r10, %s10 = math.sincos %x : f32
  %r11, %s11 = math.sincos %v fastmath<fast> : vector<4xf32>
  return
}

func.func @powers(%x: f32, %a: i32, %i: index, %v: vector<4xf32>, %w: vector<4xi32>) {
  %r0 = math.fpowi %x, %a : f32, i32
  %r1 = math.fpowi %x, %i : f32, index
  %r2 = math.fpowi %v, %w fastmath<fast> : vector<4xf32>, vector<4xi32>
  %r3 = math.ipowi %a, %a : i32
  return
}

func.func @integers(%a: i32, %b: i32, %i: index, %v: vector<4xi8>, %t: tensor<?xi64>) {
  %r0 = math.absi %a : i32
  %r1 = math.absi %v : vector<4xi8>
  %r2 = math.absi %i : index
  %r3 = math.ctlz %a : i32
  %r4 = math.ctlz %v : vector<4xi8>
  %r5 = math.ctlz %i : index
  %r6 = math.cttz %a : i32
  %r7 = math.cttz %v : vector<4xi8>
  %r8 = math.cttz %i : index
  %r9 = math.ctpop %a : i32
  %r10 = math.ctpop %v : vector<4xi8>
  %r11 = math.ctpop %i : index
  return
}

func.func @classify(%x: f32, %d: f64, %h: f16, %v: vector<4xf32>, %t: tensor<*xf64>) {
  %r0 = math.isfinite %x : f32
  %r1 = math.isfinite %v : vector<4xf32>
  %r2 = math.isinf %x : f32
  %r3 = math.isinf %v : vector<4xf32>
  %r4 = math.isnan %x : f32
  %r5 = math.isnan %v : vector<4xf32>
  %r6 = math.isnormal %x : f32
  %r7 = math.isnormal %v : vector<4xf32>
  return
}
