//! Passes over symbols query dialects for visibility and uses.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Body, Context, Dialect, DialectBuilder, Module, Name, Op, OpRef, Registry, op};
use minoan_pass::{Pass, PassManager, Pipeline};
use minoan_passes::symbol_dce::SymbolDce;
use minoan_passes::symbol_privatize::SymbolPrivatize;
use minoan_services::{Symbols, Visibility};
use std::sync::Arc;

/// Refers to a symbol by a string.
#[op("own.say")]
struct Say {}

/// A symbol that is always public.
#[op("own.entry", traits(SYMBOL))]
struct Entry {}

struct InString;

impl Symbols for InString {
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        let ctx = op.context();
        names.extend(op.attr_named("to").and_then(|attr| attr.as_str(ctx)).map(|name| ctx.name(name)));
    }
}

struct AlwaysPublic;

impl Symbols for AlwaysPublic {
    fn visibility(&self, _: OpRef<'_>) -> Visibility {
        Visibility::Public
    }

    fn set_visibility(&self, _: &mut Body, _: Op, visibility: Visibility) -> bool {
        visibility == Visibility::Public
    }
}

struct Own;

impl Dialect for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Say>().op::<Entry>();
        dialect.op_service::<Say, dyn Symbols>(Arc::new(InString));
        dialect.op_service::<Entry, dyn Symbols>(Arc::new(AlwaysPublic));
    }
}

/// The names of the top-level operations after passes.
fn left(text: &str, passes: Vec<Box<dyn Pass>>) -> Vec<String> {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(minoan_func::FuncDialect).add(Own);
    let ctx = Context::new(registry).expect("the dialects go together");
    let sources = SourceMap::new();
    let file = sources.add("symbols.mlir", text);
    let mut module: Module =
        parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    PassManager::new(&Pipeline::new(passes)).run(&mut module).into_result().expect("the module stays valid");
    let body = module.body();
    let top = body.block(module.block()).ops();
    top.filter_map(|op| body.op(op).symbol_name()).map(str::to_owned).collect()
}

#[test]
fn symbol_referenced_by_string_is_kept() {
    let text = r#"
func.func private @f() { return }
func.func private @g() { return }
func.func @main() {
  "own.say"() {to = "f"} : () -> ()
  return
}"#;
    assert_eq!(left(text, vec![Box::new(SymbolDce)]), ["f", "main"]);
}

#[test]
fn public_symbol_is_not_privatized() {
    let text = r#"
"own.entry"() {sym_name = "e", sym_visibility = "private"} : () -> ()
"own.entry"() {sym_name = "d"} : () -> ()
func.func @main() { return }"#;
    let passes: Vec<Box<dyn Pass>> = vec![Box::new(SymbolPrivatize::default()), Box::new(SymbolDce)];
    assert_eq!(left(text, passes), ["e", "d"]);
}
