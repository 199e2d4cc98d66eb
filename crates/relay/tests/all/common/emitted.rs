//! Emits modules of the relay dialect.

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_relay::emit::{EmitOptions, emit};
use minoan_relay::{check, parse_with_prelude};

pub fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_relay_dialect::RelayDialect);
    Context::new(registry).expect("no duplicates")
}

/// Emits a module of the relay dialect, or returns the messages.
pub fn emitted(ctx: &Context, text: &str, roots: &[&str]) -> Result<Module, String> {
    let sources = SourceMap::new();
    let say = |errors: &Diagnostics| -> String { errors.iter().map(|it| render(it, &sources)).collect() };
    let file = sources.add("test.relay", text);
    let (module, errors) = parse_with_prelude(&sources, file);
    if errors.has_errors() {
        return Err(say(&errors));
    }
    let (typed, errors) = check(module);
    if errors.has_errors() {
        return Err(say(&errors));
    }
    let roots: Result<Vec<_>, _> = roots.iter().map(|root| typed.find_entry(root)).collect();
    let roots = roots.map_err(|error| render(&error, &sources))?;
    let module =
        emit(ctx, &sources, &typed, &roots, &EmitOptions::default()).map_err(|errors| say(&errors))?;
    verify(&module).map_err(|errors| format!("not valid:\n{}\n{}", say(&errors), text_of(&module)))?;
    Ok(module)
}

pub fn text_of(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// The text of the emitted module, or the messages.
pub fn emitted_text(text: &str, roots: &[&str]) -> String {
    match emitted(&context(), text, roots) {
        Ok(module) => text_of(&module),
        Err(messages) => messages,
    }
}
