func.func @apply_operands(%n: index) {
  %a = "affine.apply"(%n) <{map = affine_map<(d0)[s0] -> (d0)>}> : (index) -> index
  return
}

func.func @apply_results(%n: index) {
  %a = "affine.apply"(%n) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}

func.func @apply_text(%n: index) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0)>(%n)
  return
}

func.func @min_operands(%n: index) {
  %a = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%n)
  return
}

func.func @max_operands(%n: index) {
  %a = affine.max affine_map<() -> (0)>(%n)
  return
}

func.func @load_rank(%m: memref<8x8xf32>, %n: index) {
  %a = affine.load %m[%n] : memref<8x8xf32>
  return
}

func.func @load_operands(%m: memref<8xf32>, %n: index) {
  %a = "affine.load"(%m, %n) <{map = affine_map<() -> (0)>}> : (memref<8xf32>, index) -> f32
  return
}

func.func @load_type(%m: memref<8xf32>, %n: index) {
  %a = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index) -> i32
  return
}

func.func @load_index(%m: memref<8xf32>, %x: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    %a = affine.load %m[%bad] : memref<8xf32>
  }
  return
}

func.func @load_text(%m: f32, %n: index) {
  %a = affine.load %m[%n] : f32
  return
}

func.func @load_symbol(%m: memref<8xf32>, %x: index) {
  affine.for %i = 0 to 8 {
    %a = affine.load %m[symbol(%i)] : memref<8xf32>
  }
  return
}

func.func @store_rank(%m: memref<8x8xf32>, %x: f32, %n: index) {
  affine.store %x, %m[%n] : memref<8x8xf32>
  return
}

func.func @store_type(%m: memref<8xf32>, %x: i32, %n: index) {
  "affine.store"(%x, %m, %n) <{map = affine_map<(d0) -> (d0)>}> : (i32, memref<8xf32>, index) -> ()
  return
}

func.func @store_index(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

func.func @vector_load_type(%m: memref<8xf32>, %n: index) {
  %a = affine.vector_load %m[%n] : memref<8xf32>, vector<4xf64>
  return
}

func.func @vector_store_type(%m: memref<8xf32>, %v: vector<4xf64>, %n: index) {
  affine.vector_store %v, %m[%n] : memref<8xf32>, vector<4xf64>
  return
}

func.func @prefetch_rank(%m: memref<8x8xf32>, %n: index) {
  affine.prefetch %m[%n], read, locality<3>, data : memref<8x8xf32>
  return
}

func.func @prefetch_index(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    affine.prefetch %m[%bad], read, locality<3>, data : memref<8xf32>
  }
  return
}

func.func @vector_load_index(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    %v = affine.vector_load %m[%bad] : memref<8xf32>, vector<4xf32>
  }
  return
}

func.func @prefetch_access(%m: memref<8xf32>, %n: index) {
  affine.prefetch %m[%n], reads, locality<3>, data : memref<8xf32>
  return
}

func.func @prefetch_cache(%m: memref<8xf32>, %n: index) {
  affine.prefetch %m[%n], read, locality<3>, page : memref<8xf32>
  return
}

func.func @prefetch_hint(%m: memref<8xf32>, %n: index) {
  affine.prefetch %m[%n], read, locality<5>, data : memref<8xf32>
  return
}

func.func @for_dim(%n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    affine.for %j = affine_map<(d0) -> (d0)>(%bad) to 8 {
    }
  }
  return
}

func.func @for_symbol(%n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %i {
    }
  }
  return
}

func.func @for_lower_results() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @for_upper_results() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> ()>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @for_argument() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: i32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @for_carried(%x: f32) {
  affine.for %i = 0 to 8 iter_args(%s = %x) -> (f32, f32) {
  }
  return
}

func.func @for_bounds(%n: index) {
  affine.for %i = %n, %n to 8 {
  }
  return
}

func.func @for_dims(%n: index) {
  affine.for %i = affine_map<(d0) -> (d0)>() to 8 {
  }
  return
}

