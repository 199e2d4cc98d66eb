// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%x: index) {
  // expected-error@+1 {{'index.casts' op result #0 must be integer or index, but got 'f32'}}
  %0 = index.casts %x : index to f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'index.casts' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = index.casts %i : i32 to i64
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.add' op result #0 must be index, but got 'i32'}}
  %0 = "index.add"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.and' op result #0 must be index, but got 'i32'}}
  %0 = "index.and"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.ceildivs' op result #0 must be index, but got 'i32'}}
  %0 = "index.ceildivs"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.ceildivu' op result #0 must be index, but got 'i32'}}
  %0 = "index.ceildivu"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.divs' op result #0 must be index, but got 'i32'}}
  %0 = "index.divs"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.divu' op result #0 must be index, but got 'i32'}}
  %0 = "index.divu"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.floordivs' op result #0 must be index, but got 'i32'}}
  %0 = "index.floordivs"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.maxs' op result #0 must be index, but got 'i32'}}
  %0 = "index.maxs"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.maxu' op result #0 must be index, but got 'i32'}}
  %0 = "index.maxu"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.mins' op result #0 must be index, but got 'i32'}}
  %0 = "index.mins"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.minu' op result #0 must be index, but got 'i32'}}
  %0 = "index.minu"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.mul' op result #0 must be index, but got 'i32'}}
  %0 = "index.mul"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.or' op result #0 must be index, but got 'i32'}}
  %0 = "index.or"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.rems' op result #0 must be index, but got 'i32'}}
  %0 = "index.rems"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.remu' op result #0 must be index, but got 'i32'}}
  %0 = "index.remu"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.shl' op result #0 must be index, but got 'i32'}}
  %0 = "index.shl"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.shrs' op result #0 must be index, but got 'i32'}}
  %0 = "index.shrs"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.shru' op result #0 must be index, but got 'i32'}}
  %0 = "index.shru"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.sub' op result #0 must be index, but got 'i32'}}
  %0 = "index.sub"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.xor' op result #0 must be index, but got 'i32'}}
  %0 = "index.xor"(%a, %a) : (index, index) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'index.cmp' op result #0 must be 1-bit signless integer, but got 'i32'}}
  %0 = "index.cmp"(%a, %a) {pred = #index<cmp_predicate eq>} : (index, index) -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'index.sizeof' op result #0 must be index, but got 'i32'}}
  %0 = "index.sizeof"() : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'index.constant' op result #0 must be index, but got 'i32'}}
  %0 = "index.constant"() {value = 4 : index} : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'index.bool.constant' op result #0 must be 1-bit signless integer, but got 'i32'}}
  %0 = "index.bool.constant"() {value = true} : () -> i32
  return
}
