// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.add' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.add ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x5xf32>)
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.add' op expected type of operand #2 ('tensor<4x5xf32>') to match type of corresponding result ('tensor<5x4xf32>')}}
  linalg.add ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.add' op result #0 must be variadic of ranked tensor of any type values, but got 'f32'}}
  linalg.add ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'linalg.add' op result #0 must be variadic of ranked tensor of any type values, but got 'memref<4x5xf32>'}}
  linalg.add ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%m : memref<4x5xf32>) -> memref<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %m: memref<4x5xf32>) {
  // expected-error@+1 {{'linalg.add' op expected to have pure tensor or buffer semantics}}
  linalg.add ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  // expected-error@+1 {{'linalg.add' op operand #2 must be variadic of shaped of any type values, but got 'f32'}}
  linalg.add ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%s : f32) -> f32
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{custom op 'linalg.add' Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got 'f32' and 'i32'}}
  linalg.add ins(%f, %t : tensor<4x5xf32>, tensor<4x5xi32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%b: tensor<4x5xi1>) {
  // expected-error@+1 {{custom op 'linalg.sub' unsupported operation: sub with bools}}
  linalg.sub ins(%b, %b : tensor<4x5xi1>, tensor<4x5xi1>) outs(%b : tensor<4x5xi1>) -> tensor<4x5xi1>
  return
}

// -----

