// RUN: %kopt --allow-unregistered-dialect %s --canonicalize | FileCheck %s
// RUN: %if mlir-opt %{ %mlir-opt --allow-unregistered-dialect %s --canonicalize | FileCheck %s %}

// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0)[s0] -> (d0 * 2 + s0 + 3)>
// CHECK-DAG: #[[REST:.*]] = affine_map<()[s0] -> (s0 mod 8)>
// CHECK-DAG: #[[NEXT:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[ORDERED:.*]] = affine_map<()[s0, s1] -> (4, s1 + 1, s0)>
// CHECK-DAG: #[[SET:.*]] = affine_set<(d0)[s0] : (d0 - s0 >= 0)>

// Maps are composed, symbols replace dimensions, and operands occur once.
// CHECK-LABEL: func.func @compose
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: memref<8x?xf32>)
func.func @compose(%n: index, %m: memref<8x?xf32>) {
  // CHECK: affine.for %[[I:.*]] = 0 to 8
  affine.for %i = 0 to 8 {
    %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %b = affine.apply affine_map<(d0, d1) -> (d0 + d1 + 1)>(%a, %n)
    // CHECK: %[[C:.*]] = affine.apply #[[SUM]](%[[I]])[%[[N]]]
    %c = affine.apply affine_map<(d0, d1) -> (d0 + 2)>(%b, %a)
    "use"(%c) : (index) -> ()
    // CHECK: affine.load %{{.*}}[%[[I]], %[[I]] * 2 + symbol(%[[N]]) + 3]
    %x = affine.load %m[%i, %c] : memref<8x?xf32>
    // CHECK: affine.store %{{.*}}, %{{.*}}[0, %[[I]] + symbol(%[[N]])]
    %zero = affine.apply affine_map<(d0) -> (d0 mod 2)>(%a)
    affine.store %x, %m[%zero, %i + %n] : memref<8x?xf32>
  }
  return
}

// Constants, and bounds of induction variables, decide quotients and remainders.
// CHECK-LABEL: func.func @quotients
func.func @quotients(%n: index) {
  %c5 = arith.constant 5 : index
  // CHECK: %[[TEN:.*]] = arith.constant 10 : index
  %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%c5)
  // CHECK: "use"(%[[TEN]])
  "use"(%a) : (index) -> ()
  // CHECK: affine.for %[[I:.*]] = 0 to 8
  affine.for %i = 0 to 8 {
    %b = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %c = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    // CHECK: "use"(%{{.*}}, %[[I]])
    "use"(%b, %c) : (index, index) -> ()
  }
  // CHECK: affine.for %[[I:.*]] = 0 to 64 step 8
  affine.for %i = 0 to 64 step 8 {
    %d = affine.apply affine_map<(d0) -> ((d0 + 3) mod 8)>(%i)
    %e = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
    // CHECK: "use"(%c3{{.*}}, %c0{{.*}})
    "use"(%d, %e) : (index, index) -> ()
  }
  %f = affine.apply affine_map<(d0) -> (d0 - (d0 floordiv 8) * 8)>(%n)
  // CHECK: affine.apply #[[REST]]()[%{{.*}}]
  "use"(%f) : (index) -> ()
  return
}

// CHECK-LABEL: func.func @poison
func.func @poison(%n: index) -> index {
  // CHECK: ub.poison : index
  %c0 = arith.constant 0 : index
  %a = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%c0)[%c0]
  return %a : index
}

// CHECK-LABEL: func.func @extrema
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @extrema(%n: index, %m: index) {
  // CHECK: affine.min #[[ORDERED]]()[%[[M]], %[[N]]]
  %a = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0, 4, s0)>(%n)[%m]
  // CHECK: "use"(%{{.*}}, %[[N]])
  %b = affine.max affine_map<(d0) -> (d0, d0)>(%n)
  "use"(%a, %b) : (index, index) -> ()
  // CHECK: affine.max
  // CHECK-NOT: affine.max
  %c = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  %d = affine.max affine_map<(d0)[s0] -> (d0, s0 * 2)>(%c)[%m]
  "use"(%d) : (index) -> ()
  return
}

