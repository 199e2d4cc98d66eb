#add = affine_map<(d0)[s0] -> (d0 + s0)>
#two = affine_map<(d0)[s0] -> (d0 + 1, s0)>
#corner = affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, s0 - d0 - 1 >= 0, d1 == 0)>

func.func @maps(%n: index, %m: index) {
  affine.for %i = 0 to 8 {
    %a = affine.apply #add(%i)[%n]
    %b = affine.apply affine_map<(d0) -> (d0 * 2 + 3)>(%i) {note = 1 : i32}
    %c = affine.apply affine_map<() -> (7)>()
    %d = affine.min #two(%a)[%m]
    %e = affine.max affine_map<(d0, d1) -> (d0 floordiv 3, d1 ceildiv 5, d0 mod 4, -d1)>(%b, %c) {note}
    "use"(%d, %e) : (index, index) -> ()
  }
  return
}

func.func @accesses(%m: memref<8x?xf32>, %z: memref<f32>, %v: memref<16xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 1 to %n {
      %x = affine.load %m[%i, %j + 1] : memref<8x?xf32>
      %y = affine.load %m[%i + %j, symbol(%n) - 1] : memref<8x?xf32>
      %w = affine.load %m[(%i * 2 + 3) mod 4, %j floordiv 2] {hot} : memref<8x?xf32>
      %s = affine.load %z[] : memref<f32>
      affine.store %x, %m[%i ceildiv 3, 0] : memref<8x?xf32>
      affine.store %y, %m[7 - %i, %j * symbol(%n)] {note = "x"} : memref<8x?xf32>
      affine.store %w, %z[] : memref<f32>
      %p = affine.vector_load %v[%i + 1] : memref<16xf32>, vector<4xf32>
      affine.vector_store %p, %v[%i] : memref<16xf32>, vector<4xf32>
      affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<8x?xf32>
      affine.prefetch %v[0], write, locality<0>, instr {note} : memref<16xf32>
      "use"(%s) : (f32) -> ()
    }
  }
  return
}

func.func @loops(%n: index, %m: index, %x: f32, %b: memref<8xf32>) -> (f32, i32) {
  %k = arith.constant 3 : i32
  affine.for %i = -2 to %n step 3 {
    affine.for %j = #add(%i)[%n] to 10 {
    }
    affine.for %j = max #two(%i)[%n] to min #two(%i)[%m] {
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
    }
  } {note = "outer"}
  %r:2 = affine.for %i = 0 to 8 iter_args(%s = %x, %t = %k) -> (f32, i32) {
    %y = affine.load %b[%i] : memref<8xf32>
    %u = arith.addf %s, %y : f32
    affine.yield %u, %t : f32, i32
  }
  return %r#0, %r#1 : f32, i32
}

func.func @conditionals(%n: index, %x: f32, %y: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.if #corner(%i, %j)[%n] {
        "use"() : () -> ()
      }
      affine.if affine_set<(d0) : (d0 - 4 == 0)>(%i) {
        "use"() : () -> ()
      } else {
        "use"() : () -> ()
      } {note}
      %r = affine.if affine_set<()[s0] : (s0 >= 0)>()[%n] -> f32 {
        affine.yield %x : f32
      } else {
        affine.yield %y : f32
      }
      %s:2 = affine.if affine_set<() : ()>() -> (f32, f32) {
        affine.yield %x, %r : f32, f32
      } else {
        affine.yield %y, %x : f32, f32
      }
    }
  }
  return
}

func.func @parallel(%n: index, %m: index, %b: memref<100x100xf32>) -> (f32, i32) {
  affine.parallel (%i, %j) = (0, 0) to (%n, 100) step (10, 20) {
    affine.parallel (%k, %l) = (%i, %j) to (%i + 10, %j + 20) {
      %x = affine.load %b[%k, %l] : memref<100x100xf32>
      affine.store %x, %b[%l, %k] : memref<100x100xf32>
    }
  } {note}
  affine.parallel (%i) = (max(%n, 1)) to (min(%n + 3, symbol(%m), 9)) {
  }
  affine.parallel () = () to () {
  }
  %r:2 = affine.parallel (%i) = (0) to (100) reduce ("addf", "muli") -> (f32, i32) {
    %x = affine.load %b[%i, 0] : memref<100x100xf32>
    %y = arith.constant 1 : i32
    affine.yield %x, %y : f32, i32
  }
  %s = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("maximumf") -> (f32) {
    %x = affine.load %b[%i, 0] : memref<100x100xf32>
    affine.yield %x : f32
  }
  return %s, %r#1 : f32, i32
}

func.func @indices(%x: index, %n: index) -> index {
  %a:3 = affine.delinearize_index %x into (16, 224, 224) : index, index, index
  %b:3 = affine.delinearize_index %x into (%n, 4) : index, index, index
  %c = affine.delinearize_index %x into () {note} : index
  %d = affine.linearize_index [%a#0, %a#1, %a#2] by (16, 224, 224) : index
  %e = affine.linearize_index disjoint [%d, %c] by (%n) {note} : index
  %f = affine.linearize_index [] by () : index
  return %e : index
}

func.func @transfers(%a: memref<40x128xf32>, %b: memref<40x128xf32, 1>, %t: memref<1xi32>, %n: index, %s: index) {
  affine.for %i = 0 to 10 {
    affine.dma_start %a[%i + 7, %i], %b[%i, symbol(%s) * 2], %t[0], %n : memref<40x128xf32>, memref<40x128xf32, 1>, memref<1xi32>
    affine.dma_start %a[0, 0], %b[0, 0], %t[0], %n, %s, %s : memref<40x128xf32>, memref<40x128xf32, 1>, memref<1xi32>
    affine.dma_wait %t[%i mod 2], %n : memref<1xi32>
  }
  return
}

func.func @dimensions_and_symbols(%n: index, %m: memref<?x?xf32>, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.dim %m, %c0 : memref<?x?xf32>
  %f = tensor.dim %t, %c0 : tensor<?xf32>
  scf.for %k = %c0 to %n step %c1 {
    %sum = arith.addi %e, %f : index
    affine.for %i = 0 to %sum {
      %c4 = arith.constant 4 : index
      %double = arith.muli %n, %c4 : index
      %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %d:2 = affine.delinearize_index %i into (4, 4) : index, index
      %l = affine.linearize_index [%d#0, %d#1] by (4, 4) : index
      %buffer = memref.alloc(%double) : memref<?xf32>
      %cast = memref.cast %buffer : memref<?xf32> to memref<*xf32>
      %extent = memref.dim %buffer, %c0 : memref<?xf32>
      affine.for %j = affine_map<(d0) -> (d0)>(%a) to %extent {
        %x = affine.load %m[%l + %j, symbol(%double) - %a] : memref<?x?xf32>
        affine.store %x, %buffer[%j + symbol(%e)] : memref<?xf32>
      }
    }
  }
  return
}
