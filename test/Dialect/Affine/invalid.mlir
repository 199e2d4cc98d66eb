// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s %}

func.func @apply_operands(%n: index) {
  // expected-error@+1 {{'affine.apply' op operand count and affine map dimension and symbol count must match}}
  %a = "affine.apply"(%n) <{map = affine_map<(d0)[s0] -> (d0)>}> : (index) -> index
  return
}

// -----

func.func @apply_results(%n: index) {
  // expected-error@+1 {{'affine.apply' op mapping must produce one value}}
  %a = "affine.apply"(%n) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}

// -----

func.func @apply_text(%n: index) {
  // expected-error@+1 {{dimension or symbol index mismatch}}
  %a = affine.apply affine_map<(d0)[s0] -> (d0)>(%n)
  return
}

// -----

func.func @min_operands(%n: index) {
  // expected-error@+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %a = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%n)
  return
}

// -----

func.func @max_operands(%n: index) {
  // expected-error@+1 {{'affine.max' op operand count and affine map dimension and symbol count must match}}
  %a = affine.max affine_map<() -> (0)>(%n)
  return
}

// -----

func.func @load_rank(%m: memref<8x8xf32>, %n: index) {
  // expected-error@+1 {{'affine.load' op affine map num results must equal memref rank}}
  %a = affine.load %m[%n] : memref<8x8xf32>
  return
}

// -----

func.func @load_operands(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'affine.load' op expects as many subscripts as affine map inputs}}
  %a = "affine.load"(%m, %n) <{map = affine_map<() -> (0)>}> : (memref<8xf32>, index) -> f32
  return
}

// -----

func.func @load_type(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'affine.load' op result type must match element type of memref}}
  %a = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index) -> i32
  return
}

// -----

func.func @load_index(%m: memref<8xf32>, %x: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
    %a = affine.load %m[%bad] : memref<8xf32>
  }
  return
}

// -----

func.func @load_text(%m: f32, %n: index) {
  // expected-error@+1 {{invalid kind of type specified}}
  %a = affine.load %m[%n] : f32
  return
}

// -----

func.func @load_symbol(%m: memref<8xf32>, %x: index) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{'affine.load' op operand cannot be used as a symbol}}
    %a = affine.load %m[symbol(%i)] : memref<8xf32>
  }
  return
}

// -----

func.func @store_rank(%m: memref<8x8xf32>, %x: f32, %n: index) {
  // expected-error@+1 {{'affine.store' op affine map num results must equal memref rank}}
  affine.store %x, %m[%n] : memref<8x8xf32>
  return
}

// -----

func.func @store_type(%m: memref<8xf32>, %x: i32, %n: index) {
  // expected-error@+1 {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%x, %m, %n) <{map = affine_map<(d0) -> (d0)>}> : (i32, memref<8xf32>, index) -> ()
  return
}

// -----

func.func @store_index(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error@+1 {{'affine.store' op operand cannot be used as a dimension id}}
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @vector_load_type(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %a = affine.vector_load %m[%n] : memref<8xf32>, vector<4xf64>
  return
}

// -----

func.func @vector_store_type(%m: memref<8xf32>, %v: vector<4xf64>, %n: index) {
  // expected-error@+1 {{'affine.vector_store' op requires memref and vector types of the same elemental type}}
  affine.vector_store %v, %m[%n] : memref<8xf32>, vector<4xf64>
  return
}

// -----

func.func @prefetch_rank(%m: memref<8x8xf32>, %n: index) {
  // expected-error@+1 {{'affine.prefetch' op affine.prefetch affine map num results must equal memref rank}}
  affine.prefetch %m[%n], read, locality<3>, data : memref<8x8xf32>
  return
}

// -----

func.func @prefetch_index(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.prefetch' op index must be a valid dimension or symbol identifier}}
    affine.prefetch %m[%bad], read, locality<3>, data : memref<8xf32>
  }
  return
}

// -----

