// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @f0(%a: i32, %b: i64) {
  // CHECK: error: 'arith.addi' op requires the same type for all operands and results
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @f1(%a: f32) {
  // CHECK: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'
  %0 = arith.addi %a, %a : f32
  return
}

// -----

func.func @f2(%a: si32) {
  // CHECK: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'si32'
  %0 = arith.addi %a, %a : si32
  return
}

// -----

func.func @f3(%a: memref<2xi32>) {
  // CHECK: error: 'arith.addi' op operand #0 must be signless-integer-like, but got 'memref<2xi32>'
  %0 = arith.addi %a, %a : memref<2xi32>
  return
}

// -----

func.func @f4(%a: i32) {
  // CHECK: error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32'
  %0 = arith.addf %a, %a : i32
  return
}

// -----

func.func @f5(%a: f32) {
  // CHECK: error: 'arith.addf' op expected 2 operands, but found 1
  %0 = "arith.addf"(%a) : (f32) -> f32
  return
}

// -----

func.func @f6(%a: f32) {
  // CHECK: error: 'arith.addf' op attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags
  %0 = "arith.addf"(%a, %a) {fastmath = 3 : i32} : (f32, f32) -> f32
  return
}

// -----

func.func @f7(%a: i32) {
  // CHECK: error: 'arith.addui_extended' op result #1 must be bool-like, but got 'i32'
  %0:2 = "arith.addui_extended"(%a, %a) : (i32, i32) -> (i32, i32)
  return
}

// -----

func.func @f8(%a: i32) {
  // CHECK: error: 'arith.mulsi_extended' op failed to verify that all of {lhs, rhs, low, high} have same type
  %0:2 = "arith.mulsi_extended"(%a, %a) : (i32, i32) -> (i32, i64)
  return
}

// -----

func.func @f9(%a: i32, %b: i64) {
  // CHECK: error: 'arith.cmpi' op requires all operands to have the same type
  %0 = "arith.cmpi"(%a, %b) {predicate = 0 : i64} : (i32, i64) -> i1
  return
}

// -----

func.func @f10(%a: i32) {
  // CHECK: error: 'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
  %0 = "arith.cmpi"(%a, %a) {predicate = 10 : i64} : (i32, i32) -> i1
  return
}

// -----

func.func @f11(%a: i32) {
  // CHECK: error: 'arith.cmpi' op requires attribute 'predicate'
  %0 = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  return
}

// -----

func.func @f12(%a: i32) {
  // CHECK: error: 'arith.cmpi' op result #0 must be bool-like, but got 'i32'
  %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (i32, i32) -> i32
  return
}

// -----

func.func @f13(%a: vector<4xi32>) {
  // CHECK: error: 'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands
  %0 = "arith.cmpi"(%a, %a) {predicate = 1 : i64} : (vector<4xi32>, vector<4xi32>) -> i1
  return
}

// -----

func.func @f14(%c: i1, %a: i32, %b: i64) {
  // CHECK: error: 'arith.select' op failed to verify that all of {true_value, false_value, result} have same type
  %0 = "arith.select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f15(%c: tensor<4xi1>, %a: tensor<?xf32>) {
  // CHECK: error: 'arith.select' op failed to verify that condition is signless i1 or has matching shape
  %0 = arith.select %c, %a, %a : tensor<4xi1>, tensor<?xf32>
  return
}

// -----

func.func @f16(%c: i32, %a: f32) {
  // CHECK: error: 'arith.select' op operand #0 must be bool-like, but got 'i32'
  %0 = "arith.select"(%c, %a, %a) : (i32, f32, f32) -> f32
  return
}

// -----

func.func @f17(%a: f64) {
  // CHECK: error: 'arith.extf' op operand type 'f64' and result type 'f32' are cast incompatible
  %0 = arith.extf %a : f64 to f32
  return
}

// -----

func.func @f18(%a: f16) {
  // CHECK: error: 'arith.extf' op operand type 'f16' and result type 'bf16' are cast incompatible
  %0 = arith.extf %a : f16 to bf16
  return
}

// -----

