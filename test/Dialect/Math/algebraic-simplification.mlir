// RUN: %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets=math-algebraic-simplification})" | FileCheck %s
// Powers with small constant exponents are products and roots.

// CHECK-LABEL: func.func @square(%arg0: f32)
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %arg0, %arg0 fastmath<contract> : f32
// CHECK-NEXT: return %[[SQUARE]]
func.func @square(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = math.powf %x, %two fastmath<contract> : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @cubes(%arg0: vector<4xf64>)
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %arg0, %arg0 : vector<4xf64>
// CHECK-NEXT: arith.mulf %[[SQUARE]], %arg0 : vector<4xf64>
func.func @cubes(%x: vector<4xf64>) -> vector<4xf64> {
  %three = arith.constant dense<3.0> : vector<4xf64>
  %0 = math.powf %x, %three : vector<4xf64>
  return %0 : vector<4xf64>
}

// The square of the reciprocal of 1e20 is a denormal number; the reciprocal of its square would be zero.
// CHECK-LABEL: func.func @inverse_square(%arg0: f32)
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %arg0 : f32
// CHECK-NEXT: arith.mulf %[[INVERSE]], %[[INVERSE]] : f32
func.func @inverse_square(%x: f32) -> f32 {
  %exponent = arith.constant -2.0 : f32
  %0 = math.powf %x, %exponent : f32
  return %0 : f32
}

// The powers of -0 and of minus infinity are 0 and infinity.
// CHECK-LABEL: func.func @root(%arg0: f32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG: %[[INFINITY:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG: %[[POSITIVE:.*]] = arith.addf %arg0, %[[ZERO]] : f32
// CHECK-DAG: %[[ROOT:.*]] = math.sqrt %[[POSITIVE]] : f32
// CHECK-DAG: %[[IS_LOWEST:.*]] = arith.cmpf oeq, %arg0, %[[LOWEST]] : f32
// CHECK: arith.select %[[IS_LOWEST]], %[[INFINITY]], %[[ROOT]] : f32
func.func @root(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %half : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @finite_root
// CHECK-NOT: arith.select
func.func @finite_root(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %half fastmath<ninf> : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: math.powf
func.func @others(%x: f32, %y: f32) -> (f32, f32) {
  %exponent = arith.constant 2.5 : f32
  %0 = math.powf %x, %exponent : f32
  %1 = math.powf %x, %y : f32
  return %0, %1 : f32, f32
}
