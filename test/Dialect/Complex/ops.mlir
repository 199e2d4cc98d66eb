// RUN: %kopt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %kopt --allow-unregistered-dialect %s | %kopt --allow-unregistered-dialect | FileCheck %s
// RUN: %kopt --allow-unregistered-dialect %s --mlir-print-op-generic | %kopt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%s: complex<f32>, %d: complex<f64>) {
  // CHECK: complex.conj %{{[a-z0-9_]+}} : complex<f32>
  %r0 = complex.conj %s : complex<f32>
  // CHECK: complex.conj %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r1 = complex.conj %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.cos %{{[a-z0-9_]+}} : complex<f32>
  %r2 = complex.cos %s : complex<f32>
  // CHECK: complex.cos %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r3 = complex.cos %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.exp %{{[a-z0-9_]+}} : complex<f32>
  %r4 = complex.exp %s : complex<f32>
  // CHECK: complex.exp %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r5 = complex.exp %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.expm1 %{{[a-z0-9_]+}} : complex<f32>
  %r6 = complex.expm1 %s : complex<f32>
  // CHECK: complex.expm1 %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r7 = complex.expm1 %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.log %{{[a-z0-9_]+}} : complex<f32>
  %r8 = complex.log %s : complex<f32>
  // CHECK: complex.log %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r9 = complex.log %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.log1p %{{[a-z0-9_]+}} : complex<f32>
  %r10 = complex.log1p %s : complex<f32>
  // CHECK: complex.log1p %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r11 = complex.log1p %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.neg %{{[a-z0-9_]+}} : complex<f32>
  %r12 = complex.neg %s : complex<f32>
  // CHECK: complex.neg %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r13 = complex.neg %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.rsqrt %{{[a-z0-9_]+}} : complex<f32>
  %r14 = complex.rsqrt %s : complex<f32>
  // CHECK: complex.rsqrt %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r15 = complex.rsqrt %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.sign %{{[a-z0-9_]+}} : complex<f32>
  %r16 = complex.sign %s : complex<f32>
  // CHECK: complex.sign %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r17 = complex.sign %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.sin %{{[a-z0-9_]+}} : complex<f32>
  %r18 = complex.sin %s : complex<f32>
  // CHECK: complex.sin %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r19 = complex.sin %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.sqrt %{{[a-z0-9_]+}} : complex<f32>
  %r20 = complex.sqrt %s : complex<f32>
  // CHECK: complex.sqrt %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r21 = complex.sqrt %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.tan %{{[a-z0-9_]+}} : complex<f32>
  %r22 = complex.tan %s : complex<f32>
  // CHECK: complex.tan %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r23 = complex.tan %d fastmath<nnan,contract> : complex<f64>
  // CHECK: complex.tanh %{{[a-z0-9_]+}} : complex<f32>
  %r24 = complex.tanh %s : complex<f32>
  // CHECK: complex.tanh %{{[a-z0-9_]+}} fastmath<nnan,contract> : complex<f64>
  %r25 = complex.tanh %d fastmath<nnan,contract> : complex<f64>
  return
}

// CHECK-LABEL: func.func @real
func.func @real(%h: complex<f16>, %d: complex<f64>) {
  // CHECK: complex.abs %{{[a-z0-9_]+}} : complex<f16>
  %r0 = complex.abs %h : complex<f16>
  // CHECK: complex.abs %{{[a-z0-9_]+}} fastmath<fast> : complex<f64>
  %r1 = complex.abs %d fastmath<fast> : complex<f64>
  // CHECK: complex.angle %{{[a-z0-9_]+}} : complex<f16>
  %r2 = complex.angle %h : complex<f16>
  // CHECK: complex.angle %{{[a-z0-9_]+}} fastmath<fast> : complex<f64>
  %r3 = complex.angle %d fastmath<fast> : complex<f64>
  // CHECK: complex.re %{{[a-z0-9_]+}} : complex<f16>
  %r4 = complex.re %h : complex<f16>
  // CHECK: complex.re %{{[a-z0-9_]+}} fastmath<fast> : complex<f64>
  %r5 = complex.re %d fastmath<fast> : complex<f64>
  // CHECK: complex.im %{{[a-z0-9_]+}} : complex<f16>
  %r6 = complex.im %h : complex<f16>
  // CHECK: complex.im %{{[a-z0-9_]+}} fastmath<fast> : complex<f64>
  %r7 = complex.im %d fastmath<fast> : complex<f64>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%a: complex<f32>, %b: complex<f32>, %c: complex<bf16>, %d: complex<f80>) {
  // CHECK: complex.add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r0 = complex.add %a, %b : complex<f32>
  // CHECK: complex.add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r1 = complex.add %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.atan2 %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r2 = complex.atan2 %a, %b : complex<f32>
  // CHECK: complex.atan2 %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r3 = complex.atan2 %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.div %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r4 = complex.div %a, %b : complex<f32>
  // CHECK: complex.div %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r5 = complex.div %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.mul %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r6 = complex.mul %a, %b : complex<f32>
  // CHECK: complex.mul %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r7 = complex.mul %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.pow %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r8 = complex.pow %a, %b : complex<f32>
  // CHECK: complex.pow %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r9 = complex.pow %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.sub %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r10 = complex.sub %a, %b : complex<f32>
  // CHECK: complex.sub %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<ninf> : complex<bf16>
  %r11 = complex.sub %c, %c fastmath<ninf> : complex<bf16>
  // CHECK: complex.add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f80>
  %r12 = complex.add %d, %d : complex<f80>
  return
}