func.func @vector_load_index(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.vector_load' op operand cannot be used as a dimension id}}
    %v = affine.vector_load %m[%bad] : memref<8xf32>, vector<4xf32>
  }
  return
}

// -----

func.func @prefetch_access(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[%n], reads, locality<3>, data : memref<8xf32>
  return
}

// -----

func.func @prefetch_cache(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{cache type has to be 'data' or 'instr'}}
  affine.prefetch %m[%n], read, locality<3>, page : memref<8xf32>
  return
}

// -----

func.func @prefetch_hint(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  affine.prefetch %m[%n], read, locality<5>, data : memref<8xf32>
  return
}

// -----

func.func @for_dim(%n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.for' op operand cannot be used as a dimension id}}
    affine.for %j = affine_map<(d0) -> (d0)>(%bad) to 8 {
    }
  }
  return
}

// -----

func.func @for_symbol(%n: index) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %j = 0 to %i {
    }
  }
  return
}

// -----

func.func @for_lower_results() {
  // expected-error@+1 {{'affine.for' op expected lower bound map to have at least one result}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @for_upper_results() {
  // expected-error@+1 {{'affine.for' op expected upper bound map to have at least one result}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> ()>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @for_argument() {
  // expected-error@+1 {{'affine.for' op expected body to have a single index argument for the induction variable}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: i32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @for_carried(%x: f32) {
  // expected-error@+1 {{mismatch between the number of loop-carried values and results}}
  affine.for %i = 0 to 8 iter_args(%s = %x) -> (f32, f32) {
  }
  return
}

// -----

func.func @for_bounds(%n: index) {
  // expected-error@+1 {{expected only one loop bound operand}}
  affine.for %i = %n, %n to 8 {
  }
  return
}

// -----

func.func @for_dims(%n: index) {
  // expected-error@+1 {{dim operand count and affine map dim count must match}}
  affine.for %i = affine_map<(d0) -> (d0)>() to 8 {
  }
  return
}

// -----

func.func @for_symbols(%n: index) {
  // expected-error@+1 {{symbol operand count and affine map symbol count must match}}
  affine.for %i = affine_map<()[s0] -> (s0)>() to 8 {
  }
  return
}

// -----

func.func @for_max(%n: index) {
  // expected-error@+1 {{lower loop bound affine map with multiple results requires 'max' prefix}}
  affine.for %i = affine_map<()[s0] -> (s0, 4)>()[%n] to 8 {
  }
  return
}

// -----

func.func @for_min(%n: index) {
  // expected-error@+1 {{upper loop bound affine map with multiple results requires 'min' prefix}}
  affine.for %i = 0 to affine_map<()[s0] -> (s0, 4)>()[%n] {
  }
  return
}

// -----

func.func @for_step() {
  // expected-error@+1 {{expected step to be representable as a positive signed integer}}
  affine.for %i = 0 to 8 step -1 {
  }
  return
}

// -----

func.func @for_attribute() {
  // expected-error@+1 {{expected valid affine map representation for loop bounds}}
  affine.for %i = "zero" to 8 {
  }
  return
}

// -----

func.func @for_init(%x: f32) {
  // expected-error@+1 {{'affine.for' op 0-th init and 0-th region iter_arg have different type: 'f32' != 'i32'}}
  %r = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index, %s: i32):
    "affine.yield"(%x) : (f32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @if_operands(%n: index) {
  // expected-error@+1 {{'affine.if' op operand count and condition integer set dimension and symbol count must match}}
  "affine.if"() <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    "affine.yield"() : () -> ()
  }, {
  }) : () -> ()
  return
}

// -----

func.func @if_dims(%n: index) {
  // expected-error@+1 {{dim operand count and integer set dim count must match}}
  affine.if affine_set<(d0) : (d0 >= 0)>()[%n] {
  }
  return
}

// -----

func.func @if_symbols(%n: index) {
  // expected-error@+1 {{symbol operand count and integer set symbol count must match}}
  affine.if affine_set<(d0)[s0] : (d0 >= 0)>(%n) {
  }
  return
}

// -----

