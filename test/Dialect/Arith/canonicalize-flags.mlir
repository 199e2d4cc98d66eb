// Flags of what remains: a rewrite may drop a promise, and must not make one that did not hold.
// RUN: %kopt %s --canonicalize | FileCheck %s

// The copies of the sign are gone, so `nsw` no longer holds: -1 >> 24 is -1, which fits 8 bits; its low 8 bits alone are 255.
// (mlir-opt 22 keeps `nsw`.)
// CHECK-LABEL: func.func @truncated_shift_drops_nsw
// CHECK: %[[S:.*]] = arith.shrui %arg0
// CHECK: arith.trunci %[[S]] : i32 to i8
func.func @truncated_shift_drops_nsw(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 overflow<nsw> : i32 to i8
  return %1 : i8
}

// `nuw` says that the sign is not set: both shifts are the same.
// CHECK-LABEL: func.func @truncated_shift_keeps_nuw
// CHECK: %[[S:.*]] = arith.shrui %arg0
// CHECK: arith.trunci %[[S]] overflow<nsw, nuw> : i32 to i8
func.func @truncated_shift_keeps_nuw(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c : i32
  %1 = arith.trunci %0 overflow<nsw, nuw> : i32 to i8
  return %1 : i8
}

// CHECK-LABEL: func.func @truncated_exact_shift
// CHECK: arith.shrsi %arg0, %{{.*}} exact
func.func @truncated_exact_shift(%x: i32) -> i8 {
  %c = arith.constant 24 : i32
  %0 = arith.shrsi %x, %c exact : i32
  %1 = arith.trunci %0 : i32 to i8
  return %1 : i8
}

// Two truncations: what both promise holds of one. (mlir-opt 22 keeps the flags of the second.)
// CHECK-LABEL: func.func @two_truncations
// CHECK: arith.trunci %arg0 overflow<nsw> : i16 to i8
// CHECK: arith.trunci %arg0 : i16 to i8
// CHECK: arith.trunci %arg0 : i16 to i8
func.func @two_truncations(%x: i16) -> (i8, i8, i8) {
  %0 = arith.trunci %x overflow<nsw, nuw> : i16 to i12
  %1 = arith.trunci %0 overflow<nsw> : i12 to i8
  %2 = arith.trunci %x overflow<nuw> : i16 to i12
  %3 = arith.trunci %2 overflow<nsw> : i12 to i8
  %4 = arith.trunci %x : i16 to i12
  %5 = arith.trunci %4 overflow<nsw> : i12 to i8
  return %1, %3, %5 : i8, i8, i8
}

// An extension keeps the value that the flags speak of.
// CHECK-LABEL: func.func @truncated_extension
// CHECK: arith.trunci %arg0 overflow<nsw> : i16 to i8
func.func @truncated_extension(%x: i16) -> i8 {
  %0 = arith.extsi %x : i16 to i32
  %1 = arith.trunci %0 overflow<nsw> : i32 to i8
  return %1 : i8
}

// x = -2147483648 overflows in the sum of the constants alone.
// CHECK-LABEL: func.func @constants_meet
// CHECK: arith.addi %arg0, %{{.*}} : i32
func.func @constants_meet(%x: i32) -> i32 {
  %c = arith.constant 2147483647 : i32
  %0 = arith.addi %x, %c overflow<nsw> : i32
  %1 = arith.addi %0, %c overflow<nsw> : i32
  return %1 : i32
}

// If the sign of zero does not matter, both zeros are neutral.
// CHECK-LABEL: func.func @neutral_zeros
// CHECK-NEXT: %[[C:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[S:.*]] = arith.addf %arg0, %[[C]] : f32
// CHECK-NEXT: return %arg0, %arg0, %[[S]]
func.func @neutral_zeros(%x: f32) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %0 = arith.addf %zero, %x fastmath<nsz> : f32
  %1 = arith.addf %x, %negative : f32
  %2 = arith.addf %x, %zero : f32
  return %0, %1, %2 : f32, f32, f32
}
