// RUN: %kopt %s --split-input-file --verify-diagnostics
// RUN: %if mlir-opt %{ %mlir-opt %s --split-input-file --verify-diagnostics %}

// Invalid memory accesses, transfers and masks. The messages equal MLIR's.

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op requires 2 indices}}
  %0 = vector.load %m[%i] : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<4xf64>
  return
}

// -----

func.func @f(%sm: memref<8x16xf32, strided<[1, 8]>>, %i: index) {
  // expected-error@+1 {{'vector.load' op most minor memref dim must have unit stride}}
  %0 = vector.load %sm[%i, %i] : memref<8x16xf32, strided<[1, 8]>>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op destination memref has lower rank than the result vector}}
  %0 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<1x2x4xf32>
  return
}

// -----

func.func @f(%t: tensor<8x16xf32>, %i: index) {
  // expected-error@+1 {{custom op 'vector.load' invalid kind of type specified: expected builtin.memref, but found 'tensor<8x16xf32>'}}
  %0 = vector.load %t[%i, %i] : tensor<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.store' op requires 2 indices}}
  vector.store %v, %m[%i] : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%n: vector<4xi32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.store' op base and valueToStore element type should match}}
  vector.store %n, %m[%i, %i] : memref<8x16xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %sm: memref<8x16xf32, strided<[1, 8]>>, %i: index) {
  // expected-error@+1 {{'vector.store' op most minor memref dim must have unit stride}}
  vector.store %v, %sm[%i, %i] : memref<8x16xf32, strided<[1, 8]>>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.maskedload' op requires 2 indices}}
  %0 = vector.maskedload %m[%i], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %n: vector<4xi32>) {
  // expected-error@+1 {{'vector.maskedload' op base and result element type should match}}
  %0 = vector.maskedload %m[%i, %i], %k, %n : memref<8x16xf32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.maskedload' op expected result shape to match mask shape}}
  %0 = vector.maskedload %m[%i, %i], %k, %x : memref<8x16xf32>, vector<4xi1>, vector<2xf32> into vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.maskedload' op expected pass_thru of same type as result type}}
  %0 = vector.maskedload %m[%i, %i], %k, %x : memref<8x16xf32>, vector<4xi1>, vector<2xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.gather' op requires 2 indices}}
  %0 = vector.gather %m[%i] [%n], %k, %v : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.gather' op expected result dim to match indices dim}}
  %0 = vector.gather %m[%i, %i] [%n], %k, %x : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<2xf32> into vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.gather' op expected pass_thru of same type as result type}}
  %0 = vector.gather %m[%i, %i] [%n], %k, %x : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<2xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.gather' op operand #3 must be vector of integer or index values, but got 'vector<4xf32>'}}
  %0 = vector.gather %m[%i, %i] [%v], %k, %v : memref<8x16xf32>, vector<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.gather' op operand #0 must be Tensor or MemRef of any type values, but got 'vector<4xf32>'}}
  %0 = vector.gather %v[%i, %i] [%n], %k, %v : vector<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.scatter' op requires 2 indices}}
  vector.scatter %m[%i] [%n], %k, %v : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.scatter' op expected valueToStore dim to match indices dim}}
  vector.scatter %m[%i, %i] [%n], %k, %x : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.scatter' op base and valueToStore element type should match}}
  vector.scatter %m[%i, %i] [%n], %k, %n : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.expandload' op requires 2 indices}}
  %0 = vector.expandload %m[%i], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.expandload' op expected result dim to match mask dim}}
  %0 = vector.expandload %m[%i, %i], %k, %x : memref<8x16xf32>, vector<4xi1>, vector<2xf32> into vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.expandload' op expected pass_thru of same type as result type}}
  %0 = vector.expandload %m[%i, %i], %k, %x : memref<8x16xf32>, vector<4xi1>, vector<2xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.compressstore' op requires 2 indices}}
  vector.compressstore %m[%i], %k, %v : memref<8x16xf32>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.compressstore' op expected valueToStore dim to match mask dim}}
  vector.compressstore %m[%i, %i], %k, %x : memref<8x16xf32>, vector<4xi1>, vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%i], %f : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires two types}}
  %0 = vector.transfer_read %m[%i, %i], %f : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires memref or ranked tensor type}}
  %0 = vector.transfer_read %m[%i, %i], %f : vector<4xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires vector type}}
  %0 = vector.transfer_read %m[%i, %i], %f : memref<8x16xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' expected a custom permutation_map when rank(source) != rank(destination)}}
  %0 = vector.transfer_read %m[%i, %i], %f : memref<8x16xf32>, vector<2x3x4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0) -> (d0)>} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (1)>} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<8x16xf32>, vector<2x4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires permutation_map without symbols}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1)[s] -> (d0)>} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2}}
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, true]} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op attribute 'in_bounds' failed to satisfy constraint: 1-bit boolean array attribute}}
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [1]} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op masked attribute has been removed. Use in_bounds instead.}}
  %0 = vector.transfer_read %m[%i, %i], %f {masked = [true]} : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type}}
  %0 = vector.transfer_read %m[%i, %i], %f : memref<8x16xf32>, vector<3xi24>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %d: f64) {
  // expected-error@+1 {{'vector.transfer_read' op requires formal padding and source of the same elemental type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %d) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x16xf32>, index, index, f64) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.transfer_read' op inferred mask type ('vector<2xi1>') and mask operand type ('vector<4xi1>') don't match}}
  %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x16xf32>, index, index, f32, vector<4xi1>) -> vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires attribute 'in_bounds'}}
  %0 = "vector.transfer_read"(%m, %i, %i, %f) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x16xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.transfer_write' op requires 2 indices}}
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.transfer_write' op should not have broadcast dimensions}}
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{custom op 'vector.transfer_write' requires vector type}}
  vector.transfer_write %v, %m[%i, %i] : memref<8x16xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{custom op 'vector.transfer_write' requires memref or ranked tensor type}}
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = vector.create_mask %i, %i : vector<4xi1>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'vector.create_mask' op must specify exactly one operand for 0-D create_mask}}
  %0 = vector.create_mask %i, %i : vector<i1>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'vector.create_mask' op result #0 must be vector of 1-bit signless integer values, but got 'vector<4xi8>'}}
  %0 = vector.create_mask %i : vector<4xi8>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = vector.constant_mask [3, 2] : vector<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [-1] : vector<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %0 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions}}
  %0 = vector.constant_mask [2] : vector<[4]xi1>
  return
}