// CHECK-LABEL: func.func @integer_powers
func.func @integer_powers(%a: complex<f32>, %b: complex<f64>, %n: i32, %m: i1) {
  // CHECK: complex.powi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>, i32
  %r0 = complex.powi %a, %n : complex<f32>, i32
  // CHECK: complex.powi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<fast> : complex<f64>, i1
  %r1 = complex.powi %b, %m fastmath<fast> : complex<f64>, i1
  // CHECK: complex.powi %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} fastmath<none> : complex<f64>, i32
  %r2 = complex.powi %b, %n fastmath<none> : complex<f64>, i32
  return
}

// CHECK-LABEL: func.func @comparisons
func.func @comparisons(%a: complex<f32>, %b: complex<f32>) {
  // CHECK: complex.eq %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r0 = complex.eq %a, %b : complex<f32>
  // CHECK: complex.neq %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r1 = complex.neq %a, %b : complex<f32>
  return
}

// CHECK-LABEL: func.func @create
func.func @create(%x: f32, %y: f32, %h: f8E4M3FN) {
  // CHECK: complex.create %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
  %r0 = complex.create %x, %y : complex<f32>
  // CHECK: complex.create %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {note} : complex<f8E4M3FN>
  %r1 = complex.create %h, %h {note} : complex<f8E4M3FN>
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: %cst{{.*}} = complex.constant [1.000000e-01, -1.000000e+00] : complex<f64>
  %c0 = complex.constant [1.000000e-01, -1.000000e+00] : complex<f64>
  // CHECK: %cst{{.*}} = complex.constant [0x7F800000 : f32, 0x7FC00000 : f32] : complex<f32>
  %c1 = complex.constant [0x7F800000 : f32, 0x7FC00000 : f32] : complex<f32>
  // CHECK: %cst{{.*}} = complex.constant [-0.000000e+00 : f16, 6.550400e+04 : f16] : complex<f16>
  %c2 = complex.constant [-0.000000e+00 : f16, 6.550400e+04 : f16] : complex<f16>
  // CHECK: %cst{{.*}} = complex.constant [1 : i32, -2 : i32] : complex<i32>
  %ints = complex.constant [1 : i32, -2 : i32] : complex<i32>
  // CHECK: arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>
  %t = arith.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @bitcast
func.func @bitcast(%s: complex<f32>, %i: i64, %f: f64, %h: complex<f16>) {
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : complex<f32> to i64
  %r0 = complex.bitcast %s : complex<f32> to i64
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : complex<f32> to f64
  %r1 = complex.bitcast %s : complex<f32> to f64
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : i64 to complex<f32>
  %r2 = complex.bitcast %i : i64 to complex<f32>
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : f64 to complex<f32>
  %r3 = complex.bitcast %f : f64 to complex<f32>
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : complex<f16> to i32
  %r4 = complex.bitcast %h : complex<f16> to i32
  // CHECK: complex.bitcast %{{[a-z0-9_]+}} : complex<f32> to complex<f32>
  %r5 = complex.bitcast %s : complex<f32> to complex<f32>
  return
}

// CHECK-LABEL: func.func @attribute
func.func @attribute() {
  // CHECK: "test.op"() {value = #complex.number<:f64 1.000000e+00, -2.000000e+00>
  "test.op"() {value = #complex.number<:f64 1.0, -2.0>} : () -> ()
  // CHECK: "test.op"() {value = #complex.number<:f32 0.000000e+00, 1.500000e+00>
  "test.op"() {value = #complex.number<:f32 0.0, 1.5>} : () -> ()
  return
}
