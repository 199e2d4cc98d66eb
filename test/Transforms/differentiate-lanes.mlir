// RUN: %kopt %s --differentiate --canonicalize --cse | FileCheck %s

// A request with several tangents for each argument creates one derivative, which computes the values once. Tangents are
// ordered by direction.

// CHECK-LABEL: func.func private @wave.fwd(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[DX0:.*]]: f64, %[[DY0:.*]]: f64, %[[DX1:.*]]: f64, %[[DY1:.*]]: f64) -> (f64, f64, f64)
// CHECK: %[[S:.*]] = math.sin %[[X]]
// CHECK: %[[C:.*]] = math.cos %[[X]]
// CHECK-NOT: math.cos
// CHECK-DAG: arith.mulf %[[DX0]], %[[C]]
// CHECK-DAG: arith.mulf %[[DX1]], %[[C]]
// CHECK-DAG: arith.mulf %[[DY0]], %[[S]]
// CHECK-DAG: arith.mulf %[[DY1]], %[[S]]
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64
func.func @wave(%x: f64, %y: f64) -> f64 {
  %s = math.sin %x : f64
  %0 = arith.mulf %y, %s : f64
  return %0 : f64
}

// A call of a derivative in the lanes of the caller, and a loop that carries a tangent in each lane.
// CHECK-LABEL: func.func private @iterate.fwd(
// CHECK: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[A0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}) -> (f64, f64, f64)
// CHECK: %[[W:.*]]:3 = func.call @wave.fwd(%[[A]], %{{.*}}, %[[A0]], %{{.*}}, %[[A1]], %{{.*}})
// CHECK: scf.yield %[[W]]#0, %[[W]]#1, %[[W]]#2
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @iterate(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f64) {
    %b = func.call @wave(%a, %x) : (f64, f64) -> f64
    scf.yield %b : f64
  }
  return %r : f64
}

// One operation computes the tangents of all lanes, and the cosine once.
// CHECK-LABEL: func.func private @elements.fwd(
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4xf64>, tensor<4xf64>)
// CHECK: math.cos
// CHECK-NOT: math.cos
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f64, f64
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @elements(%t: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %s = math.sin %x : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A maximum carries its tangents with it.
// CHECK-LABEL: func.func private @largest.fwd(
// CHECK: %[[M:.*]]:3 = linalg.generic
// CHECK-COUNT-1: arith.cmpf
// CHECK: return %[[M]]#0, %[[M]]#1, %[[M]]#2
func.func @largest(%t: tensor<4xf64>, %init: tensor<f64>) -> tensor<f64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%t : tensor<4xf64>) outs(%init : tensor<f64>) {
  ^bb0(%x: f64, %o: f64):
    %m = arith.maximumf %x, %o : f64
    linalg.yield %m : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

// A derivative that the module defines itself is called for each direction.
// CHECK-LABEL: func.func private @own.fwd(
// CHECK: call @own.fwd_0
// CHECK: call @own.fwd_0
func.func private @own(%x: f64) -> f64
func.func private @own_d(%x: f64, %d: f64) -> f64
diff.rule @own "fwd" by @own_d

// CHECK-LABEL: func.func @requests
// CHECK: call @wave.fwd(%arg0, %arg0, %arg0, %arg0, %arg1, %arg1)
func.func @requests(%x: f64, %y: f64, %n: index, %t: tensor<4xf64>, %i: tensor<f64>) -> (f64, f64) {
  %0:2 = diff.fwd @wave(%x, %x)(%x, %x, %y, %y) : (f64, f64, f64, f64, f64, f64) -> (f64, f64)
  %1:2 = diff.fwd @iterate(%x, %n)(%x, %y) : (f64, index, f64, f64) -> (f64, f64)
  %2:2 = diff.fwd @elements(%t)(%t, %t) : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  %3:3 = diff.value_and_fwd @largest(%t, %i)(%t, %i, %t, %i) : (tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
  %4:2 = diff.fwd @own(%x)(%x, %y) : (f64, f64, f64) -> (f64, f64)
  return %0#0, %4#1 : f64, f64
}
