//! Regression tests for bugs of Relay's earlier parser and type checker, each named after the bug.

use crate::common::{front, good, parsed};
use expect_test::expect;
use minoan_relay::print;

fn ty(text: &str) -> String {
    good(text).ty("main")
}

fn reads_back(text: &str) {
    let (module, errors) = parsed(text);
    assert_eq!(errors, 0, "{text}");
    let printed = print(&module);
    let (again, errors) = parsed(&printed);
    assert_eq!(errors, 0, "{printed}");
    assert!(module.same_structure(&again), "{printed}");
}

#[test]
fn division_without_spaces_crashed() {
    assert_eq!(ty("fn (%a: float32, %b: float32) { %a/%b }"), "fn (float32, float32) -> float32");
    assert_eq!(ty("fn (%layer/w: float32) { %layer/w/%layer/w }"), "fn (float32) -> float32");
    assert_eq!(ty("fn (%a: float32) { %a/*b*/ }"), "fn (float32) -> float32");
    assert_eq!(ty("fn (%a: float32) { %a//b\n }"), "fn (float32) -> float32");
}

#[test]
fn unterminated_comment_consumed_the_file() {
    let front = front("def @f() { 1 }\n/* one /* two */\ndef @g() { 2 }");
    expect![[r#"
        error: unclosed comment: expected '*/' before the end of the file
         --> test.relay:2:1
          |
        2 | /* one /* two */
          | ^^ starts here
    "#]]
    .assert_eq(&front.messages);
    assert_eq!(front.ty("f"), "fn () -> int32");
}

#[test]
fn adjacent_numbers_were_joined() {
    assert_eq!(ty("1-1"), "fn () -> int32");
    assert_eq!(ty("fn (%x: int32) { %x-1+-1 }"), "fn (int32) -> int32");
    assert_eq!(ty("fn (%t: ((int32, bool), int64)) { %t.0.1 }"), "fn (((int32, bool), int64)) -> bool");
    assert_eq!(ty("1.5"), "fn () -> float32");
    assert_eq!(ty("2e3"), "fn () -> float32");
}

#[test]
fn repeated_minus_before_number_folds() {
    for (text, printed) in
        [("--10", "10"), ("---10", "-10"), ("-(10)", "-(10)"), ("-(-10)", "-(-10)"), ("--1f", "1f")]
    {
        let (module, _) = parsed(text);
        assert_eq!(print(&module), format!("#[version = \"0.0.5\"]\n{printed}\n"));
        reads_back(text);
    }
}

#[test]
fn unary_minus_was_rejected() {
    assert_eq!(ty("fn (%x: int32) { -%x * -(%x + 1) }"), "fn (int32) -> int32");
    reads_back("fn (%x: int32) { -%x * -(%x + 1) - - -%x }");
}

#[test]
fn graph_variables_of_other_functions_were_visible() {
    let front = good(
        "def @f(%x: int32) { %0 = %x + 1; %0 }
         def @g(%y: float32) { %0 = %y + 1f; %0 }",
    );
    assert_eq!([front.ty("f"), front.ty("g")], ["fn (int32) -> int32", "fn (float32) -> float32"]);
}

#[test]
fn rebinding_of_graph_variable_was_ignored() {
    expect![[r#"
        error: the graph variable '%0' is bound twice
         --> test.relay:1:27
          |
        1 | fn (%x: int32) { %0 = %x; %0 = %x + 1; %0 }
          |                  --       ^^
          |                  |
          |                  first here
    "#]]
    .assert_eq(&front("fn (%x: int32) { %0 = %x; %0 = %x + 1; %0 }").messages);
    // Each branch has its own variables.
    assert_eq!(
        ty("fn (%c: bool, %x: int32) { if (%c) { %0 = %x; %0 } else { %0 = %x + 1; %0 } }"),
        "fn (bool, int32) -> int32"
    );
}

#[test]
fn graph_variables_of_enclosing_function_are_visible() {
    assert_eq!(ty("fn (%x: int32) { %0 = %x; let %f = fn () { %0 + 1 }; %f() }"), "fn (int32) -> int32");
    assert_eq!(ty("fn (%x: int32) { %1 = (%0 = %x; %0 + 1); %0 + %1 }"), "fn (int32) -> int32");
}

#[test]
fn variable_could_not_be_shadowed_by_expression_of_itself() {
    assert_eq!(ty("let %a = 1; let %a = cast(%a, dtype=\"float32\"); %a"), "fn () -> float32");
}

#[test]
fn parenthesized_let_leaked_its_name() {
    expect![[r#"
        error: undefined variable '%a'
         --> test.relay:1:20
          |
        1 | ((let %a = 1; %a), %a)
          |                    ^^
    "#]]
    .assert_eq(&front("((let %a = 1; %a), %a)").messages);
}

#[test]
fn undeclared_names_crashed() {
    expect![[r#"
        error: undefined variable '%dat'
         --> test.relay:1:28
          |
        1 | def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }
          |                            ^^^^
          |
          = help: did you mean '%data'?
        error: undefined function '@mian'
         --> test.relay:1:35
          |
        1 | def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }
          |                                   ^^^^^
          |
          = help: did you mean '@main'?
        error: undefined graph variable '%3'
         --> test.relay:1:45
          |
        1 | def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }
          |                                             ^^
        error: unknown operator or constructor 'relu'
         --> test.relay:1:49
          |
        1 | def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }
          |                                                 ^^^^
          |
          = help: did you mean 'nn.relu'?
        error: unknown operator or constructor 'Cnos'
         --> test.relay:1:62
          |
        1 | def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }
          |                                                              ^^^^
    "#]]
    .assert_eq(&front("def @main(%data: int32) { (%dat + @mian(1), %3, relu(%data), Cnos(1)) }").messages);
}

#[test]
fn duplicate_definition_replaced_the_first() {
    expect![[r#"
        error: the function '@f' is defined twice
         --> test.relay:2:5
          |
        2 | def @f() { 2f }
          |     ^^
          |
         ::: test.relay:1:5
          |
        1 | def @f() { 1 }
          |     -- first here
    "#]]
    .assert_eq(&front("def @f() { 1 }\ndef @f() { 2f }").messages);
    expect![[r#"
        error: the constructor 'A' is declared twice
         --> test.relay:1:16
          |
        1 | type T { A, B, A }
          |          -     ^
          |          |
          |          first here
        error: the type 'T' is declared twice
         --> test.relay:2:6
          |
        2 | type T { C }
          |      ^
          |
         ::: test.relay:1:6
          |
        1 | type T { A, B, A }
          |      - first here
    "#]]
    .assert_eq(&front("type T { A, B, A }\ntype T { C }").messages);
}

#[test]
fn definitions_after_an_external_type_were_rejected() {
    let front =
        good("extern type Storage\ndef @f(%s: Storage[]) { %s }\nextern type Other[A]\ndef @g() { 1 }");
    assert_eq!(front.ty("f"), "fn (Storage[]) -> Storage[]");
}

#[test]
fn reference_and_polymorphic_types_did_not_round_trip() {
    reads_back("def @f(%r: ref(int32), %g: fn [A](A) -> A, %h: Ref[(int32,)]) -> ref(ref(bool)) { %r }");
    assert_eq!(ty("fn (%r: ref(int32)) { ref_read(%r) + 1 }"), "fn (ref(int32)) -> int32");
    assert_eq!(ty("fn (%g: fn [A](A) -> A) { (%g(1), %g(True)) }"), "fn (fn [A] (A) -> A) -> (int32, bool)");
}

#[test]
fn floats_lost_precision() {
    for text in [
        "1.0000001f",
        "0.1f",
        "3.4028235e38f",
        "1e-45f",
        "0.1f64",
        "5e-324f64",
        "0.1f16",
        "65504f16",
        "1e300",
        "0.1",
    ] {
        reads_back(text);
    }
    let (module, _) = parsed("(inff, -inff, inff64, nanf, -0f)");
    assert_eq!(print(&module), "#[version = \"0.0.5\"]\n(inff, -inff, inff64, nanf, -0f)\n");
    reads_back("(inff, -inff, inff64, nanf, -0f, inff16)");
}

#[test]
fn lets_were_not_generalized() {
    assert_eq!(ty("let %id = fn (%x) { %x }; (%id(1), %id(True))"), "fn () -> (int32, bool)");
    assert_eq!(
        ty(
            "let %twice = fn (%f, %x) { %f(%f(%x)) }; (%twice(fn (%n) { %n + 1 }, 1), %twice(fn (%b) { !%b }, True))"
        ),
        "fn () -> (int32, bool)"
    );
    assert_eq!(
        ty("let %plus = fn (%x, %y) { %x + %y }; (%plus(1, 2), %plus(1f, 2f))"),
        "fn () -> (int32, float32)"
    );
}

#[test]
fn result_types_were_inferred_in_arbitrary_order() {
    let front = good(
        "def @even(%n: int32) { if (%n == 0) { True } else { @odd(%n - 1) } }
         def @odd(%n: int32) { if (%n == 0) { False } else { @even(%n - 1) } }
         def @pair(%x) { (%x, @id(%x)) }
         def @id(%x) { %x }
         def @main() { (@even(10), @pair(1f), @pair(True)) }",
    );
    assert_eq!(front.ty("odd"), "fn (int32) -> bool");
    assert_eq!(front.ty("pair"), "fn [a] (a) -> (a, a)");
    assert_eq!(front.ty("main"), "fn () -> (bool, (float32, float32), (bool, bool))");
}

#[test]
fn operators_were_not_first_class() {
    assert_eq!(ty("let %f = add; (%f(1, 2), %f(1f, 2f))"), "fn () -> (int32, float32)");
    assert_eq!(
        ty("let %apply = fn (%f: fn (int32, int32) -> int32) { %f(1, 2) }; %apply(maximum)"),
        "fn () -> int32"
    );
}

#[test]
fn type_arguments_of_calls_were_rejected() {
    assert_eq!(ty("def @id[A](%x: A) -> A { %x } def @main() { @id[int64](1) }"), "fn () -> int64");
    reads_back("def @main() { @id[int64, (bool,)](1) }");
    expect![[r#"
        error: the function has 1 type parameter, but is given 2
         --> test.relay:1:49
          |
        1 | def @id[A](%x: A) -> A { %x } def @main() { @id[int64, bool](1) }
          |                                                 ^^^^^^^^^^^
    "#]]
    .assert_eq(&front("def @id[A](%x: A) -> A { %x } def @main() { @id[int64, bool](1) }").messages);
}

#[test]
fn else_if_was_rejected() {
    assert_eq!(
        ty("fn (%x: int32) { if (%x < 0) { -1 } else if (%x == 0 || %x == 1) { 0 } else { 1 } }"),
        "fn (int32) -> int32"
    );
}

#[test]
fn braced_expression_ended_the_expression() {
    assert_eq!(ty("fn (%x: int32) { {%x} + 1 }"), "fn (int32) -> int32");
    assert_eq!(ty("fn (%x: int32) { let %y = match (%x) { _ => 1 }; %y }"), "fn (int32) -> int32");
}

#[test]
fn call_result_could_not_be_projected() {
    assert_eq!(
        ty(
            "fn (%x: Tensor[(2, 3), float32]) { (nn.dropout(%x).0, split(%x, indices_or_sections=3, axis=1).2) }"
        ),
        "fn (Tensor[(2, 3), float32]) -> (Tensor[(2, 3), float32], Tensor[(2, 1), float32])"
    );
}

#[test]
fn untyped_attributes_were_rejected() {
    assert_eq!(
        ty("fn (%x: Tensor[(2, 3), float32]) { cumsum(%x, axis=1, exclusive=True) }"),
        "fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]"
    );
}

#[test]
fn second_version_header_ended_an_expression() {
    let front = front("#[version = \"0.0.5\"]\nnn.relu\n#[version = \"0.0.5\"]\nnn.relu");
    expect![[r#"
        error: the version must be at the start of the file
         --> test.relay:3:1
          |
        3 | #[version = "0.0.5"]
          | ^^^^^^^^^^^^^^^^^^^^
        error: the function '@main' is defined twice
         --> test.relay:4:1
          |
        4 | nn.relu
          | ^^^^^^^
          |
         ::: test.relay:2:1
          |
        2 | nn.relu
          | ------- first here
    "#]]
    .assert_eq(&front.messages);
}