func.func @f(%b: tensor<4x5xi1>) {
  // expected-error@+1 {{custom op 'linalg.div' unsupported operation: div with bools}}
  linalg.div ins(%b, %b : tensor<4x5xi1>, tensor<4x5xi1>) outs(%b : tensor<4x5xi1>) -> tensor<4x5xi1>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>) {
  // expected-error@+1 {{custom op 'linalg.exp' unsupported non numeric type}}
  linalg.exp ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>) {
  // expected-error@+1 {{custom op 'linalg.abs' unsupported non numeric type}}
  linalg.abs ins(%t : tensor<4x5xi32>) outs(%t : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{custom op 'linalg.div_unsigned' unsupported operation: unsigned div not on uint}}
  linalg.div_unsigned ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{custom op 'linalg.matmul' element of indexing_maps array is not an affine_map}}
  linalg.matmul indexing_maps = [1, 2] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{custom op 'linalg.matmul' invalid kind of attribute specified}}
  linalg.matmul indexing_maps = 1 ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%g: tensor<5x4xf32>, %v: tensor<4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op Invalid broadcast requested, should be (d2).}}
  linalg.matmul indexing_maps = [affine_map<(a,b,c)->(a)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%v, %g : tensor<4xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%g: tensor<5x4xf32>, %v: tensor<4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 4, but found 5}}
  linalg.matmul indexing_maps = [affine_map<(a,b,c)->(c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%v, %g : tensor<4xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op Unexpected dim expression in map result.}}
  linalg.matmul indexing_maps = [affine_map<(a,b,c)->(a,b)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%sq, %g : tensor<4x4xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op Unexpected dim expression in map result.}}
  linalg.matmul indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op Invalid batch dimension expression.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(m,b,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op Unexpected result dim expression (outside the set of default result dims).}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,n)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op Invalid broadcast requested.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(m)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%v, %c3 : tensor<4xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op Invalid broadcast requested.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%f, %c3 : tensor<4x5xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op Invalid output map result dimension.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,n,m)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op expects 3 dims, but got (2).}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_matmul' op no. of result dim expressions exceeds 3.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,k,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%q4, %c3 : tensor<1x8x8x3xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_reduce_matmul' op Invalid output map result dimension.}}
  linalg.batch_reduce_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(n,m)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{'linalg.batch_reduce_matmul' op expects 2 dims, but got (3).}}
  linalg.batch_reduce_matmul indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,n,m)>] ins(%c3, %c3 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%c3 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %k4: tensor<3x3x3x2xf32>, %o4: tensor<1x6x6x2xf32>) {
  // expected-error@+1 {{'linalg.conv_2d_nhwc_hwcf' op attribute 'strides' failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]}}
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<3xi64>} ins(%q4, %k4 : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%o4 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %k4: tensor<3x3x3x2xf32>, %o4: tensor<1x6x6x2xf32>) {
  // expected-error@+1 {{'linalg.conv_2d_nhwc_hwcf' op attribute 'strides' failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]}}
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi32>} ins(%q4, %k4 : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%o4 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %k4: tensor<3x3x3x2xf32>, %o4: tensor<1x6x6x2xf32>) {
  // expected-error@+1 {{'linalg.conv_2d_nhwc_hwcf' op attribute 'strides' failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]}}
  linalg.conv_2d_nhwc_hwcf {strides = 1} ins(%q4, %k4 : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%o4 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.copy' op attribute 'cast' failed to satisfy constraint: allowed 32-bit signless integer cases: 0, 1}}
  linalg.copy {cast = 1} ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{expected op with scalar input}}
  linalg.fill ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %i: i32) {
  // expected-error@+1 {{'linalg.fill' op expected fill value type ('i32') to match output element type ('f32')}}
  linalg.fill ins(%i : i32) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%s: f32, %u: tensor<*xf32>) {
  // expected-error@+1 {{'linalg.fill' op result #0 must be variadic of ranked tensor of any type values, but got 'tensor<*xf32>'}}
  linalg.fill ins(%s : f32) outs(%u : tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'linalg.index' op expected parent op with LinalgOp interface}}
  linalg.index 0 : index
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'linalg.yield' op must be the last operation in the parent block}}
  linalg.yield %s : f32
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{custom op 'linalg.contract' expected 'indexing_maps' attribute}}
  linalg.contract ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{iteration space dim at index 0 is neither a contracting dim nor of parallel iteration type}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{iteration spaces of provided affine_maps differ}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b)->(a,b)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{provided affine_map is not a projected permutation}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a+b,b)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{ranks of shaped operand and results of corresponding affine_map differ}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%g: tensor<5x4xf32>, %s: f32, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{affine_map specifies shaped access while operand has non-shaped type}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%s, %g : f32, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{iteration space dim at index 3 not used to access any operand}}
  linalg.contract indexing_maps = [affine_map<(a,b,c,d)->(a,c)>, affine_map<(a,b,c,d)->(c,b)>, affine_map<(a,b,c,d)->(a,b)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>, %v: tensor<4xf32>) {
  // expected-error@+1 {{iteration space dim at index 1 is neither a contracting dim nor of parallel iteration type}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a)>] ins(%f, %g : tensor<4x5xf32>, tensor<5x4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'indexing_maps' do not specify a contracting dimension}}
  linalg.contract indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>] ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %sq: tensor<4x4xf32>) {
  // expected-error@+1 {{'linalg.contract' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4}}
  linalg.contract indexing_maps = [affine_map<(a,b,c)->(a,c)>, affine_map<(a,b,c)->(c,b)>, affine_map<(a,b,c)->(a,b)>] ins(%f, %f : tensor<4x5xf32>, tensor<4x5xf32>) outs(%sq : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{expected 'kind'}}
  linalg.elementwise ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{custom op 'linalg.elementwise' expected ElementwiseKind attribute}}
  linalg.elementwise kind=1 ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.elementwise' op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)}}
  linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(a,b)->(a,b)>] ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.elementwise' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4}}
  linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(a,b)->(b,a)>, affine_map<(a,b)->(a,b)>] ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op incorrect dimension specified}}
  linalg.softmax dimension(2) ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %g: tensor<5x4xf32>) {
  // expected-error@+1 {{'linalg.softmax' op incompatible output shape}}
  linalg.softmax dimension(1) ins(%f : tensor<4x5xf32>) outs(%g : tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x5xi32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op failed to verify that input and output have same element type}}
  linalg.softmax dimension(1) ins(%f : tensor<4x5xf32>) outs(%t : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.softmax dimension(1) ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>)
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op expected type of operand #1 ('tensor<4x5xf32>') to match type of corresponding result ('tensor<5x4xf32>')}}
  linalg.softmax dimension(1) ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @f(%m: memref<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  linalg.softmax dimension(1) ins(%m : memref<4x5xf32>) outs(%m : memref<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{expected 'dimension'}}
  linalg.softmax ins(%f : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op expect filter width either equals to r or 1}}
  linalg.winograd_filter_transform fmr(F_2_3) ins(%p4 : tensor<2x3x2x2xf32>) outs(%p4 : tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'fmr' [F_2_3, F_4_3, F_2_5]}}
  linalg.winograd_filter_transform fmr(F_9_3) ins(%p4 : tensor<2x3x2x2xf32>) outs(%p4 : tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'fmr' [F_2_3, F_4_3, F_2_5]}}
  linalg.winograd_filter_transform fmr(0) ins(%p4 : tensor<2x3x2x2xf32>) outs(%p4 : tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op operand #0 must be 4D tensor of any type values, but got 'tensor<4x5xf32>'}}
  linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<4x5xf32>) outs(%p4 : tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %o6: tensor<4x4x2x2x1x3xf32>) {
  // expected-error@+1 {{'linalg.winograd_input_transform' op the output shape is not expected}}
  linalg.winograd_input_transform fmr(F_2_3) ins(%q4 : tensor<1x8x8x3xf32>) outs(%o6 : tensor<4x4x2x2x1x3xf32>) -> tensor<4x4x2x2x1x3xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %o6: tensor<4x4x2x2x1x3xf32>) {
  // expected-error@+1 {{'linalg.winograd_output_transform' op expect input height equals to input tile size}}
  linalg.winograd_output_transform fmr(F_4_3) ins(%o6 : tensor<4x4x2x2x1x3xf32>) outs(%q4 : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @f(%q4: tensor<1x8x8x3xf32>, %o6: tensor<4x4x2x2x1x3xf32>) {
  // expected-error@+1 {{'linalg.winograd_output_transform' op the output shape is not expected}}
  linalg.winograd_output_transform fmr(F_2_3) ins(%o6 : tensor<4x4x2x2x1x3xf32>) outs(%q4 : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  linalg.pack %f inner_dims_pos = [0, 1] inner_tiles = [2, 5] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{invalid zero tile factor}}
  linalg.pack %f inner_dims_pos = [0] inner_tiles = [0] into %c3 : tensor<4x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  linalg.pack %f inner_dims_pos = [2] inner_tiles = [2] into %c3 : tensor<4x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  linalg.pack %f inner_dims_pos = [0, 0] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{invalid outer_dims_perm vector}}
  linalg.pack %f outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{outer_dims_perm must be a permutation or empty}}
  linalg.pack %f outer_dims_perm = [0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{tiling factors must equal the number of dimensions to tile}}
  linalg.pack %f inner_dims_pos = [0] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{tiling factors must be less than or equal to the input rank for pack or output rank for unpack}}
  linalg.pack %v inner_dims_pos = [0] inner_tiles = [2, 2] into %c3 : tensor<4xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %c3: tensor<2x4x5xf32>) {
  // expected-error@+1 {{packed rank != (unpacked rank + num tiling factors), got 3 != 4}}
  linalg.pack %f inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %c3 : tensor<4x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  linalg.pack %f inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %i: i32, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'linalg.pack' op expected padding_value has 'f32' but got: 'i32'}}
  linalg.pack %f padding_value(%i : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  linalg.pack %f padding_value(%s : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32, %x: index, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  linalg.pack %f padding_value(%s : f32) inner_dims_pos = [0, 1] inner_tiles = [%x, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  linalg.pack %f padding_value(%s : f32) inner_dims_pos = [0, 1] inner_tiles = [1, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{expected 'inner_dims_pos'}}
  linalg.pack %f inner_tiles = [2, 2] into %p4 : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  linalg.unpack %p4 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %f : tensor<2x3x2x2xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{invalid zero tile factor}}
  linalg.unpack %p4 inner_dims_pos = [0, 1] inner_tiles = [2, 0] into %f : tensor<2x3x2x2xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%sq: tensor<4x4xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{expected 'tensor<2x2x2x2xf32>' for the packed domain value, got 'tensor<2x3x2x2xf32>'}}
  linalg.unpack %p4 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %sq : tensor<2x3x2x2xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%sq: tensor<4x4xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  linalg.unpack %p4 inner_dims_pos = [0, 1, 2] inner_tiles = [2, 2, 2] into %sq : tensor<2x3x2x2xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%sq: tensor<4x4xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{packed rank != (unpacked rank + num tiling factors), got 4 != 2}}
  linalg.unpack %p4 inner_dims_pos = [] inner_tiles = [] into %sq : tensor<2x3x2x2xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.generic' unexpected iterator_type (foo)}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>], iterator_types = ["parallel", "foo"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected indexing_map #0 to have 2 dim(s) to match the number of loops}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>], iterator_types = ["parallel", "parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op invalid indexing maps are non-invertible: ((d0, d1) -> (d0))}}
  linalg.generic {indexing_maps = [affine_map<(a, b)->(a)>], iterator_types = ["parallel", "parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.index' op expected dim (1) to be lower than the number of loops (1) of the enclosing LinalgOp}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>], iterator_types = ["parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): %z = linalg.index 1 : index linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'linalg.generic' expected "iterator_types" array attribute}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.yield' op expected number of yield values (0) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>], iterator_types = ["parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands}}
  linalg.generic {indexing_maps = [affine_map<(a)->(a)>], iterator_types = ["parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32, %z: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op unexpected symbols in indexing_map #0}}
  linalg.generic {indexing_maps = [affine_map<(a)[s]->(a)>], iterator_types = ["parallel"]} outs(%v : tensor<4xf32>) { ^bb0(%y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>, %d: tensor<4x2xf32>) {
  // expected-error@+1 {{'linalg.pack' op failed to verify that result type matches type of dest}}
  %0 = "linalg.pack"(%a, %d) {inner_dims_pos = array<i64: 0>, static_inner_tiles = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<8xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>, %d: tensor<4x2xf32>) {
  // expected-error@+1 {{'linalg.unpack' op failed to verify that result type matches type of dest}}
  %0 = "linalg.unpack"(%d, %a) {inner_dims_pos = array<i64: 0>, static_inner_tiles = array<i64: 2>} : (tensor<4x2xf32>, tensor<8xf32>) -> tensor<?xf32>
  return
}

// -----

// The last operand is not an output.
func.func @f(%i: i64, %t: tensor<*xf32>, %x: f32) {
  // expected-error@+1 {{'linalg.dot' op expected operand #0 rank (0) to match the result rank of indexing_map (1)}}
  "linalg.dot"(%i, %t, %x) <{operandSegmentSizes = array<i32: 3, 0>}> ({
  ^bb0(%a: i64, %b: f32, %c: f32):
    "linalg.yield"() : () -> ()
  }) : (i64, tensor<*xf32>, f32) -> ()
  return
}

// -----

// expected-error@+1 {{expected op with 2 inputs and 1 output}}
"linalg.conv_3d"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0:
  linalg.yield
}) : () -> ()

// -----

// expected-error@+1 {{'linalg.mmt4d' op expected the number of indexing_map (3) to be equal to the number of input/output operands (0)}}
"linalg.mmt4d"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0:
  linalg.yield
}) : () -> ()
