// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.addi' op attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags}}
  %0 = "arith.addi"(%i, %i) {overflowFlags = 3} : (i32, i32) -> i32
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %s: f32) {
  // expected-error@+1 {{'linalg.fill' op requires one region}}
  %0 = "linalg.fill"(%s, %f) <{operandSegmentSizes = array<i32: 1, 1>}> : (f32, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>, %p4: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{'linalg.pack' op requires attribute 'static_inner_tiles'}}
  %0 = "linalg.pack"(%f, %p4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, inner_dims_pos = array<i64: 0, 1>}> : (tensor<4x5xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'linalg.softmax' op requires attribute 'dimension'}}
  %0 = "linalg.softmax"(%f, %f) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{cannot name an operation with no results}}
  %0 = "scf.if"(%i) ({}, {}) : (i32) -> ()
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'vector.broadcast' op requires a single operand}}
  %0 = "vector.broadcast"(%s, %s) : (f32, f32) -> vector<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot name an operation with no results}}
  %0 = "func.call"() : () -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'arith.cmpi' op requires attribute 'predicate'}}
  %0 = "arith.cmpi"(%i, %i) : (i32, i32) -> i1
  return
}

// -----

func.func @f(%f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.dim' op expected 2 operands, but found 1}}
  %0 = "tensor.dim"(%f) : (tensor<4x5xf32>) -> index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "foo.bar"() : () -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{custom op 'arith.foo' is unknown}}
  %0 = arith.foo %i : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'foo' is unknown (tried 'func.foo' as well)}}
  foo
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = arith.addi %i, %i : i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{operation defines 1 results but was provided 2 to bind}}
  %0, %1 = arith.addi %i, %i : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot name an operation with no results}}
  %0 = func.return
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{undefined symbol alias id 'foo'}}
  %0 = arith.constant 1 : !foo
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{elements literal must be a shaped type}}
  %0 = arith.constant dense<1> : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{parsed zero elements, but type ('tensor<4xi32>') expected at least 1}}
  %0 = arith.constant dense<> : tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected string containing hex digits starting with `0x`}}
  %0 = arith.constant dense<"zz"> : tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
  %0 = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{sparse index #0 is not contained within the value shape, with index=[0, 9], and type='tensor<2x2xi32>'}}
  %0 = arith.constant sparse<[[0, 9]], [1]> : tensor<2x2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{undefined symbol alias id 'undefined'}}
  %0 = arith.constant #undefined
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'x' is unknown (tried 'func.x' as well)}}
  %0 = arith.constant 0x : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'e' is unknown (tried 'func.e' as well)}}
  %0 = arith.constant 1e : f32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected '"' in string literal}}
  %0 = arith.constant "a
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{vector types must have positive constant sizes but got 0}}
  %0 = arith.constant 1 : vector<0xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected non-function type}}
  %0 = arith.constant 1 : memref<4x-1xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer constant out of range for attribute}}
  %0 = arith.constant 1 : i0
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
  %0 = arith.constant 1 : i99999999
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{invalid element type for complex}}
  %0 = arith.constant 1 : complex<index>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected the number of strides to match the rank}}
  %0 = arith.constant 1 : memref<4xf32, strided<[1, 2]>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
  %0 = arith.constant 1 : memref<4xf32, affine_map<(d0, d1) -> (d0)>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{undefined symbol alias id 'foo'}}
  %0 = arith.constant 1 : tensor<4x!foo>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = 1, a = 2} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = affine_map<(d0) -> (d1)>} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = affine_map<(d0, d0) -> (d0)>} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = affine_map<(d0) -> (d0 * d0)>} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = affine_set<(d0) : (d0)>} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = @} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = @a::b} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = true : i32} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = -true} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = 128 : i8} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = 256 : i8} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = -1 : ui8} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = 1 : none} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() {a = loc(unknown)} : () -> () loc(foo)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() : () -> () loc(fused["a", ])
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() : () -> () loc("a":1)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() : () -> () loc(callsite("a" "b"))
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"()[^bb9] : () -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"(%i) : () -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"(%i) : (i32, i32) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "t.x"() : i32
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error@+1 {{invalid properties {} for op arith.remsi: this operation does not support properties}}
  %0 = "arith.remsi"(%n, %n) <{}> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error@+1 {{invalid properties 7 : i64 for op arith.remsi: this operation does not support properties}}
  %0 = "arith.remsi"(%n, %n) <7> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error@+1 {{invalid properties {predicate = 99 : i64} for op arith.cmpi: Invalid attribute `predicate` in property conversion: 99 : i64}}
  %0 = "arith.cmpi"(%n, %n) <{predicate = 99 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error@+1 {{'arith.cmpi' op requires attribute 'predicate'}}
  %0 = "arith.cmpi"(%n, %n) <{}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%n: i32) {
  %0 = "arith.cmpi"(%n, %n) <{more, predicate = 0 : i64}> : (i32, i32) -> i1
  return
}

// -----

// expected-error@+1 {{invalid properties {function_type = () -> (), sym_name = 4 : i32} for op func.func: Invalid attribute `sym_name` in property conversion: 4 : i32}}
"func.func"() <{function_type = () -> (), sym_name = 4 : i32}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "x"}> ({}) : () -> ()
