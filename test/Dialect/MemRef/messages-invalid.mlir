// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f() {
  // expected-error@+1 {{'memref.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'memref.alloc' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = memref.alloc(%x) : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'memref.alloc' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'memref.load' op incorrect number of indices for load, expected 2 but got 1}}
  %0 = memref.load %m[%x] : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'memref.store' op store index operand count not equal to memref rank}}
  memref.store %s, %m[%x] : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %n: memref<5x4xf32>) {
  // expected-error@+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %m, %n : memref<4x5xf32> to memref<5x4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4x5xf32>' and result type 'memref<5x4xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x5xf32> to memref<5x4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4x5xf32>' and result type 'memref<4x5xi32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x5xf32> to memref<4x5xi32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %x: index) {
  // expected-error@+1 {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'tensor<4x5xf32>'}}
  %0 = memref.dim %f, %x : tensor<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = memref.subview %m[0, 0] [4] [1, 1] : memref<4x5xf32> to memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<2x2xf32, strided<[5, 1]>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<2x2xf32>'}}
  %0 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x5xf32> to memref<2x2xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{slice along dimension 1 runs out-of-bounds: 5 >= 5}}
  %0 = memref.subview %m[0, 0] [4, 6] [1, 1] : memref<4x5xf32> to memref<4x6xf32, strided<[5, 1]>>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.reshape' op operand #1 must be 1D memref of signless integer or index values, but got 'tensor<4x5xf32>'}}
  %0 = memref.reshape %m(%f) : (memref<4x5xf32>, tensor<4x5xf32>) -> memref<20xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op collapsed dim size (20) must equal reassociation group size (4)}}
  %0 = memref.collapse_shape %m [[0]] : memref<4x5xf32> into memref<20xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim size (4) must equal reassociation group size (6)}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 3, 5] : memref<4x5xf32> into memref<2x3x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.transpose' op result type 'memref<4x5xf32>' is not equivalent to the canonical transposed input type 'memref<5x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 5)>>'}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<4x5xf32> to memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'memref.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<4x5xf32>'}}
  %0 = memref.view %m[%x][] : memref<4x5xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{expected result type with size = 4 instead of 5 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<4x5xf32> to memref<5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'memref.get_global' op 'none' does not reference a valid global memref}}
  %0 = memref.get_global @none : memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %i: i32, %x: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op failed to verify that value type matches element type of memref}}
  %0 = memref.atomic_rmw addf %i, %m[%x, %x] : (i32, memref<4x5xf32>) -> i32
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %s, %m[%x, %x] : (f32, memref<4x5xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addf %s, %m[%x] : (f32, memref<4x5xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %i: i32, %x: index) {
  // expected-error@+1 {{'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'}}
  %0 = memref.generic_atomic_rmw %m[%x, %x] : memref<4x5xf32> { ^bb0(%a: f32): memref.atomic_yield %i : i32 }
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  %0 = memref.assume_alignment %m, 3 : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'memref.prefetch' op too few indices}}
  memref.prefetch %m[%x], read, locality<3>, data : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %m[%x, %x], read, locality<5>, data : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>, %x: index) {
  // expected-error@+1 {{custom op 'memref.prefetch' rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[%x, %x], foo, locality<3>, data : memref<4x5xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.realloc' op operand #0 must be 1D memref of any type values, but got 'memref<4x5xf32>'}}
  %0 = memref.realloc %m : memref<4x5xf32> to memref<20xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'memref.memory_space_cast' op operand type 'memref<4x5xf32>' and result type 'memref<5x4xf32, 1>' are cast incompatible}}
  %0 = memref.memory_space_cast %m : memref<4x5xf32> to memref<5x4xf32, 1>
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'memref.atomic_yield' op expects parent op 'memref.generic_atomic_rmw'}}
  memref.atomic_yield %s : f32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return %s : f32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'memref.distinct_objects' number of operands and types do not match: got 0 operands and 1 types}}
  %0 = memref.distinct_objects : memref<4xf32>
  return
}

// -----

// expected-error@+1 {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
%0 = memref.alloca() : memref<4xf32>

// -----

