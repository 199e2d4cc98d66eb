//! Rule 33 of the verifier, for calls.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Registry, verify::verify};

/// The verifier's messages for a module.
fn errors(text: &str) -> Vec<String> {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(minoan_func::FuncDialect);
    let ctx = Context::new(registry).expect("two dialects");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    match verify(&module) {
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