// -----

func.func @f(%k: vector<4xi1>, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.mask' op expects a 'vector<2xi1>' mask for the maskable operation}}
  %0 = vector.mask %k { vector.reduction <add>, %x : vector<2xf32> into f32 } : vector<4xi1> -> f32
  return
}

// -----

func.func @f(%k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects a MaskableOpInterface within the mask region}}
  %0 = vector.mask %k { arith.addf %v, %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// -----

func.func @f(%k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op expects result type to match maskable operation result type}}
  %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f64
  return
}

// -----

func.func @f(%k: vector<4xi1>, %f: f32, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op doesn't expect a passthru argument for this maskable operation}}
  %0 = vector.mask %k, %f { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.mask' op operand #0 must be vector of 1-bit signless integer values, but got 'vector<4xf32>'}}
  %0 = vector.mask %v { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xf32> -> f32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4xi32>'}}
  %0 = vector.step : vector<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<2x4xindex>'}}
  %0 = vector.step : vector<2x4xindex>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{'vector.print' op operand #0 must be , but got 'memref<8x16xf32>'}}
  vector.print %m : memref<8x16xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings}}
  vector.print %v : vector<4xf32> str "x"
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings}}
  vector.print str "x" punctuation <comma>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'vector.print' `str` clause can appear at most once in the expansion of the oilist directive}}
  vector.print str "x" str "y"
  return
}

// -----

func.func @f(%sm: memref<8x16xf32, strided<[1, 8]>>) {
  // expected-error@+1 {{'vector.type_cast' op expects operand to be a memref with identity layout}}
  %0 = vector.type_cast %sm : memref<8x16xf32, strided<[1, 8]>> to memref<vector<8x16xf32>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result in same memory space}}
  %0 = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x16xf32>, 1>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<8x15xf32>>'}}
  %0 = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x15xf32>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result and operand with same underlying scalar type: 'memref<vector<8x16xi32>>'}}
  %0 = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x16xi32>>
  return
}