// expected-error@+2 {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
%true = arith.constant true
scf.if %true { %0 = memref.alloca() : memref<4xf32> }

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+2 {{'memref.assume_alignment' op inferred type(s) 'memref<4xf32>' are incompatible with return type(s) of operation 'memref<?xf32>'}}
  // expected-error@+1 {{'memref.assume_alignment' op failed to infer returned types}}
  %0 = "memref.assume_alignment"(%m) {alignment = 4 : i32} : (memref<4xf32>) -> memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+2 {{'memref.assume_alignment' op inferred type(s) 'memref<4xf32>' are incompatible with return type(s) of operation 'memref<4xf32, 1>'}}
  // expected-error@+1 {{'memref.assume_alignment' op failed to infer returned types}}
  %0 = "memref.assume_alignment"(%m) {alignment = 4 : i32} : (memref<4xf32>) -> memref<4xf32, 1>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+2 {{'memref.assume_alignment' op inferred type(s) 'memref<4xf32>' are incompatible with return type(s) of operation 'memref<4xf32, strided<[1]>>'}}
  // expected-error@+1 {{'memref.assume_alignment' op failed to infer returned types}}
  %0 = "memref.assume_alignment"(%m) {alignment = 4 : i32} : (memref<4xf32>) -> memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  %0 = "memref.assume_alignment"(%m) {alignment = 3 : i32} : (memref<4xf32>) -> memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.distinct_objects' op operand types and result types must match}}
  %0:2 = "memref.distinct_objects"(%m, %m) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<?xf32>)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, index) -> f64
  return
}

// -----

func.func @f(%m: memref<4xf32>, %v: f32, %i: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op failed to verify that all of {value, result} have same type}}
  %0 = "memref.atomic_rmw"(%v, %m, %i) {kind = 0 : i64} : (f32, memref<4xf32>, index) -> f64
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+2 {{'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32>', 'index', 'index'}}
  // expected-error@+1 {{'memref.extract_strided_metadata' op failed to infer returned types}}
  %0:3 = "memref.extract_strided_metadata"(%m) : (memref<4xf32>) -> (memref<f32>, index, index)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.dim' op result #0 must be index, but got 'i64'}}
  %0 = "memref.dim"(%m, %i) : (memref<4xf32>, index) -> i64
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.rank' op result #0 must be index, but got 'i64'}}
  %0 = "memref.rank"(%m) : (memref<4xf32>) -> i64
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{'memref.extract_aligned_pointer_as_index' op result #0 must be index, but got 'i64'}}
  %0 = "memref.extract_aligned_pointer_as_index"(%m) : (memref<4xf32>) -> i64
  return
}

// -----

// Properties: unknown ones are ignored, and missing group sizes are 0.
func.func @f(%n: index) {
  %0 = "memref.alloc"() : () -> memref<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  %0 = "memref.alloc"() <{more = 1 : i32}> : () -> memref<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  %0 = "memref.alloc"(%n) <{operand_segment_sizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  %0 = "memref.alloc"(%n) {operand_segment_sizes = array<i32: 1, 0>} : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  %0 = "memref.alloc"() {operandSegmentSizes = array<i64: 0, 0>} : () -> memref<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 1>} : () -> memref<4xf32>
  return
}

// -----

// Properties come before other attributes.
func.func @f(%n: index) {
  %0 = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> {alignment = 4 : i64, operandSegmentSizes = array<i32: 0, 1>} : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%n) : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%n) <{alignment = 4 : i64}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%n) {operandSegmentSizes = dense<[1, 0]> : vector<2xi32>} : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes = array<i32: 1>} for op memref.alloc: size mismatch in attribute conversion: 1 vs 2}}
  %0 = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1>}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes = array<i64: 1, 0>} for op memref.alloc: expected DenseI32ArrayAttr for key `value`}}
  %0 = "memref.alloc"(%n) <{operandSegmentSizes = array<i64: 1, 0>}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes} for op memref.alloc: expected DenseI32ArrayAttr for key `value`}}
  %0 = "memref.alloc"(%n) <{operandSegmentSizes}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{invalid properties "nothing" for op memref.alloc: expected DictionaryAttr to set properties}}
  %0 = "memref.alloc"(%n) <"nothing"> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{invalid properties {alignment = "wide"} for op memref.alloc: Invalid attribute `alignment` in property conversion: "wide"}}
  %0 = "memref.alloc"(%n) <{alignment = "wide"}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = "memref.alloc"() <{alignment = 4 : i32}> : () -> memref<4xf32>
  return
}
