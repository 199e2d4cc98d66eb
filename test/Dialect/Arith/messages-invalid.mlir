// Diagnostics with the wording of mlir-opt.
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

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.addf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.addf' op failed to infer returned types}}
  %0 = "arith.addf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.divf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.divf' op failed to infer returned types}}
  %0 = "arith.divf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.maximumf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.maximumf' op failed to infer returned types}}
  %0 = "arith.maximumf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.maxnumf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.maxnumf' op failed to infer returned types}}
  %0 = "arith.maxnumf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.minimumf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.minimumf' op failed to infer returned types}}
  %0 = "arith.minimumf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.minnumf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.minnumf' op failed to infer returned types}}
  %0 = "arith.minnumf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.mulf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.mulf' op failed to infer returned types}}
  %0 = "arith.mulf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.remf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.remf' op failed to infer returned types}}
  %0 = "arith.remf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error@+2 {{'arith.subf' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error@+1 {{'arith.subf' op failed to infer returned types}}
  %0 = "arith.subf"(%a, %b) : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>) {
  // expected-error@+2 {{'arith.negf' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'arith.negf' op failed to infer returned types}}
  %0 = "arith.negf"(%a) : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.addi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.addi' op failed to infer returned types}}
  %0 = "arith.addi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.andi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.andi' op failed to infer returned types}}
  %0 = "arith.andi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.ceildivsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.ceildivsi' op failed to infer returned types}}
  %0 = "arith.ceildivsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.ceildivui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.ceildivui' op failed to infer returned types}}
  %0 = "arith.ceildivui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.divsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.divsi' op failed to infer returned types}}
  %0 = "arith.divsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.divui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.divui' op failed to infer returned types}}
  %0 = "arith.divui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.floordivsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.floordivsi' op failed to infer returned types}}
  %0 = "arith.floordivsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.maxsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.maxsi' op failed to infer returned types}}
  %0 = "arith.maxsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.maxui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.maxui' op failed to infer returned types}}
  %0 = "arith.maxui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.minsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.minsi' op failed to infer returned types}}
  %0 = "arith.minsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.minui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.minui' op failed to infer returned types}}
  %0 = "arith.minui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.muli' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.muli' op failed to infer returned types}}
  %0 = "arith.muli"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.ori' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.ori' op failed to infer returned types}}
  %0 = "arith.ori"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.remsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.remsi' op failed to infer returned types}}
  %0 = "arith.remsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.remui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.remui' op failed to infer returned types}}
  %0 = "arith.remui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.shli' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.shli' op failed to infer returned types}}
  %0 = "arith.shli"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.shrsi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.shrsi' op failed to infer returned types}}
  %0 = "arith.shrsi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.shrui' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.shrui' op failed to infer returned types}}
  %0 = "arith.shrui"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.subi' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.subi' op failed to infer returned types}}
  %0 = "arith.subi"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<?xi32>) {
  // expected-error@+2 {{'arith.xori' op inferred type(s) 'tensor<?xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{'arith.xori' op failed to infer returned types}}
  %0 = "arith.xori"(%b, %a) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xf32, 1>) {
  // expected-error@+2 {{'arith.negf' op inferred type(s) 'tensor<4xf32, 1 : i64>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error@+1 {{'arith.negf' op failed to infer returned types}}
  %0 = "arith.negf"(%a) : (tensor<4xf32, 1>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'arith.negf' op requires the same encoding for all operands and results}}
  %0 = "arith.negf"(%a) : (tensor<4xf32>) -> tensor<4xf32, 1>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+1 {{'arith.mulsi_extended' op failed to verify that all of {lhs, rhs, low, high} have same type}}
  %0:2 = "arith.mulsi_extended"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<?xi32>, tensor<4xi32>)
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+1 {{'arith.mului_extended' op failed to verify that all of {lhs, rhs, low, high} have same type}}
  %0:2 = "arith.mului_extended"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<?xi32>)
  return
}

// -----

// The result type cannot be inferred.
func.func @f(%a: tensor<4xi32>) {
  %0:2 = "arith.addui_extended"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<?xi1>)
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error@+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 0 : i64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi1>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'arith.cmpf' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpf"(%a, %a) {predicate = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xi1>
  return
}

// -----

func.func @f(%c: i1, %a: tensor<4xf32>) {
  // expected-error@+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%c, %a, %a) : (i1, tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}
