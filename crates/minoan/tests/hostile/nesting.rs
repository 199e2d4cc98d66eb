//! Nesting as deep as the budget allows, and deeper.

use super::{DEEP, all_ways, alone, nest, peak, read};
use minoan::ir::text::{PrintFlags, print_module};
use minoan::{Backend, Float, Session};

#[test]
fn nested_regions() {
    let _alone = alone();
    let session = Session::new();
    all_ways(session.context(), &nest(DEEP, "\"a.b\"() ({\n", "", "}) : () -> ()\n"));
}

#[test]
fn nested_regions_in_custom_form() {
    let _alone = alone();
    let session = Session::new();
    let ifs = nest(DEEP - 2, "scf.if %c {\n", "", "}\n");
    all_ways(session.context(), &format!("func.func @f(%c: i1) {{\n{ifs}return\n}}\n"));
}

#[test]
fn nested_isolated_regions() {
    let _alone = alone();
    let session = Session::new();
    all_ways(session.context(), &nest(DEEP, "builtin.module {\n", "", "}\n"));
}

#[test]
fn nested_types_and_attributes() {
    let _alone = alone();
    let session = Session::new();
    for (open, middle, close) in
        [("tuple<", "i32", ">"), ("() -> (", "i32", ")"), ("[", "1", "]"), ("{a = ", "1", "}")]
    {
        let text = nest(DEEP, open, middle, close);
        all_ways(session.context(), &format!("\"a.b\"() {{a = {text}}} : () -> ()"));
    }
    let tensor = nest(DEEP / 4, "tensor<1xi1, tuple<", "i1", ">>");
    all_ways(session.context(), &format!("\"a.b\"() : () -> ({tensor})"));
    let dense = nest(DEEP, "[", "1", "]");
    all_ways(
        session.context(),
        &format!("\"a.b\"() {{a = dense<{dense}> : tensor<{}i32>}} : () -> ()", "1x".repeat(DEEP)),
    );
}

#[test]
fn nested_locations() {
    let _alone = alone();
    let session = Session::new();
    for (open, middle, close) in [
        ("\"n\"(", "unknown", ")"),
        ("callsite(\"a\" at ", "\"b\"", ")"),
        ("callsite(", "\"b\"", " at \"a\")"),
        ("fused<\"m\">[\"x\", ", "\"b\"", "]"),
        ("fused<loc(", "\"b\"", ")>[\"x\"]"),
    ] {
        let text = format!("\"a.b\"() : () -> () loc({})", nest(DEEP / 2, open, middle, close));
        let module = read(session.context(), &text).expect("the location is right");
        let flags = PrintFlags { debuginfo: true, ..PrintFlags::default() };
        let printed = print_module(&module, &flags);
        let again = read(session.context(), &printed).expect("what is printed is read");
        assert!(print_module(&again, &flags) == printed, "{open}");
    }
}

#[test]
fn nested_affine_expressions() {
    let _alone = alone();
    let session = Session::new();
    let ctx = session.context();
    for text in [
        nest(DEEP, "(", "d0", ")"),
        nest(DEEP, "(", "d0", " floordiv 3 + s0)"),
        nest(DEEP, "(d0 + ", "s0", " mod 7)"),
        nest(DEEP, "-(", "d0", ")"),
        format!("d0{}", " + d0 * 2 mod 3".repeat(DEEP)),
        format!("d0{}", " mod 3".repeat(DEEP)),
        format!("d0{}", " - s0".repeat(DEEP)),
    ] {
        let text = format!("\"a.b\"() {{a = affine_map<(d0)[s0] -> ({text})>}} : () -> ()");
        match read(ctx, &text) {
            Ok(module) => {
                let printed = print_module(&module, &PrintFlags::default());
                read(ctx, &printed).expect("what is printed is read");
            }
            Err(message) => {
                assert!(message.contains("an affine expression of more than 500 parts"), "{message}")
            }
        }
    }
}

#[test]
fn nesting_beyond_the_budget_is_a_diagnostic() {
    let _alone = alone();
    let session = Session::new();
    let ctx = session.context();
    for text in [
        nest(101_000, "builtin.module {\n", "", "}\n"),
        nest(101_000, "\"a.b\"() ({\n", "", "}) : () -> ()\n"),
        format!("\"a.b\"() {{a = {}}} : () -> ()", nest(101_000, "[", "", "]")),
        format!("\"a.b\"() : () -> () loc({})", nest(101_000, "\"n\"(", "unknown", ")")),
        "\"a.b\"() ({\n".repeat(101_000),
        "[".repeat(101_000),
        format!("#a = {}", "[".repeat(101_000)),
    ] {
        let message = read(ctx, &text).expect_err("too deep");
        assert!(message.contains("error: "), "{}", &message[..message.len().min(200)]);
        assert!(message.len() < 1_000_000, "a message is not as long as the text");
    }
}

#[test]
fn printing_a_long_list_takes_memory_for_its_text_only() {
    let _alone = alone();
    let session = Session::new();
    let text = "def @iota(%n: int32, %acc: List[int32]) -> List[int32] {
        if (%n == 0) { %acc } else { @iota(%n - 1, Cons(%n, %acc)) }
    }
    def @main(%n: int32) -> List[int32] { @iota(%n, Nil) }";
    let program = session.read_text("list.relay", text).expect("a valid program");
    let entry = session.entry(&program, "main", Float::F32).expect("it lowers");
    let args = entry.interface.parse_args(&serde_json::json!([30_000])).expect("a number");
    let result = session.run(&entry, &args, Backend::Interpret).expect("it runs");
    let (text, memory) = peak(|| entry.interface.result_text(&result));
    assert!(text.starts_with("Cons(1, Cons(2, ") && text.contains("Cons(30000, Nil)))"));
    assert!(memory < 4 * text.len(), "{memory} bytes for a text of {}", text.len());
    let (text, memory) = peak(|| entry.interface.result_json_text(&result));
    assert!(text.ends_with("]}]}]}]}"));
    assert!(memory < 4 * text.len(), "{memory} bytes for a text of {}", text.len());
}
