// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null
// Odd spellings that mean something usual.

// All flags together are `fast`, and `none` beside others is nothing.
func.func @flags(%a: f32, %b: i32) -> (f32, f32, f32, i32) {
  %0 = arith.addf %a, %a fastmath<nnan,ninf,nsz,arcp,contract,afn,reassoc> : f32
  %1 = arith.addf %0, %a fastmath<fast,nnan> : f32
  %2 = arith.addf %1, %a fastmath<none,nnan> : f32
  %3 = arith.addi %b, %b overflow<nuw, none, nsw> : i32
  return %0, %1, %2, %3 : f32, f32, f32, i32
}
"t.x"() {a = #arith.fastmath<nnan,ninf,nsz,arcp,contract,afn,reassoc>} : () -> ()
// An enumeration's case may be a string.
func.func @string_case(%a: i32) -> i1 {
  %0 = arith.cmpi "slt", %a, %a : i32
  return %0 : i1
}
// A location behind a type without a name is read and forgotten.
func.func private @located(i32 loc("x"), f32 {a.b = 1} loc("y"))
// The last layout is the one that holds; a comma may end the parts of a tensor type.
"t.x"() : () -> (memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1 * 2)>>)
"t.x"() : () -> (memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, strided<[1, 4]>>)
"t.x"() : () -> (tensor<4xf32,>)
"t.x"() : () -> (memref<4xf32, {x}>)
// A set without constraints has one that always holds; constants that overflow are not folded.
"t.x"() {a = affine_set<(d0) : ()>} : () -> ()
"t.x"() {a = affine_map<(d0) -> (9223372036854775807 + 1, 9223372036854775807 * 2)>} : () -> ()
"t.x"() {a = affine_map<(d0)[s0] -> (d0 + 9223372036854775807 - 1)>} : () -> ()
"t.x"() {a = distinct[0x10]<unit>, b = distinct[16]<unit>} : () -> ()
// The name of a dialect may be that of an operation; it has no dialect then.
"index"() {bar = dense<1> : tensor<index>} : () -> ()
// Attributes in the dictionary win over those that the format places.
func.func @dictionary_wins(%a: i32) -> (i1, i32) {
  %0 = arith.cmpi eq, %a, %a {predicate = 2 : i64} : i32
  %1 = arith.addi %a, %a overflow<nsw> {overflowFlags = #arith.overflow<nuw>} : i32
  return %0, %1 : i1, i32
}
// Keywords may be written with the prefix of their attribute, or by an alias.
#kind = #vector.kind<add>
#fast = #arith.fastmath<fast>
func.func @prefixed(%v: vector<4x6xf32>, %acc: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, i1) {
  %0 = vector.multi_reduction #vector.kind<add>, %v, %acc [1] : vector<4x6xf32> to vector<4xf32>
  %1 = vector.multi_reduction #kind, %v, %acc [1] : vector<4x6xf32> to vector<4xf32>
  %2 = arith.addf %0, %1 fastmath #fast : vector<4xf32>
  %3 = index.cmp #index<cmp_predicate slt>(%i, %i)
  vector.print punctuation #vector.punctuation<newline>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, i1
}
// A layout is the identity whatever symbols it has.
func.func @identity_with_symbols(%n: index) {
  %0 = memref.alloc(%n)[] : memref<?xf32, affine_map<(i)[M] -> (i)>>
  return
}
// A module without a name declares no symbol, and may stand anywhere.
func.func @with_module() {
  builtin.module {
  }
  return
}