func.func @if_symbol() {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{'affine.if' op operand cannot be used as a symbol}}
    affine.if affine_set<()[s0] : (s0 >= 0)>()[%i] {
    }
  }
  return
}

// -----

func.func @if_else(%n: index) {
  // expected-error@+1 {{'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> index { // expected-note {{region branch point}}
    affine.yield %n : index
  }
  return
}

// -----

func.func @yield_parent(%c: i1) {
  scf.execute_region {
    // expected-error@+1 {{'affine.yield' op only terminates affine.if/for/parallel regions}}
    affine.yield
  }
  return
}

// -----

func.func @yield_count(%x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> f32 {
    // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
    affine.yield
  }
  return
}

// -----

func.func @yield_types(%x: f32, %y: i32) {
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> f32 {
    // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
    affine.yield %y : i32
  }
  return
}

// -----

func.func @parallel_counts() {
  // expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (2), and the number of steps (2) must all match}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0, 0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = affine_map<() -> (8, 8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @parallel_lower() {
  // expected-error@+1 {{'affine.parallel' op expected lower bounds map to have 2 results}}
  "affine.parallel"() <{lowerBoundsGroups = dense<[2]> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @parallel_upper() {
  // expected-error@+1 {{'affine.parallel' op expected upper bounds map to have 1 results}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8, 8)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @parallel_reductions(%x: f32) {
  // expected-error@+1 {{'affine.parallel' op a reduction must be specified for each output}}
  %r = affine.parallel (%i) = (0) to (8) -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @parallel_reduction_type(%x: f32) {
  // expected-error@+1 {{'affine.parallel' op result type cannot match reduction attribute}}
  %r = affine.parallel (%i) = (0) to (8) reduce ("addi") -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @parallel_reduction_name(%x: f32) {
  // expected-error@+1 {{invalid reduction value: "sum"}}
  %r = affine.parallel (%i) = (0) to (8) reduce ("sum") -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @parallel_steps(%n: index) {
  // expected-error@+1 {{steps must be constant integers}}
  affine.parallel (%i) = (0) to (8) step (%n) {
  }
  return
}

// -----

func.func @parallel_dim(%n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.parallel' op operand cannot be used as a dimension id}}
    affine.parallel (%j) = (0) to (%bad) {
    }
  }
  return
}

// -----

func.func @delinearize_results(%x: index) {
  // expected-error@+1 {{'affine.delinearize_index' op should return an index for each basis element and up to one extra index}}
  %a = affine.delinearize_index %x into (4, 4) : index
  return
}

// -----

func.func @delinearize_basis(%x: index) {
  // expected-error@+1 {{'affine.delinearize_index' op no basis element may be statically non-positive}}
  %a:2 = affine.delinearize_index %x into (4, 0) : index, index
  return
}

// -----

func.func @linearize_basis(%x: index) {
  // expected-error@+1 {{'affine.linearize_index' op should be passed a basis element for each index except possibly the first}}
  %a = affine.linearize_index [%x, %x] by (4, 4, 4) : index
  return
}

// -----

func.func @dma_tag(%m: memref<8xf32>, %t: f32, %n: index) {
  // expected-error@+1 {{expected tag to be of memref type}}
  affine.dma_wait %t[0], %n : f32
  return
}

// -----

func.func @dma_stride(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error@+1 {{expected two stride related operands}}
  affine.dma_start %m[0], %m[0], %t[0], %n, %n : memref<8xf32>, memref<8xf32>, memref<1xi32>
  return
}

// -----

func.func @dma_types(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error@+1 {{expected three types}}
  affine.dma_start %m[0], %m[0], %t[0], %n : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @dma_index(%m: memref<8xf32>, %t: memref<1xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    %bad = "not.pure"(%i) : (index) -> index
    // expected-error@+1 {{'affine.dma_start' op dst index must be a valid dimension or symbol identifier}}
    affine.dma_start %m[0], %m[%bad], %t[0], %n : memref<8xf32>, memref<8xf32>, memref<1xi32>
  }
  return
}