// CHECK-LABEL: func.func @bounds
// CHECK-SAME: (%[[N:.*]]: index)
func.func @bounds(%n: index) {
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  // CHECK: affine.for %{{.*}} = 3 to 9 {
  affine.for %i = %c3 to %c9 {
    %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    // CHECK: affine.for %{{.*}} = #[[NEXT]](%{{.*}}) to 2 {
    affine.for %j = affine_map<(d0) -> (d0)>(%a) to min affine_map<(d0) -> (d0, 2)>(%i) {
      "use"(%j) : (index) -> ()
    }
  }
  // CHECK: affine.parallel (%{{.*}}) = (0) to (symbol(%[[N]]) + 1)
  %b = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n]
  affine.parallel (%i) = (0) to (%b) {
    "use"(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @trivial_loops
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: f32, %[[Y:.*]]: f32)
func.func @trivial_loops(%n: index, %x: f32, %y: f32) -> (f32, f32, f32, f32) {
  // CHECK-NOT: affine.for
  affine.for %i = 0 to 8 {
  }
  %a = affine.for %i = 8 to 8 iter_args(%s = %x) -> f32 {
    %t = arith.addf %s, %y : f32
    affine.yield %t : f32
  }
  %b = affine.for %i = 0 to 4 iter_args(%s = %x) -> f32 {
    affine.yield %y : f32
  }
  %c = affine.for %i = 0 to %n iter_args(%s = %x) -> f32 {
    affine.yield %s : f32
  }
  // The loop may have no iteration.
  // CHECK: %[[D:.*]] = affine.for
  %d = affine.for %i = 0 to %n iter_args(%s = %x) -> f32 {
    affine.yield %y : f32
  }
  // CHECK: return %[[X]], %[[Y]], %[[X]], %[[D]]
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @conditionals
// CHECK-SAME: (%[[N:.*]]: index)
func.func @conditionals(%n: index) -> index {
  // CHECK: affine.for %[[I:.*]] = 0
  affine.for %i = 0 to 8 {
    %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    // CHECK: affine.if #[[SET]](%[[I]])[%[[N]]] {
    affine.if affine_set<(d0, d1, d2) : (d0 - 1 - d1 >= 0)>(%a, %n, %i) {
      "use"() : () -> ()
    // CHECK-NOT: else
    } else {
    }
  }
  // CHECK-NOT: affine.if
  affine.if affine_set<() : (1 == 0)>() {
    "never"() : () -> ()
  }
  %c1 = arith.constant 1 : index
  %r = affine.if affine_set<() : ()>() -> index {
    affine.yield %n : index
  } else {
    affine.yield %c1 : index
  }
  // CHECK: return %[[N]]
  return %r : index
}

// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[M:.*]]: memref<8xf32>
func.func @casts(%m: memref<8xf32>, %x: f32) -> f32 {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  // CHECK: affine.store %{{.*}}, %[[M]][0] : memref<8xf32>
  affine.store %x, %c[0] : memref<?xf32>
  // CHECK: affine.load %[[M]][1] : memref<8xf32>
  %y = affine.load %c[1] : memref<?xf32>
  // CHECK: affine.prefetch %[[M]][2]
  affine.prefetch %c[2], read, locality<3>, data : memref<?xf32>
  return %y : f32
}

// CHECK-LABEL: func.func @digits
// CHECK-SAME: (%[[X:.*]]: index, %[[Y:.*]]: index, %[[N:.*]]: index)
func.func @digits(%x: index, %y: index, %n: index) {
  %c4 = arith.constant 4 : index
  // CHECK: affine.delinearize_index %[[X]] into (3, 4) : index, index
  %a:2 = affine.delinearize_index %x into (3, %c4) : index, index
  "use"(%a#0, %a#1) : (index, index) -> ()
  %l = affine.linearize_index disjoint [%x, %y] by (3, 4) : index
  // CHECK: "same"(%[[X]], %[[Y]])
  %b:2 = affine.delinearize_index %l into (3, 4) : index, index
  "same"(%b#0, %b#1) : (index, index) -> ()
  // CHECK: %[[D:.*]]:2 = affine.delinearize_index %[[X]] into (2, 5) : index, index
  // CHECK: "tail"(%[[D]]#0, %[[D]]#1, %[[Y]])
  %t:3 = affine.delinearize_index %l into (2, 5, 4) : index, index, index
  "tail"(%t#0, %t#1, %t#2) : (index, index, index) -> ()
  %w = affine.linearize_index disjoint [%x, %y] by (6, 8) : index
  // CHECK: %[[S:.*]]:2 = affine.delinearize_index %[[Y]] into (4, 2)
  // CHECK: "split"(%[[X]], %[[S]]#0, %[[S]]#1)
  %s:3 = affine.delinearize_index %w into (6, 4, 2) : index, index, index
  "split"(%s#0, %s#1, %s#2) : (index, index, index) -> ()
  // CHECK: %[[U:.*]]:2 = affine.delinearize_index %[[X]] into (%[[N]], 4)
  // CHECK: "unit"(%[[U]]#0, %c0{{.*}}, %[[U]]#1)
  %u:3 = affine.delinearize_index %x into (%n, 1, 4) : index, index, index
  "unit"(%u#0, %u#1, %u#2) : (index, index, index) -> ()
  %m:3 = affine.delinearize_index %x into (2, 4, 8) : index, index, index
  // CHECK: "number"(%[[X]])
  %o = affine.linearize_index [%m#0, %m#1, %m#2] by (2, 4, 8) : index
  "number"(%o) : (index) -> ()
  %c0 = arith.constant 0 : index
  // CHECK: affine.linearize_index [%[[X]], %[[Y]]] by (5, 6)
  %z = affine.linearize_index [%c0, %x, %y] by (4, 5, 6) : index
  "zero"(%z) : (index) -> ()
  // CHECK: affine.linearize_index disjoint [%[[X]], %[[Y]]] by (4, 6)
  %v = affine.linearize_index disjoint [%x, %n, %y] by (4, 1, 6) : index
  "units"(%v) : (index) -> ()
  return
}
