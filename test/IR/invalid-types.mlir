// RUN: not %kopt --split-input-file %s 2>&1 | FileCheck %s --strict-whitespace

// An error in a type or attribute is reported at its text.

// CHECK:{{^}}error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32'
// CHECK-NEXT:{{.*}}invalid-types.mlir:[[#@LINE+4]]:8
// CHECK:{{^[0-9]+}} |   %0 = arith.addf %i, %i : i32
// CHECK-NEXT:{{^ +}}|        ^^^^^^^^^^          --- type of operand #0
func.func @operand(%i: i32) {
  %0 = arith.addf %i, %i : i32
  return
}

// -----

// CHECK:{{^}}error: 'arith.index_cast' op result #0 must be signless-integer-like or memref of signless-integer, but got 'f32'
// CHECK:{{^[0-9]+}} |   %0 = arith.index_cast %i : index to f32
// CHECK-NEXT:{{^ +}}|        ^^^^^^^^^^^^^^^^               --- type of result #0
func.func @result(%i: index) {
  %0 = arith.index_cast %i : index to f32
  return
}

// -----

// CHECK:{{^}}error: 'memref.store' op operand #2 must be variadic of index, but got 'i32'
// CHECK:{{^[0-9]+}} |   "memref.store"(%x, %m, %i) {note = "(f32, i32) -> ()"} : (f32, memref<?x?xf32>, i32) -> ()
// CHECK-NEXT:{{^ +}}|   ^^^^^^^^^^^^^^                                                                  --- type of operand #2
func.func @which_of_several(%x: f32, %m: memref<?x?xf32>, %i: i32) {
  "memref.store"(%x, %m, %i) {note = "(f32, i32) -> ()"} : (f32, memref<?x?xf32>, i32) -> ()
  return
}

// -----

// The type is on another line, and has an alias.

!half = f16
// CHECK:{{^}}error: 'scf.if' op operand #0 must be 1-bit signless integer, but got 'f16'
// CHECK:{{^[0-9]+}} |   "scf.if"(%c) ({
// CHECK-NEXT:{{^ +}}|   ^^^^^^^^
// CHECK:{{^[0-9]+}} |   }) : (!half) -> ()
// CHECK-NEXT:{{^ +}}|         ----- type of operand #0
func.func @below(%c: !half) {
  "scf.if"(%c) ({
    scf.yield // : (i1) -> ()
  }, {
  }) : (!half) -> ()
  return
}

// -----

// CHECK:{{^}}error: 'arith.addf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'
// CHECK:{{^[0-9]+}} |   %0 = "arith.addf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:{{^ +}}|        ^^^^^^^^^^^^                                             ------------- type of result #0
func.func @inferred(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  %0 = "arith.addf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK:{{^}}error: 'arith.select' op failed to verify that all of {true_value, false_value, result} have same type
// CHECK:{{^[0-9]+}} |   %0 = "arith.select"(%c, %a, %b) : (i1, f32, f64) -> f32
// CHECK-NEXT:{{^ +}}|        ^^^^^^^^^^^^^^                         --- type of operand #2
func.func @odd_one_out(%c: i1, %a: f32, %b: f64) {
  %0 = "arith.select"(%c, %a, %b) : (i1, f32, f64) -> f32
  return
}

// -----

// CHECK:{{^}}error: 'memref.alloc' op attribute 'alignment' failed to satisfy constraint
// CHECK:{{^[0-9]+}} |   %0 = "memref.alloc"() <{alignment = 3 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
// CHECK-NEXT:{{^ +}}|        ^^^^^^^^^^^^^^                 ------- attribute 'alignment'
func.func @attribute() {
  %0 = "memref.alloc"() <{alignment = 3 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
  return
}

// -----

// The location refers to another place, where the operation has no text.

// CHECK:{{^}}error: 'arith.addf' op operand #0 must be floating-point-like, but got 'i32'
// CHECK-NEXT: elsewhere.mlir:7:3
// CHECK-NOT: type of operand
func.func @elsewhere(%i: i32) {
  %0 = arith.addf %i, %i : i32 loc("elsewhere.mlir":7:3)
  return
}

// -----

// CHECK:{{^}}error: vector types must have positive constant sizes but got 0
// CHECK:{{^[0-9]+}} | func.func @extent(%a: vector<0xf32>) {
// CHECK-NEXT:{{^ +}}|                       ^^^^^^^^^^^^
func.func @extent(%a: vector<0xf32>) {
  return
}

// -----

// CHECK:{{^}}error: invalid tensor element type
// CHECK:{{^[0-9]+}} | func.func @element(%a: tensor<4xtuple<i32>>) {
// CHECK-NEXT:{{^ +}}|                                 ^^^^^^^^^^
func.func @element(%a: tensor<4xtuple<i32>>) {
  return
}

// -----

// CHECK:{{^}}error: memref layout mismatch between rank and affine map: 1 != 2
// CHECK:{{^[0-9]+}} | func.func @layout(%a: memref<4xf32, affine_map<(d0, d1) -> (d0)>>) {
// CHECK-NEXT:{{^ +}}|                       ^^^^^^^
func.func @layout(%a: memref<4xf32, affine_map<(d0, d1) -> (d0)>>) {
  return
}

// -----

// CHECK:{{^}}error: integer literal not valid for specified type
// CHECK:{{^[0-9]+}} |   %0 = arith.constant 1 : tensor<4xi32>
// CHECK-NEXT:{{^ +}}|                       ^   ------------- its type
func.func @literal() {
  %0 = arith.constant 1 : tensor<4xi32>
  return
}

// -----

// An error about another operation is reported there.

// CHECK:{{^}}error: type of return operand 1 ('f32') doesn't match function result type ('f64') in function @returned
// CHECK:{{^[0-9]+}} |   return %i, %x : i32, f32
// CHECK-NEXT:{{^ +}}|   ^^^^^^               --- type of operand #1
func.func @returned(%i: i32, %x: f32) -> (i32, f64) {
  return %i, %x : i32, f32
}

// -----

// CHECK:{{^}}error: 'func.call' op operand type mismatch: expected operand type 'f64', but provided 'f32' for operand number 1
// CHECK:{{^[0-9]+}} |   call @callee(%x, %x) : (f32, f32) -> ()
// CHECK-NEXT:{{^ +}}|   ^^^^                         --- type of operand #1
func.func private @callee(f32, f64)
func.func @called(%x: f32) {
  call @callee(%x, %x) : (f32, f32) -> ()
  return
}
