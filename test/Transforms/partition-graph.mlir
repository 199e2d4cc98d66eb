// RUN: %kopt %s --partition-graph="compiler=unit operations=arith.addf,arith.mulf" | FileCheck %s

// Values that are used outside of a region are results of its function.
// CHECK-LABEL: func.func @several_results
// CHECK-NEXT: %[[R:.*]]:2 = call @several_results_unit_0(%arg0, %arg1) : (f32, f32) -> (f32, f32)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// CHECK: func.func private @several_results_unit_0(%arg0: f32, %arg1: f32) -> (f32, f32) attributes {Compiler = "unit"
// CHECK-NEXT: %[[S:.*]] = arith.addf %arg0, %arg1
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[S]], %arg1
// CHECK-NEXT: return %[[S]], %[[P]]
func.func @several_results(%x: f32, %y: f32) -> (f32, f32) {
  %s = arith.addf %x, %y : f32
  %p = arith.mulf %s, %y : f32
  return %s, %p : f32, f32
}

// A path from the sum to the product leads through an operation that is not supported.
// CHECK-LABEL: func.func @divided
// CHECK-NEXT: %[[S:.*]] = call @divided_unit_0(%arg0, %arg1)
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[S]]
// CHECK-NEXT: %[[P:.*]] = call @divided_unit_1(%[[S]], %[[N]])
// CHECK-NEXT: return %[[P]]
func.func @divided(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  %n = arith.negf %s : f32
  %p = arith.mulf %s, %n : f32
  return %p : f32
}

// The negation is behind the region that it uses, and before it in the input.
// CHECK-LABEL: func.func @sorted
// CHECK-NEXT: %[[D:.*]] = arith.divf %arg0, %arg1
// CHECK-NEXT: %[[R:.*]]:2 = call @sorted_unit_0(%arg0, %arg1, %[[D]])
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[R]]#0
// CHECK-NEXT: return %[[N]], %[[R]]#1
func.func @sorted(%x: f32, %y: f32) -> (f32, f32) {
  %s = arith.addf %x, %y : f32
  %n = arith.negf %s : f32
  %d = arith.divf %x, %y : f32
  %p = arith.mulf %s, %d : f32
  return %n, %p : f32, f32
}

// A store between two loads remains between them; the sum of both is a region of its own level.
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: memref.load
// CHECK-NEXT: %[[A:.*]] = call @effects_unit_0(
// CHECK-NEXT: memref.store %[[A]]
// CHECK-NEXT: %[[L:.*]] = memref.load
// CHECK-NEXT: call @effects_unit_1(%[[A]], %[[L]])
func.func @effects(%m: memref<f32>, %x: f32) -> f32 {
  %0 = memref.load %m[] : memref<f32>
  %a = arith.addf %0, %x : f32
  memref.store %a, %m[] : memref<f32>
  %1 = memref.load %m[] : memref<f32>
  %b = arith.mulf %a, %1 : f32
  return %b : f32
}

// A value that is used in a region of another operation is used outside.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: %[[R:.*]]:2 = call @nested_unit_0(%arg1, %arg2)
// CHECK-NEXT: %[[I:.*]] = scf.if %arg0 -> (f32) {
// CHECK-NEXT:   arith.negf %[[R]]#0
// CHECK:      return %[[I]], %[[R]]#1
func.func @nested(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %s = arith.addf %x, %y : f32
  %p = arith.mulf %s, %s : f32
  %i = scf.if %c -> f32 {
    %n = arith.negf %s : f32
    scf.yield %n : f32
  } else {
    scf.yield %x : f32
  }
  return %i, %p : f32, f32
}

// All users of the first sum are in the region of the second one, which is behind the negation.
// CHECK-LABEL: func.func @absorbed
// CHECK-NEXT: %[[N:.*]] = arith.negf %arg0
// CHECK-NEXT: %[[D:.*]] = call @absorbed_unit_0(%arg0, %[[N]])
// CHECK-NEXT: %[[M:.*]] = arith.negf %[[D]]
// CHECK-NEXT: call @absorbed_unit_1(%arg0, %arg1, %[[M]])
func.func @absorbed(%x: f32, %y: f32) -> f32 {
  %n = arith.negf %x : f32
  %a = arith.addf %x, %n : f32
  %s = arith.mulf %x, %y : f32
  %m = arith.negf %a : f32
  %b = arith.addf %s, %m : f32
  return %b : f32
}
