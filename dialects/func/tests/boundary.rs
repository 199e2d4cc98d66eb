//! The signatures of functions.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Module, Registry};
use minoan_services::{graph_inputs, graph_outputs};

fn parse(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(minoan_func::FuncDialect);
    let ctx = Context::new(registry).expect("the dialects go together");
    let sources = SourceMap::new();
    let file = sources.add("boundary.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&ctx, &sources, file, &options).expect("the text is good")
}

#[test]
fn main_arguments_and_results() {
    let module = parse(
        "func.func @other() { return }
        func.func private @declared(i32) -> i32
        func.func @main(%a: i32, %b: i64) -> (i64, i32) { return %b, %a : i64, i32 }",
    );
    let inputs = graph_inputs(&module).expect("two inputs");
    let outputs = graph_outputs(&module).expect("two outputs");
    assert_eq!((inputs.len(), outputs.len()), (2, 2));
    assert_eq!(inputs[0].bound[0].value, outputs[1].bound[0].value);
    assert_eq!(inputs[1].bound[0].value, outputs[0].bound[0].value);
    assert_eq!(outputs[0].bound[0].op.name(), "func.return");
}

#[test]
fn returns_in_several_blocks() {
    let module = parse(
        r#"func.func @main(%c: i1, %a: i32, %b: i32) -> i32 {
          "t.br"(%c)[^then, ^else] : (i1) -> ()
        ^then:
          return %a : i32
        ^else:
          return %b : i32
        }"#,
    );
    let inputs = graph_inputs(&module).expect("three inputs");
    let outputs = graph_outputs(&module).expect("one output, in two ways");
    let values: Vec<_> = outputs[0].bound.iter().map(|bound| bound.value).collect();
    assert_eq!((outputs.len(), values), (1, vec![inputs[1].bound[0].value, inputs[2].bound[0].value]));
}
