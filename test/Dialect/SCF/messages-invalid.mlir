// Diagnostics with the wording of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @f(%s: f32) {
  // expected-error@+1 {{'scf.for' op operand #0 must be signless integer or index, but got 'f32'}}
  scf.for %k = %s to %s step %s : f32 { }
  return
}

// -----

func.func @f(%s: f32, %i: i32, %x: index) {
  // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'i32'}}
  %0 = scf.for %k = %x to %x step %x iter_args(%a = %s) -> (f32) { scf.yield %i : i32 }
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{custom op 'scf.for' mismatch in number of loop-carried values and defined values}}
  %0 = scf.for %k = %x to %x step %x iter_args(%a = %s) -> (f32, f32) { scf.yield %a, %a : f32, f32 }
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %t1 = arith.constant true %0 = scf.if %t1 -> (f32) { scf.yield %s : f32 }
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{custom op 'scf.parallel' expected 1 operands}}
  scf.parallel (%k) = (%x) to (%x, %x) step (%x) { scf.reduce }
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  scf.parallel (%k) = (%x) to (%x) step (%x) init (%s) -> f32 { scf.reduce }
  return
}

// -----

func.func @f(%s: f32, %i: i32, %x: index) {
  // expected-error@+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
  %0 = scf.parallel (%k) = (%x) to (%x) step (%x) init (%s) -> f32 { scf.reduce(%i : i32) { ^bb0(%a: i32, %c: i32): scf.reduce.return %a : i32 } }
  return
}

// -----

func.func @f(%s: f32, %i: i32, %x: index) {
  // expected-error@+1 {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
  %0 = scf.parallel (%k) = (%x) to (%x) step (%x) init (%s) -> f32 { scf.reduce(%s : f32) { ^bb0(%a: f32, %c: f32): scf.reduce.return %i : i32 } }
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'scf.parallel' op constant step operand must be positive}}
  %c0 = arith.constant 0 : index scf.parallel (%k) = (%x) to (%x) step (%c0) { scf.reduce }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 1 upper bound values, got 2}}
  scf.forall (%k) in (4, 5) { }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected 2 upper bound values, got 1}}
  scf.forall (%k, %l) in (4) { }
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'scf.forall' op operand #0 must be variadic of ranked tensor of any type values, but got 'f32'}}
  %0 = scf.forall (%k) in (4) shared_outs(%o = %s) -> (f32) { scf.forall.in_parallel { } }
  return
}

// -----

func.func @f(%s: f32, %x: index) {
  // expected-error@+1 {{'scf.index_switch' op has duplicate case value: 1}}
  %0 = scf.index_switch %x -> f32 case 1 { scf.yield %s : f32 } case 1 { scf.yield %s : f32 } default { scf.yield %s : f32 }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region { }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  scf.yield
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{'scf.reduce.return' op expects parent op 'scf.reduce'}}
  scf.reduce.return %s : f32
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error@+2 {{'scf.if' op along control flow edge from Operation scf.yield to parent: successor operand type #0 'f32' should match successor input type #0 'f64'}}
  // expected-note@+2 {{region branch point}}
  %0 = "scf.if"(%c) ({
    "scf.yield"(%x) : (f32) -> ()
  }, {
    "scf.yield"(%x) : (f32) -> ()
  }) : (i1) -> f64
  return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // expected-error@+2 {{'scf.while' op along control flow edge from parent to Region #0: successor operand type #0 'f32' should match successor input type #0 'f64'}}
  // expected-note@+1 {{region branch point}}
  %0 = "scf.while"(%x) ({
  ^bb0(%a: f64):
    "scf.condition"(%c, %x) : (i1, f32) -> ()
  }, {
  ^bb0(%a: f32):
    "scf.yield"(%x) : (f32) -> ()
  }) : (f32) -> f32
  return
}
