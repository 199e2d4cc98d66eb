//! Renaming symbols queries the operations that use them.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{
    Attr, Body, Context, Dialect, DialectBuilder, Module, Name, Op, OpRef, Registry, SymbolTable, op,
};
use minoan_services::{Renaming, Symbols, rename_symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The top-level module.
#[op("builtin.module", traits(ISOLATED, SYMBOL_TABLE))]
struct Top {
    /// The module body.
    #[region]
    body: Region,
}

struct Builtin;

impl Dialect for Builtin {
    fn name(&self) -> &'static str {
        "builtin"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Top>();
    }
}

/// Defines a symbol, with a body that sees the enclosing symbols.
#[op("own.func", traits(ISOLATED, SYMBOL))]
struct Func {
    /// The function body.
    #[region]
    body: Region,
}

/// Defines a symbol, with its own symbol table.
#[op("own.table", traits(ISOLATED, SYMBOL, SYMBOL_TABLE))]
struct Table {
    /// The table's body.
    #[region]
    body: Region,
}

/// Refers to a symbol by a symbol reference.
#[op("own.ref")]
struct Ref {}

/// Refers to a symbol by a string.
#[op("own.say")]
struct Say {}

/// The attribute `to` is a string.
struct InString;

impl InString {
    fn named(op: OpRef<'_>) -> Option<Name> {
        let ctx = op.context();
        op.attr_named("to").and_then(|attr| attr.as_str(ctx)).map(|name| ctx.name(name))
    }
}

impl Symbols for InString {
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        names.extend(Self::named(op));
    }

    fn rename_uses(&self, body: &mut Body, op: Op, renaming: &mut Renaming<'_>) {
        let ctx = body.context().clone();
        if let Some(new) = Self::named(body.op(op)).and_then(|name| renaming.name(name)) {
            body.set_attr(op, ctx.name("to"), Some(Attr::string(&ctx, new.as_str(&ctx))));
        }
    }
}

struct Own;

impl Dialect for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Func>().op::<Table>().op::<Ref>().op::<Say>();
        dialect.op_service::<Say, dyn Symbols>(Arc::new(InString));
    }
}

fn parse(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(Builtin).add(Own);
    let ctx = Context::new(registry).expect("two dialects");
    let sources = SourceMap::new();
    let file = sources.add("symbols.mlir", text);
    parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good")
}

fn renamed(text: &str, names: &[(&str, &str)]) -> String {
    let mut module = parse(text);
    let ctx = module.context().clone();
    let names: FxHashMap<Name, Name> =
        names.iter().map(|(old, new)| (ctx.name(old), ctx.name(new))).collect();
    rename_symbols(module.body_mut(), &names);
    print_module(&module, &PrintFlags::default())
}

#[test]
fn custom_symbol_references() {
    let text = r#"
        "own.func"() ({
          "own.say"() {to = "f"} : () -> ()
          "own.say"() {to = "g"} : () -> ()
          "own.ref"() {of = [@f, @g::@f]} : () -> ()
        }) {sym_name = "f"} : () -> ()
        "own.func"() ({ }) {sym_name = "g"} : () -> ()"#;
    let text = renamed(text, &[("f", "h")]);
    for line in
        [r#"{to = "h"}"#, r#"{to = "g"}"#, "{of = [@h, @g::@f]}", r#"sym_name = "h""#, r#"sym_name = "g""#]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(!text.contains("\"f\"") && !text.contains("[@f"), "{text}");
}

#[test]
fn nested_symbol_tables() {
    let text = r#"
        "own.table"() ({
          "own.func"() ({ "own.ref"() {of = @f} : () -> () }) {sym_name = "f"} : () -> ()
        }) {sym_name = "inner", like = @f} : () -> ()
        "own.func"() ({ }) {sym_name = "f"} : () -> ()"#;
    let text = renamed(text, &[("f", "h"), ("inner", "f")]);
    assert!(text.contains("like = @h, sym_name = \"f\""), "{text}");
    assert_eq!(text.matches("of = @f").count(), 1, "{text}");
    assert_eq!(
        text.matches("sym_name = \"f\"").count(),
        2,
        "the inner function and the renamed table: {text}"
    );
}

#[test]
fn symbols_can_be_swapped() {
    let text = r#"
        "own.func"() ({ "own.say"() {to = "b"} : () -> () }) {sym_name = "a"} : () -> ()
        "own.func"() ({ "own.say"() {to = "a"} : () -> () }) {sym_name = "b"} : () -> ()"#;
    let mut module = parse(text);
    let ctx = module.context().clone();
    let [a, b] = ["a", "b"].map(|name| ctx.name(name));
    let was_a = SymbolTable::of(module.body()).get(a);
    rename_symbols(module.body_mut(), &FxHashMap::from_iter([(a, b), (b, a)]));
    assert_eq!(SymbolTable::of(module.body()).get(b), was_a);
    let inside = |name: Name| {
        let op = SymbolTable::of(module.body()).get(name).expect("it is there");
        let body = module.body().op(op).nested().expect("it owns its body");
        InString::named(body.op(body.walk()[0]))
    };
    assert_eq!((inside(a), inside(b)), (Some(b), Some(a)));
}
