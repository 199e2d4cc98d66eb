//! The complete examples of the Relay expression documentation, verbatim.

use crate::common::emitted::emitted_text;
use crate::common::{front, good, parsed};
use expect_test::expect;

/// The type of a standalone expression.
fn ty(text: &str) -> String {
    good(text).ty("main")
}

#[test]
fn shadowed_variable() {
    let text = "let %a = 1;
let %b = 2 * %a;  // %b = 2
let %a = %a + %a; // %a = 2. %a is shadowed
%a + %b           // has value 2 + 2 = 4";
    assert_eq!(ty(text), "fn () -> int32");
    // The operands of the sum are the two variables that the comments name.
    expect![[r#"
        module {
          relay.func @main() -> tensor<i32> attributes {relay.args = "()", relay.name = "@main", relay.params = [], relay.results = "int32"} {
            %cst = constant dense<1> : tensor<i32>
            %cst_0 = constant dense<2> : tensor<i32>
            %0 = multiply %cst_0, %cst : (tensor<i32>, tensor<i32>) -> tensor<i32>
            %1 = add %cst, %cst : (tensor<i32>, tensor<i32>) -> tensor<i32>
            %2 = add %1, %0 : (tensor<i32>, tensor<i32>) -> tensor<i32>
            return %2 : tensor<i32>
          }
        }
    "#]].assert_eq(&emitted_text(text, &["main"]));
}

#[test]
fn unannotated_function() {
    assert_eq!(ty("fn(%x, %y) { add(%x, %y) }"), "fn [a, b, c] (a, b) -> c where Broadcast(a, b, c)");
}

#[test]
fn annotated_function() {
    let text = "fn(%x : Tensor[(10, 10), float32], %y : Tensor[(10, 10), float32])
           -> Tensor[(10, 10), float32] {
    add(%x, %y)
}";
    assert_eq!(
        ty(text),
        "fn (Tensor[(10, 10), float32], Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32]"
    );
}

/// Its condition compares whole tensors, which the documentation itself rejects; the rest is correct.
#[test]
fn recursive_function() {
    let front = front(
        "let %fact = fn(%x : Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32] {
    if (%x == Constant(0, (10, 10), float32)) {
        Constant(1, (10, 10), float32)
    } else {
        %x * %fact(%x - Constant(1, (10, 10), float32))
    }
};
%fact(Constant(10, (10, 10), float32))",
    );
    expect![[r#"
        error: the condition: expected 'bool', found 'Tensor[(10, 10), bool]'
         --> test.relay:2:9
          |
        2 |     if (%x == Constant(0, (10, 10), float32)) {
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = note: '()' and '(10, 10)' differ
    "#]]
    .assert_eq(&front.messages);
    assert_eq!(front.ty("main"), "fn () -> Tensor[(10, 10), float32]");
}

#[test]
fn closure() {
    let text = "let %g = fn() {
  let %x = Constant(0, (10, 10), float32);
  // %x is a free variable in the below function
  fn(%y) { %y * %x }
};
// the %x in %g's body is not in scope anymore
// %f is a closure where %x maps to Constant(0, (10, 10), float32)
let %f = %g();
let %x = Constant(1, (10, 10), float32);
%f(%x) // evaluates to Constant(0, (10, 10), float32)";
    assert_eq!(ty(text), "fn () -> Tensor[(10, 10), float32]");
}

#[test]
fn polymorphic_functions() {
    assert_eq!(ty("fn(%x : t) -> t {\n    %x\n}"), "fn [t] (t) -> t");
    assert_eq!(ty("fn(%x : Tensor[s, bt]) {\n    %x\n}"), "fn [s, bt] (Tensor[s, bt]) -> Tensor[s, bt]");
    assert_eq!(
        ty("fn(%x, %y) where Broadcast { add(%x, %y) }"),
        "fn [a, b, c] (a, b) -> c where Broadcast(a, b, c)"
    );
}

#[test]
fn relations_are_checked_at_calls() {
    let front = front(
        "def @f(%x, %y) where Broadcast { add(%x, %y) }
         def @good(%x: Tensor[(2, 1), float32], %y: Tensor[(3), float32]) { @f(%x, %y) }
         def @bad(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { @f(%x, %y) }",
    );
    assert_eq!(
        front.ty("good"),
        "fn (Tensor[(2, 1), float32], Tensor[(3), float32]) -> Tensor[(2, 3), float32]"
    );
    expect![[r#"
        error: add cannot broadcast Tensor[(2), float32] and Tensor[(3), float32]: 2 is neither 3 nor 1
         --> test.relay:3:73
          |
        3 |          def @bad(%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { @f(%x, %y) }
          |                                                                         ^^
          |
        note: this must hold where the function is used
         --> test.relay:1:34
          |
        1 | def @f(%x, %y) where Broadcast { add(%x, %y) }
          |                                  ^^^^^^^^^^^
    "#]]
    .assert_eq(&front.messages);
}

#[test]
fn call() {
    // Evaluates to 22: the numbers are floats because the parameters are.
    let text = "let %c = 1;
let %f = fn(%x : Tensor[(), float32], %y : Tensor[(), float32]) { %x + %y + %c };
%f(10, 11)";
    assert_eq!(ty(text), "fn () -> float32");
    expect![[r#"
        module {
          relay.func @main() -> tensor<f32> attributes {relay.args = "()", relay.name = "@main", relay.params = [], relay.results = "float32"} {
            %cst = constant dense<1.000000e+00> : tensor<f32>
            %cst_0 = constant dense<1.000000e+01> : tensor<f32>
            %cst_1 = constant dense<1.100000e+01> : tensor<f32>
            %0 = call @f(%cst, %cst_0, %cst_1) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
            return %0 : tensor<f32>
          }
          relay.func private @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> attributes {relay.args = "(float32, float32)", relay.name = "%f", relay.params = ["x", "y"], relay.results = "float32"} {
            %0 = add %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
            %1 = add %0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
            return %1 : tensor<f32>
          }
        }
    "#]].assert_eq(&emitted_text(text, &["main"]));
}

#[test]
fn global_function() {
    let text = "def @ackermann(%m : Tensor[(), int32], %n : Tensor[(), int32]) -> Tensor[(), int32] {
    if (%m == 0) {
        %n + 1
    } else if (%m > 0 && %n == 0) {
        @ackermann(%m - 1, 1)
    } else {
        @ackermann(%m - 1, @ackermann(%m, %n - 1))
    }
}";
    assert_eq!(good(text).ty("ackermann"), "fn (int32, int32) -> int32");
}

#[test]
fn tuples() {
    let text = "fn(%a : Tensor[(10, 10), float32], %b : float32, %c : Tensor[(100, 100), float32]) {
    let %tup = (%a, %b);     // type: (Tensor[(10, 10), float32], float32)
    ((%tup.0 + %tup.1), %c)  // type: (Tensor[(10, 10), float32], Tensor[(100, 100), float32])
}";
    assert_eq!(
        ty(text),
        "fn (Tensor[(10, 10), float32], float32, Tensor[(100, 100), float32]) \
         -> (Tensor[(10, 10), float32], Tensor[(100, 100), float32])"
    );
    assert_eq!(
        ty("fn (%a: int32, %b: bool, %c: int64) { (%a, %b, %c).1 }"),
        "fn (int32, bool, int64) -> bool"
    );
}

#[test]
fn let_bindings() {
    let text = "let %x : Tensor[(10, 10), float32] = Constant(1, (10, 10), float32);
%x + %x";
    assert_eq!(ty(text), "fn () -> Tensor[(10, 10), float32]");
    let text = "fn (%a: float32, %b: float32, %c: float32, %d: float32) {
let %x = %a + %b;
let %y = %c + %d;
%x * %y }";
    assert_eq!(ty(text), "fn (float32, float32, float32, float32) -> float32");
}

#[test]
fn graph_bindings() {
    let text = "free_var %a: float32; free_var %b: float32;
%1 = %a + %b
%2 = %1 + %1
%2 * %2";
    assert_eq!(ty(text), "fn (float32, float32) -> float32");
    // Each node once.
    expect![[r#"
        module {
          relay.func @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> attributes {relay.args = "(float32, float32)", relay.name = "@main", relay.params = ["a", "b"], relay.results = "float32"} {
            %0 = add %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
            %1 = add %0, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
            %2 = multiply %1, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
            return %2 : tensor<f32>
          }
        }
    "#]].assert_eq(&emitted_text(text, &["main"]));
}

#[test]
fn if_then_else() {
    let text = "fn (%t: float32, %u: float32) { if (%t == %u) { %t } else { %u } }";
    assert_eq!(ty(text), "fn (float32, float32) -> float32");
}

const NAT: &str = "data Nat {
  Z : () -> Nat # zero
  S : (Nat) -> Nat # successor (+1) to a nat
}
";

#[test]
fn matching() {
    let one_less = "fn(%v: Nat[]) -> Nat[] {
  match(%v) {
    case Z() { Z() }
    case S(%n) { %n } # the variable %n is bound in the scope of this clause
  }
}";
    assert_eq!(ty(&format!("{NAT}{one_less}")), "fn (Nat[]) -> Nat[]");
    let two_less = "fn(%v : Nat[]) -> Nat[] {
  match(%v) {
     case S(S(%n)) { %n }
     # wildcard pattern: matches all cases not matched already
     case _ { %v }
  }
}";
    assert_eq!(ty(&format!("{NAT}{two_less}")), "fn (Nat[]) -> Nat[]");
}

#[test]
fn unreachable_clauses() {
    let text = "fn(%v : Nat[]) -> Nat[] {
  match(%v) {
    case _ { %v }
    case S(S(%n)) { S(%n) }
    case S(%n) { %n }
    case Z() { S(Z()) }
  }
}";
    let front = front(&format!("{NAT}{text}"));
    assert_eq!(front.errors, 0);
    assert_eq!(front.ty("main"), "fn (Nat[]) -> Nat[]");
    expect![[r#"
        warning: this clause is unreachable
         --> test.relay:8:10
          |
        8 |     case S(S(%n)) { S(%n) }
          |          ^^^^^^^^
          |
         ::: test.relay:7:10
          |
        7 |     case _ { %v }
          |          - this clause covers all of its values
        warning: this clause is unreachable
         --> test.relay:9:10
          |
        9 |     case S(%n) { %n }
          |          ^^^^^
          |
         ::: test.relay:7:10
          |
        7 |     case _ { %v }
          |          - this clause covers all of its values
        warning: this clause is unreachable
          --> test.relay:10:10
           |
        10 |     case Z() { S(Z()) }
           |          ^^^
           |
          ::: test.relay:7:10
           |
         7 |     case _ { %v }
           |          - this clause covers all of its values
    "#]]
    .assert_eq(&front.messages);
}

#[test]
fn examples_round_trip() {
    for text in [
        "let %x : Tensor[(10, 10), float32] = Constant(1, (10, 10), float32); %x + %x",
        "fn(%x, %y) where Broadcast { add(%x, %y) }",
        "free_var %a: float32; %1 = %a + %a %2 = %1 + %1 %2 * %2",
        NAT,
    ] {
        let (module, errors) = parsed(text);
        let printed = minoan_relay::print(&module);
        let (again, more) = parsed(&printed);
        assert_eq!((errors, more), (0, 0), "{printed}");
        assert!(module.same_structure(&again), "{printed}");
    }
}