func.func @f19(%a: f32) {
  // CHECK: error: 'arith.truncf' op operand type 'f32' and result type 'f32' are cast incompatible
  %0 = arith.truncf %a : f32 to f32
  return
}

// -----

func.func @f20(%a: f64) {
  // CHECK: error: 'arith.truncf' op attribute 'roundingmode' failed to satisfy constraint: Floating point rounding mode
  %0 = "arith.truncf"(%a) {roundingmode = 7 : i32} : (f64) -> f32
  return
}

// -----

func.func @f21(%a: i64) {
  // CHECK: error: 'arith.extsi' op operand type 'i64' and result type 'i32' are cast incompatible
  %0 = arith.extsi %a : i64 to i32
  return
}

// -----

func.func @f22(%a: i64) {
  // CHECK: error: 'arith.extui' op operand type 'i64' and result type 'i64' are cast incompatible
  %0 = arith.extui %a : i64 to i64
  return
}

// -----

func.func @f23(%a: i32) {
  // CHECK: error: 'arith.trunci' op operand type 'i32' and result type 'i64' are cast incompatible
  %0 = arith.trunci %a : i32 to i64
  return
}

// -----

func.func @f24(%a: index) {
  // CHECK: error: 'arith.trunci' op operand #0 must be signless-fixed-width-integer-like, but got 'index'
  %0 = arith.trunci %a : index to i32
  return
}

// -----

func.func @f25(%a: index) {
  // CHECK: error: 'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got 'index'
  %0 = arith.sitofp %a : index to f32
  return
}

// -----

func.func @f26(%a: i32) {
  // CHECK: error: 'arith.sitofp' op requires the same shape for all operands and results
  %0 = arith.sitofp %a : i32 to vector<4xf32>
  return
}

// -----

func.func @f27(%a: vector<4xf32>) {
  // CHECK: error: 'arith.extf' op requires the same shape for all operands and results
  %0 = arith.extf %a : vector<4xf32> to vector<5xf64>
  return
}

// -----

func.func @f28(%a: tensor<?xf32>) {
  // CHECK: error: 'arith.extf' op failed to verify that input and output have the same tensor dimensions
  %0 = arith.extf %a : tensor<?xf32> to tensor<5xf64>
  return
}

// -----

func.func @f29(%a: i32) {
  // CHECK: error: 'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible
  %0 = arith.index_cast %a : i32 to i64
  return
}

// -----

func.func @f30(%a: index) {
  // CHECK: error: 'arith.index_castui' op operand type 'index' and result type 'index' are cast incompatible
  %0 = arith.index_castui %a : index to index
  return
}

// -----

func.func @f31(%a: f32) {
  // CHECK: error: 'arith.index_cast' op operand #0 must be signless-integer-like or memref of signless-integer, but got 'f32'
  %0 = arith.index_cast %a : f32 to index
  return
}

// -----

func.func @f32(%a: i32) {
  // CHECK: error: 'arith.bitcast' op operand type 'i32' and result type 'f64' are cast incompatible
  %0 = arith.bitcast %a : i32 to f64
  return
}

// -----

func.func @f33() {
  // CHECK: error: 'arith.constant' op failed to verify that all of {value, result} have same type
  %0 = "arith.constant"() {value = 1 : i32} : () -> i64
  return
}

// -----

func.func @f34() {
  // CHECK: error: 'arith.constant' op integer return type must be signless
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @f35() {
  // CHECK: error: 'arith.constant' op value must be an integer, float, or elements attribute
  %0 = arith.constant "abc" : i32
  return
}

// -----

func.func @f36() {
  // CHECK: error: 'arith.constant' op requires attribute 'value'
  %0 = "arith.constant"() : () -> i64
  return
}

// -----

func.func @f37() {
  // CHECK: error: 'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat
  %0 = arith.constant dense<[1, 2]> : vector<[2]xi32>
  return
}

// -----

func.func @f38(%a: i32) {
  // CHECK: error: 'arith.bitcast' op result #0 must be signless-integer-or-float-like or memref of signless-integer or float, but got 'index'
  %0 = "arith.bitcast"(%a) : (i32) -> index
  return
}
