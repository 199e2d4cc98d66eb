// RUN: %kopt %s --split-input-file --pass-pipeline="builtin.module(expand-math)" | FileCheck %s
// RUN: %kopt %s --split-input-file --pass-pipeline="builtin.module(expand-math{target-cpu=x86-64})" | FileCheck %s --check-prefix=KEPT
// RUN: not %kopt %s --pass-pipeline="builtin.module(expand-math{target-cpu=i486})" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not %kopt %s --pass-pipeline="builtin.module(expand-math{fp=sloppy})" 2>&1 | FileCheck %s --check-prefix=POLICY

// CPU: unknown processor 'i486' for 'target-cpu'
// CPU: note: the known processors are x86-64,
// POLICY: 'strict', 'default' or 'fast'

// Five steps of Horner's rule, and a power of two in two factors. NaN passes the comparisons with the bounds.
// CHECK-LABEL: func.func @exp
// CHECK: %[[LOW:.*]] = arith.cmpf olt, %arg0, %{{.*}} : vector<16xf32>
// CHECK: arith.select %[[LOW]]
// CHECK: %[[HIGH:.*]] = arith.cmpf olt
// CHECK: arith.select %[[HIGH]]
// CHECK-COUNT-3: math.fma
// CHECK: arith.shli {{.*}} : vector<16xi32>
// CHECK: arith.andi {{.*}} : vector<16xi32>
// CHECK: arith.subi {{.*}} : vector<16xi32>
// CHECK-COUNT-6: math.fma
// CHECK-NOT: math.exp
// KEPT-LABEL: func.func @exp
// KEPT: math.exp
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %r = math.exp %x : vector<16xf32>
  return %r : vector<16xf32>
}

// -----

// Scalars and scalable vectors are kept; narrow floats are computed in f32.
// CHECK-LABEL: func.func @others
// CHECK: math.log %{{.*}} : f32
// CHECK: arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK-NOT: math.log
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK: math.log %{{.*}} : vector<[4]xf32>
// CHECK-NOT: math.log %{{.*}} : vector<2x2xf64>
func.func @others(%a: f32, %b: vector<4xf16>, %c: vector<[4]xf32>, %d: vector<2x2xf64>)
    -> (f32, vector<4xf16>, vector<[4]xf32>, vector<2x2xf64>) {
  %0 = math.log %a : f32
  %1 = math.log %b : vector<4xf16>
  %2 = math.log %c : vector<[4]xf32>
  %3 = math.log %d : vector<2x2xf64>
  return %0, %1, %2, %3 : f32, vector<4xf16>, vector<[4]xf32>, vector<2x2xf64>
}

// -----

// Large arguments are computed by the C library, lane by lane.
// CHECK-LABEL: func.func @sin
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi1> to vector<8xi1>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[FLAT]]
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>)
// CHECK: scf.for
// CHECK: scf.if
// CHECK: math.sin %{{.*}} : f32
// CHECK: else
func.func @sin(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %r = math.sin %x : vector<2x4xf32>
  return %r : vector<2x4xf32>
}

// -----

// The machine is that of the module.
// CHECK-LABEL: func.func @without_fma
// CHECK: math.tanh
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"max_vector_op_width" = 128 : i64, "has_fma" = false>>} {
  func.func @without_fma(%x: vector<4xf32>) -> vector<4xf32> {
    %r = math.tanh %x : vector<4xf32>
    return %r : vector<4xf32>
  }
}

// -----

// A reduction tests its new elements for NaN, not the accumulator. Equal elements may be zeros: the maximum has the conjunction of their
// signs. Scalars and a constant operand are kept.
// CHECK-LABEL: func.func @maximum
// CHECK: %[[BEATS:.*]] = arith.cmpf ogt, %[[NEW:.*]], %[[OLD:.*]] : vector<8xf32>
// CHECK: %[[LARGER:.*]] = arith.select %[[BEATS]], %[[NEW]], %[[OLD]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[NEW]], %[[NEW]]
// CHECK: %[[CHOSEN:.*]] = arith.select %[[NAN]], %{{.*}}, %[[LARGER]]
// CHECK: %[[SIGNS:.*]] = arith.andi %{{.*}} : vector<8xi32>
// CHECK: %[[ZERO:.*]] = arith.bitcast %[[SIGNS]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[EQUAL:.*]] = arith.cmpf oeq, %[[NEW]], %[[OLD]]
// CHECK: arith.select %[[EQUAL]], %[[ZERO]], %[[CHOSEN]]
// CHECK: arith.maximumf %{{.*}} : vector<8xf32>
// CHECK: arith.maximumf %{{.*}} : f32
func.func @maximum(%old: vector<8xf32>, %new: vector<8xf32>, %s: f32) -> (vector<8xf32>, vector<8xf32>, f32) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.maximumf %old, %new : vector<8xf32>
  %1 = arith.maximumf %old, %zero : vector<8xf32>
  %2 = arith.maximumf %s, %s : f32
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, f32
}

// -----

// CHECK-LABEL: func.func @minimum
// CHECK: arith.cmpf olt
// CHECK: arith.ori %{{.*}} : vector<4xi64>
func.func @minimum(%old: vector<4xf64>, %new: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.minimumf %old, %new : vector<4xf64>
  return %0 : vector<4xf64>
}

// -----

// The flag 'nsz' leaves the sign of a zero open.
// CHECK-LABEL: func.func @any_zero
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf uno
// CHECK-NOT: arith.andi
// CHECK-NOT: arith.cmpf
func.func @any_zero(%old: vector<8xf32>, %new: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.maximumf %old, %new fastmath<nsz> : vector<8xf32>
  return %0 : vector<8xf32>
}
