// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%f: tensor<4x5xf32>, %x: index) {
  // expected-error@+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %f[%x] : tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32, %x: index) {
  // expected-error@+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %s into %f[%x] : tensor<4x5xf32>
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.empty(%x) : tensor<4x5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.empty() : tensor<?x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.cast' op operand type 'tensor<4x5xf32>' and result type 'tensor<5x4xf32>' are cast incompatible}}
  %0 = tensor.cast %f : tensor<4x5xf32> to tensor<5x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.cast' op operand type 'tensor<4x5xf32>' and result type 'tensor<?xf32>' are cast incompatible}}
  %0 = tensor.cast %f : tensor<4x5xf32> to tensor<?xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.cast' op operand type 'tensor<4x5xf32>' and result type 'tensor<4x5xi32>' are cast incompatible}}
  %0 = tensor.cast %f : tensor<4x5xf32> to tensor<4x5xi32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.bitcast' op operand type 'tensor<4x5xf32>' and result type 'tensor<4x5xi64>' are cast incompatible}}
  %0 = tensor.bitcast %f : tensor<4x5xf32> to tensor<4x5xi64>
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{number of operands and types do not match: got 2 operands and 3 types}}
  %0 = tensor.from_elements %s, %s : tensor<3xf32>
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.splat %s[%x] : tensor<4xf32>
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.splat %s : tensor<?xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %v: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.reshape' op operand #1 must be 1D tensor of signless integer or index values, but got 'tensor<4xf32>'}}
  %0 = tensor.reshape %f(%v) : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<20xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %0 = tensor.concat dim(2) %f, %f : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>) {
  // expected-error@+1 {{'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 1}}
  %0 = tensor.concat dim(0) %f, %g : (tensor<4x5xf32>, tensor<5x4xf32>) -> tensor<9x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.concat' op result type 'tensor<9x5xf32>'does not match inferred shape 'tensor<8x5xf32>' static sizes}}
  %0 = tensor.concat dim(0) %f, %f : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<9x5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tensor.concat' op requires at least one input}}
  %0 = tensor.concat dim(0) : () -> tensor<9x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  1.}}
  %0 = tensor.collapse_shape %f [[0]] : tensor<4x5xf32> into tensor<20xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 20}}
  %0 = tensor.collapse_shape %f [[0, 1]] : tensor<4x5xf32> into tensor<21xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.}}
  %0 = tensor.collapse_shape %f [[1, 0]] : tensor<4x5xf32> into tensor<20xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %v [[0, 1]] output_shape [2, 3] : tensor<4xf32> into tensor<2x3xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = tensor.expand_shape %v [[0, 1]] output_shape [2] : tensor<4xf32> into tensor<2x2xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op expected collapsed rank (1) to equal the number of reassociation maps (2).}}
  %0 = tensor.expand_shape %v [[0], [1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = tensor.extract_slice %f[0, 0] [4] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<4x4xf32>' or a rank-reduced version. (size mismatch) }}
  %0 = tensor.extract_slice %f[0, 0] [4, 4] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{slice along dimension 0 runs out-of-bounds: 5 >= 4}}
  %0 = tensor.extract_slice %f[2, 0] [4, 4] [1, 1] : tensor<4x5xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %w: tensor<5xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<1x4xf32>' or a rank-reduced version. (size mismatch) }}
  %0 = tensor.insert_slice %w into %f[0, 0] [1, 4] [1, 1] : tensor<5xf32> into tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  // expected-error@+1 {{failed to infer expectedType from sourceType 'tensor<4x5xf32>', specified resultType is 'tensor<5x6xf32>'}}
  %0 = tensor.pad %f low[1] high[1, 1] { ^bb0(%a: index, %c: index): tensor.yield %s : f32 } : tensor<4x5xf32> to tensor<5x6xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  // expected-error@+1 {{specified type 'tensor<5x6xf32>' does not match the inferred type 'tensor<6x7xf32>'}}
  %0 = tensor.pad %f low[1, 1] high[1, 1] { ^bb0(%a: index, %c: index): tensor.yield %s : f32 } : tensor<4x5xf32> to tensor<5x6xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  // expected-error@+1 {{expected the block to have 2 arguments}}
  %0 = tensor.pad %f low[1, 1] high[1, 1] { ^bb0(%a: index): tensor.yield %s : f32 } : tensor<4x5xf32> to tensor<6x7xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %i: i32) {
  // expected-error@+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %0 = tensor.pad %f low[1, 1] high[1, 1] { ^bb0(%a: index, %c: index): tensor.yield %i : i32 } : tensor<4x5xf32> to tensor<6x7xf32>
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{'tensor.generate' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.generate %x { ^bb0(%a: index): tensor.yield %s : f32 } : tensor<4x5xf32>
  return
}

// -----

func.func @f(%i: i32, %x: index) {
  // expected-error@+1 {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %0 = tensor.generate %x { ^bb0(%a: index): tensor.yield %i : i32 } : tensor<?xf32>
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{must have one body argument per input dimension}}
  %0 = tensor.generate %x { ^bb0(%a: index, %c: index): tensor.yield %s : f32 } : tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
  %0 = tensor.gather %f[%t] gather_dims([0]) : (tensor<4x5xf32>, tensor<4x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims overflow source rank}}
  %0 = tensor.gather %f[%t] gather_dims([0, 1, 2, 3, 4]) : (tensor<4x5xf32>, tensor<4x5xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.scatter' op scatter_dims length must match the size of last dimension of indices}}
  %0 = tensor.scatter %f into %f[%t] scatter_dims([0]) unique : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'tensor.yield' op expects parent op to be one of 'tensor.generate, tensor.pad'}}
  tensor.yield %s : f32
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%t, %i) : (tensor<4xf32>, index) -> i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) {
  // expected-error@+1 {{'tensor.insert' op failed to verify that result type matches type of dest}}
  %0 = "tensor.insert"(%v, %t, %i) : (f32, tensor<4xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %p: tensor<2xf32>) {
  // expected-error@+1 {{'tensor.insert_slice' op failed to verify that expected result type to match dest type}}
  %0 = "tensor.insert_slice"(%p, %t) {static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (tensor<2xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %i: index) {
  // expected-error@+1 {{'tensor.dim' op result #0 must be index, but got 'i32'}}
  %0 = "tensor.dim"(%t, %i) : (tensor<4xf32>, index) -> i32
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.rank' op result #0 must be index, but got 'i32'}}
  %0 = "tensor.rank"(%t) : (tensor<4xf32>) -> i32
  return
}
