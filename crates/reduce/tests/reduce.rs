//! Reduces small modules.

use minoan_diag::SourceMap;
use minoan_ir::constraints::{SYMBOL_NAME, UNIT_ATTR};
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Attr, Body, Context, Dialect, DialectBuilder, Module, Op, Registry, op};
use minoan_reduce::reduce;
use minoan_services::{Symbols, Visibility};
use std::sync::Arc;

fn parse(text: &str) -> Module {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_scf::ScfDialect);
    let ctx = Context::new(registry).expect("no duplicates");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&ctx, &sources, file, &options).expect("it is well formed")
}

fn text(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// The smallest module whose text still contains `needle`.
fn small(input: &str, needle: &str) -> String {
    let module = parse(input);
    let result = reduce(&module, &mut |candidate| text(candidate).contains(needle), &mut |_| {});
    assert_eq!(verify(&result).is_ok(), verify(&module).is_ok());
    text(&result)
}

const PROGRAM: &str = "
func.func @other(%x: i32) -> i32 {
  return %x : i32
}
func.func @main(%c: i1, %x: i32, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (i32) {
    %1 = scf.if %c -> (i32) {
      %2 = arith.addi %a, %x : i32
      %3 = arith.shli %2, %a {note = 7 : i32} : i32
      scf.yield %3 : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %1 : i32
  }
  %4 = func.call @other(%0) : (i32) -> i32
  return %4 : i32
}
";

#[test]
fn nested_operation_is_isolated() {
    assert_eq!(
        small(PROGRAM, "arith.shli"),
        "module {
  func.func @main(%arg0: i1, %arg1: i32, %arg2: index) -> i32 {
    %0 = arith.shli %arg1, %arg1 : i32
    return %arg1 : i32
  }
}
"
    );
}

#[test]
fn needed_attribute_is_kept() {
    let result = small(PROGRAM, "note = 7");
    assert!(result.contains("arith.shli %arg1, %arg1 {note = 7 : i32} : i32"), "{result}");
}

#[test]
fn callee_becomes_declaration() {
    let result = small(PROGRAM, "call @other");
    assert!(result.contains("func.func private @other(i32) -> i32\n"), "{result}");
}

#[test]
fn mutually_dependent_blocks_are_erased_together() {
    let result = small(
        "\"test.keep\"() : () -> ()
\"test.wrap\"() ({
  \"test.br\"()[^a] : () -> ()
^a:
  \"test.br\"()[^b] : () -> ()
^b:
  \"test.br\"()[^a] : () -> ()
}) : () -> ()",
        "test.keep",
    );
    assert_eq!(result, "module {\n  \"test.keep\"() : () -> ()\n}\n");
}

#[test]
fn invalid_module_may_stay_invalid() {
    let input = "func.func @f(%x: i32) -> i64 {\n  %0 = arith.addi %x, %x : i32\n  return %0 : i32\n}";
    let module = parse(input);
    assert!(verify(&module).is_err());
    let result = reduce(&module, &mut |candidate| verify(candidate).is_err(), &mut |_| {});
    assert_eq!(
        text(&result),
        "module {\n  func.func @f(%arg0: i32) -> i64 {\n    return %arg0 : i32\n  }\n}\n"
    );
}

#[test]
fn else_branch_is_isolated() {
    let result = small(
        "func.func @main(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    %1 = arith.shli %x, %x : i32
    scf.yield %1 : i32
  }
  return %0 : i32
}",
        "arith.shli",
    );
    assert!(!result.contains("scf."), "{result}");
}

#[test]
fn branches_are_resolved_and_blocks_merged() {
    let result = small(
        "func.func @main(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^yes(%x : i32), ^no
^yes(%y: i32):
  %1 = arith.shli %y, %x : i32
  cf.switch %1 : i32, [
    default: ^end(%1 : i32),
    3: ^no
  ]
^no:
  cf.br ^end(%x : i32)
^end(%r: i32):
  return %r : i32
}",
        "arith.shli",
    );
    assert!(!result.contains("cf.") && !result.contains("^"), "{result}");
}

#[test]
fn loop_becomes_one_iteration() {
    let result = small(
        "func.func @main(%n: index, %x: f32) -> index {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %0, %a = %x) : (index, f32) -> (index, f32) {
    %c = arith.cmpi slt, %i, %n : index
    %b = arith.negf %a : f32
    scf.condition(%c) %i, %b : index, f32
  } do {
  ^body(%i: index, %a: f32):
    %next = arith.addi %i, %1 : index
    scf.yield %next, %a : index, f32
  }
  return %r#0 : index
}",
        "arith.negf",
    );
    assert!(!result.contains("scf."), "{result}");
}

#[test]
fn kept_function_returns_constants() {
    let result = small(PROGRAM, "func.func @main(%arg0: i1, %arg1: i32, %arg2: index) -> i32 {");
    assert_eq!(
        result,
        "module {
  func.func @main(%arg0: i1, %arg1: i32, %arg2: index) -> i32 {
    return %arg1 : i32
  }
}
"
    );
    let sum = "func.func @sum(%x: f32) -> i32 {
  %0 = arith.fptosi %x : f32 to i32
  %1 = arith.addi %0, %0 : i32
  return %1 : i32
}";
    let result = small(sum, "func.func @sum(%arg0: f32) -> i32 {");
    assert!(result.contains("arith.constant 0 : i32\n") && !result.contains("fptosi"), "{result}");
}

/// A function whose attribute `local` determines its visibility.
#[op("own.func", traits(ISOLATED, SYMBOL, FUNCTION_LIKE))]
struct OwnFunc {
    /// The symbol name.
    #[attr(SYMBOL_NAME)]
    sym_name: Attr,
    /// Whether the symbol is private.
    #[attr(UNIT_ATTR)]
    local: Option<Attr>,
    /// The function body.
    #[region]
    body: Region,
}

struct Local;

impl Symbols for Local {
    fn set_visibility(&self, body: &mut Body, op: Op, visibility: Visibility) -> bool {
        let local = body.context().name("local");
        body.set_attr(op, local, (visibility != Visibility::Public).then_some(Attr::UNIT));
        true
    }
}

struct Own;

impl Dialect for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<OwnFunc>();
        dialect.op_service::<OwnFunc, dyn Symbols>(Arc::new(Local));
    }
}

#[test]
fn declaration_is_made_private() {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(Own);
    let ctx = Context::new(registry).expect("no duplicates");
    let sources = SourceMap::new();
    let text_of = "\"own.func\"() <{sym_name = \"f\"}> ({\n  \"t.a\"() : () -> ()\n}) : () -> ()\n";
    let file = sources.add("test.mlir", text_of);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let module = parse_module(&ctx, &sources, file, &options).expect("it is well formed");
    let result = reduce(&module, &mut |candidate| text(candidate).contains("own.func"), &mut |_| {});
    let result = text(&result);
    assert!(result.contains("local") && !result.contains("sym_visibility"), "{result}");
}