func.func @for_symbols(%n: index) {
  affine.for %i = affine_map<()[s0] -> (s0)>() to 8 {
  }
  return
}

func.func @for_max(%n: index) {
  affine.for %i = affine_map<()[s0] -> (s0, 4)>()[%n] to 8 {
  }
  return
}

func.func @for_min(%n: index) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0, 4)>()[%n] {
  }
  return
}

func.func @for_step() {
  affine.for %i = 0 to 8 step -1 {
  }
  return
}

func.func @for_attribute() {
  affine.for %i = "zero" to 8 {
  }
  return
}

func.func @for_init(%x: f32) {
  %r = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index, %s: i32):
    "affine.yield"(%x) : (f32) -> ()
  }) : (f32) -> f32
  return
}

func.func @if_operands(%n: index) {
  "affine.if"() <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    "affine.yield"() : () -> ()
  }, {
  }) : () -> ()
  return
}

func.func @if_dims(%n: index) {
  affine.if affine_set<(d0) : (d0 >= 0)>()[%n] {
  }
  return
}

func.func @if_symbols(%n: index) {
  affine.if affine_set<(d0)[s0] : (d0 >= 0)>(%n) {
  }
  return
}

func.func @if_symbol() {
  affine.for %i = 0 to 8 {
    affine.if affine_set<()[s0] : (s0 >= 0)>()[%i] {
    }
  }
  return
}

func.func @if_else(%n: index) {
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index {
    affine.yield %n : index
  }
  return
}

func.func @yield_parent(%c: i1) {
  scf.execute_region {
    affine.yield
  }
  return
}

func.func @yield_count(%x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> f32 {
    affine.yield
  }
  return
}

func.func @yield_types(%x: f32, %y: i32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> f32 {
    affine.yield %y : i32
  }
  return
}

func.func @parallel_counts() {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0, 0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = affine_map<() -> (8, 8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @parallel_lower() {
  "affine.parallel"() <{lowerBoundsGroups = dense<[2]> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @parallel_upper() {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8, 8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @parallel_reductions(%x: f32) {
  %r = affine.parallel (%i) = (0) to (8) -> f32 {
    affine.yield %x : f32
  }
  return
}

func.func @parallel_reduction_type(%x: f32) {
  %r = affine.parallel (%i) = (0) to (8) reduce ("addi") -> f32 {
    affine.yield %x : f32
  }
  return
}

func.func @parallel_reduction_name(%x: f32) {
  %r = affine.parallel (%i) = (0) to (8) reduce ("sum") -> f32 {
    affine.yield %x : f32
  }
  return
}

func.func @parallel_steps(%n: index) {
  affine.parallel (%i) = (0) to (8) step (%n) {
  }
  return
}

func.func @parallel_dim(%n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    affine.parallel (%j) = (0) to (%bad) {
    }
  }
  return
}

func.func @delinearize_results(%x: index) {
  %a = affine.delinearize_index %x into (4, 4) : index
  return
}

func.func @delinearize_basis(%x: index) {
  %a:2 = affine.delinearize_index %x into (4, 0) : index, index
  return
}

func.func @linearize_basis(%x: index) {
  %a = affine.linearize_index [%x, %x] by (4, 4, 4) : index
  return
}

func.func @dma_tag(%m: memref<8xf32>, %t: f32, %n: index) {
  affine.dma_wait %t[0], %n : f32
  return
}

func.func @dma_stride(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  affine.dma_start %m[0], %m[0], %t[0], %n, %n : memref<8xf32>, memref<8xf32>, memref<1xi32>
  return
}

func.func @dma_types(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  affine.dma_start %m[0], %m[0], %t[0], %n : memref<8xf32>, memref<8xf32>
  return
}

func.func @dma_index(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    affine.dma_start %m[0], %m[%bad], %t[0], %n : memref<8xf32>, memref<8xf32>, memref<1xi32>
  }
  return
}
