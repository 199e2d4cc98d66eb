// A value that an inner loop carries becomes unused: MLIR erased the block argument, but not the operand of the branch to the
// loop, which is alone in its block and hidden from its canonicalizer.
// RUN: %kc run %s --entry g --inputs '[2, 0.5, 1.5]' | FileCheck %s
// CHECK: 1.75{{$}}
#map = affine_map<(d0) -> (d0)>
func.func @g(%n: i64, %x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = arith.index_cast %n : i64 to index
  %unread = memref.alloca() : memref<2xf64>
  %read = memref.alloca() : memref<2xf64>
  scf.for %i = %c0 to %c2 step %c1 {
    %r:2 = scf.for %j = %c0 to %count step %c1 iter_args(%a = %x, %b = %y) -> (f64, f64) {
      %t = math.tanh %x : f64
      %m = arith.mulf %x, %x : f64
      scf.yield %t, %m : f64, f64
    }
    memref.store %r#0, %unread[%i] : memref<2xf64>
    memref.store %r#1, %read[%i] : memref<2xf64>
  }
  %m = memref.load %read[%c1] : memref<2xf64>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%unread : memref<2xf64>) outs(%read : memref<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    linalg.yield %y : f64
  }
  %n0 = memref.load %read[%c0] : memref<2xf64>
  %sum = arith.addf %m, %n0 : f64
  return %sum : f64
}
