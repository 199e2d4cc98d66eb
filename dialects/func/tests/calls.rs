//! Rule 33 of the verifier, for calls.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Module, Registry, verify::verify};

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(minoan_func::FuncDialect);
    Context::new(registry).expect("two dialects")
}

fn parse(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is valid")
}

/// The verifier's messages for a module.
fn errors(text: &str) -> Vec<String> {
    match verify(&parse(&context(), text)) {
        Ok(()) => Vec::new(),
        Err(found) => found.into_iter().map(|error| error.message).collect(),
    }
}

#[test]
fn rule_33_callee_is_a_function() {
    let text = "func.func @f() {\n  call @g() : () -> ()\n  return\n}";
    assert_eq!(errors(text), ["'func.call' op 'g' does not reference a valid function"]);
    let text = "func.func private @g()\nfunc.func @f() {\n  call @g() : () -> ()\n  return\n}";
    assert!(errors(text).is_empty());
}

#[test]
fn misspelled_callee_is_suggested() {
    let ctx = context();
    let text = "func.func private @relu()\nfunc.func private @reluu()\nfunc.func @f() {\n  call @rleu() : () -> ()\n  return\n}";
    let errors = verify(&parse(&ctx, text)).expect_err("'rleu' is not declared");
    let help: Vec<String> = errors.into_iter().flat_map(|error| error.help).collect();
    assert_eq!(help, ["did you mean '@relu'?"]);
}

#[test]
fn rule_33_call_matches_the_function_type() {
    let text = "func.func private @g(f32) -> i32
    func.func @f(%x: i32) -> f32 {
      %0 = call @g(%x) : (i32) -> i32
      %1 = call @g() : () -> i32
      return %1 : i32
    }";
    let text = text.replace("-> f32 {", "-> i32 {");
    assert_eq!(
        errors(&text),
        [
            "'func.call' op operand type mismatch: expected operand type 'f32', but provided 'i32' for operand number 0",
            "'func.call' op incorrect number of operands for callee",
        ]
    );
}

#[test]
fn rule_33_uses_the_innermost_symbol_table() {
    let text =
        "func.func private @g()\nmodule {\n  func.func @f() {\n    call @g() : () -> ()\n    return\n  }\n}";
    assert_eq!(errors(text), ["'func.call' op 'g' does not reference a valid function"]);
}
