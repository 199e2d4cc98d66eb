func.func @compose(%n: index, %m: memref<8x?xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %b = affine.apply affine_map<(d0, d1) -> (d0 + d1 + 1)>(%a, %n)
    %c = affine.apply affine_map<(d0, d1) -> (d0 + 2)>(%b, %a)
    "use"(%c) : (index) -> ()
    %x = affine.load %m[%i, %c] : memref<8x?xf32>
    %zero = affine.apply affine_map<(d0) -> (d0 mod 2)>(%a)
    affine.store %x, %m[%zero, %i + %n] : memref<8x?xf32>
  }
  return
}

func.func @quotients(%n: index) {
  %c5 = arith.constant 5 : index
  %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%c5)
  "use"(%a) : (index) -> ()
  affine.for %i = 0 to 8 {
    %b = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %c = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    "use"(%b, %c) : (index, index) -> ()
  }
  affine.for %i = 0 to 64 step 8 {
    %d = affine.apply affine_map<(d0) -> ((d0 + 3) mod 8)>(%i)
    %e = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
    "use"(%d, %e) : (index, index) -> ()
  }
  %f = affine.apply affine_map<(d0) -> (d0 - (d0 floordiv 8) * 8)>(%n)
  "use"(%f) : (index) -> ()
  return
}

func.func @poison(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%c0)[%c0]
  return %a : index
}

func.func @extrema(%n: index, %m: index) {
  %a = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0, 4, s0)>(%n)[%m]
  %b = affine.max affine_map<(d0) -> (d0, d0)>(%n)
  "use"(%a, %b) : (index, index) -> ()
  %c = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  %d = affine.max affine_map<(d0)[s0] -> (d0, s0 * 2)>(%c)[%m]
  "use"(%d) : (index) -> ()
  return
}

func.func @bounds(%n: index) {
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  affine.for %i = %c3 to %c9 {
    %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.for %j = affine_map<(d0) -> (d0)>(%a) to min affine_map<(d0) -> (d0, 2)>(%i) {
      "use"(%j) : (index) -> ()
    }
  }
  %b = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n]
  affine.parallel (%i) = (0) to (%b) {
    "use"(%i) : (index) -> ()
  }
  return
}

func.func @trivial_loops(%n: index, %x: f32, %y: f32) -> (f32, f32, f32, f32) {
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
  %d = affine.for %i = 0 to %n iter_args(%s = %x) -> f32 {
    affine.yield %y : f32
  }
  return %a, %b, %c, %d : f32, f32, f32, f32
}

func.func @conditionals(%n: index) -> index {
  affine.for %i = 0 to 8 {
    %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.if affine_set<(d0, d1, d2) : (d0 - 1 - d1 >= 0)>(%a, %n, %i) {
      "use"() : () -> ()
    } else {
    }
  }
  affine.if affine_set<() : (1 == 0)>() {
    "never"() : () -> ()
  }
  %c1 = arith.constant 1 : index
  %r = affine.if affine_set<() : ()>() -> index {
    affine.yield %n : index
  } else {
    affine.yield %c1 : index
  }
  return %r : index
}

func.func @casts(%m: memref<8xf32>, %x: f32) -> f32 {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  affine.store %x, %c[0] : memref<?xf32>
  %y = affine.load %c[1] : memref<?xf32>
  affine.prefetch %c[2], read, locality<3>, data : memref<?xf32>
  return %y : f32
}

func.func @digits(%x: index, %y: index, %n: index) {
  %c4 = arith.constant 4 : index
  %a:2 = affine.delinearize_index %x into (3, %c4) : index, index
  "use"(%a#0, %a#1) : (index, index) -> ()
  %l = affine.linearize_index disjoint [%x, %y] by (3, 4) : index
  %b:2 = affine.delinearize_index %l into (3, 4) : index, index
  "same"(%b#0, %b#1) : (index, index) -> ()
  %t:3 = affine.delinearize_index %l into (2, 5, 4) : index, index, index
  "tail"(%t#0, %t#1, %t#2) : (index, index, index) -> ()
  %w = affine.linearize_index disjoint [%x, %y] by (6, 8) : index
  %s:3 = affine.delinearize_index %w into (6, 4, 2) : index, index, index
  "split"(%s#0, %s#1, %s#2) : (index, index, index) -> ()
  %u:3 = affine.delinearize_index %x into (%n, 1, 4) : index, index, index
  "unit"(%u#0, %u#1, %u#2) : (index, index, index) -> ()
  %m:3 = affine.delinearize_index %x into (2, 4, 8) : index, index, index
  %o = affine.linearize_index [%m#0, %m#1, %m#2] by (2, 4, 8) : index
  "number"(%o) : (index) -> ()
  %c0 = arith.constant 0 : index
  %z = affine.linearize_index [%c0, %x, %y] by (4, 5, 6) : index
  "zero"(%z) : (index) -> ()
  %v = affine.linearize_index disjoint [%x, %n, %y] by (4, 1, 6) : index
  "units"(%v) : (index) -> ()
  return
}
