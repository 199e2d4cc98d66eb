// What is wrong, in the words of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'tensor<4x5xf32>'}}
  %0 = arith.addi %f, %f : tensor<4x5xf32>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.addf %i, %i : i32
  return
}

// -----

func.func @f(%i: i32, %x: index) {
  // expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
  %0 = "arith.addi"(%i, %x) : (i32, index) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %0 = "arith.addi"(%i) : (i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addi' op expected 2 operands, but found 3}}
  %0 = "arith.addi"(%i, %i, %i) : (i32, i32, i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addi' op result #0 must be signless-integer-like, but got 'f32'}}
  %0 = "arith.addi"(%i, %i) : (i32, i32) -> f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{cannot name an operation with no results}}
  %0 = "arith.addi"(%i, %i) : (i32, i32) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %0 = arith.constant "foo" : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer constant out of range for attribute}}
  %0 = arith.constant 300 : i8
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
  %0 = arith.constant dense<[1, 2]> : tensor<3xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() {value = 1 : i32} : () -> i64
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %0 = "arith.constant"() : () -> i64
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %0 = arith.cmpi foo, %i, %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %0 = "arith.cmpi"(%i, %i) {predicate = 12 : i64} : (i32, i32) -> i1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
  %0 = "arith.cmpi"(%i, %i) {predicate = 0 : i64} : (i32, i32) -> i32
  return
}

// -----

func.func @f(%s: f32, %i: i32) {
  // expected-error@+1 {{'arith.select' op operand #0 must be bool-like, but got 'i32'}}
  %0 = "arith.select"(%i, %i, %s) : (i32, i32, f32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.extsi' op operand type 'i32' and result type 'i16' are cast incompatible}}
  %0 = arith.extsi %i : i32 to i16
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible}}
  %0 = arith.extsi %i : i32 to i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.extsi' op result #0 must be signless-fixed-width-integer-like, but got 'f32'}}
  %0 = arith.extsi %i : i32 to f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.trunci' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.trunci %i : i32 to i64
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.extf' op operand type 'f32' and result type 'f16' are cast incompatible}}
  %0 = arith.extf %s : f32 to f16
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
  %0 = arith.truncf %s : f32 to f64
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.truncf' op operand type 'f32' and result type 'f32' are cast incompatible}}
  %0 = arith.truncf %s : f32 to f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.bitcast' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.bitcast %i : i32 to i64
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.index_cast %i : i32 to i64
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.index_cast' op operand #0 must be signless-integer-like or memref of signless-integer, but got 'f32'}}
  %0 = arith.index_cast %s : f32 to index
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = arith.index_cast %x : index to index
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got 'f32'}}
  %0 = arith.sitofp %s : f32 to f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.fptosi' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.fptosi %i : i32 to i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{expected ','}}
  %0 = arith.addi %i %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{expected ':'}}
  %0 = arith.addi %i, %i
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{use of undeclared SSA value name}}
  %0 = arith.addi %i, %undefined : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{use of undeclared SSA value name}}
  %0 = arith.addi %i, %ii : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{custom op 'arith.addx' is unknown}}
  %0 = arith.addx %i, %i : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.mului_extended' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0, %1 = arith.mului_extended %s, %s : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addui_extended' op result #1 must be bool-like, but got 'i32'}}
  %0, %1 = arith.addui_extended %i, %i : i32, i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.mulsi_extended' op result #1 must be signless-integer-like, but got 'f32'}}
  %0:2 = "arith.mulsi_extended"(%i, %i) : (i32, i32) -> (i32, f32)
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.shli' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.shli %s, %s : f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.negf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.negf %i : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'arith.maxsi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %0 = arith.maxsi %s, %s : f32
  return
}
