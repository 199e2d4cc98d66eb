//! Rules 28, 29 and 33: symbols.

use super::Report;
use crate::{AttrData, Body, Name, OpRef, SymbolUser, Traits};
use minoan_diag::Diagnostic;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Rules 28, 29 and 33.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, around: Option<OpRef<'_>>) {
    if op.has_trait(Traits::SYMBOL) {
        symbol(report, op, around);
    }
    if op.has_trait(Traits::SYMBOL_TABLE) {
        table(report, op);
    }
}

/// Rule 28.
fn symbol(report: &mut Report, op: OpRef<'_>, around: Option<OpRef<'_>>) {
    let ctx = op.context();
    let names = ctx.names();
    let name = op.attr(names.sym_name);
    let declared = op.spec().is_some_and(|spec| spec.attrs.iter().any(|attr| attr.name == "sym_name"));
    let is_string = name.is_some_and(|name| matches!(name.data(ctx), AttrData::String { .. }));
    if !is_string && !declared {
        report.op(op, "requires string attribute 'sym_name'");
    }
    if let Some(visibility) = op.attr(names.sym_visibility) {
        match visibility.as_str(ctx) {
            Some("public" | "private" | "nested") => {}
            Some(other) => {
                let words = r#"["public", "private", "nested"]"#;
                report.op(op, format!("visibility expected to be one of {words}, but got \"{other}\""));
            }
            None => report.op(op, "requires visibility attribute 'sym_visibility' to be a string attribute"),
        }
    }
    // An unknown operation may be a symbol table.
    if around.is_some_and(|around| around.spec().is_some() && !around.has_trait(Traits::SYMBOL_TABLE)) {
        report.op(op, "symbol's parent must have the SymbolTable trait");
    }
}

/// Rule 29.
fn table(report: &mut Report, op: OpRef<'_>) {
    let ctx = op.context();
    let (body, regions) = op.inside();
    let [region] = regions[..] else {
        report.op(op, "Operations with a 'SymbolTable' must have exactly one region");
        return;
    };
    if body.region(region).blocks().len() > 1 && !op.has_trait(Traits::SINGLE_BLOCK) {
        report.op(op, "Operations with a 'SymbolTable' must have exactly one block");
    }
    let mut declared: FxHashMap<Name, OpRef<'_>> = FxHashMap::default();
    for op in body.region(region).blocks().flat_map(|block| body.block(block).ops()) {
        let op = body.op(op);
        let Some(name) = op.symbol_name() else { continue };
        if let Some(first) = declared.get(&ctx.name(name)) {
            let error = Diagnostic::error(format!("redefinition of symbol named '{name}'"));
            let first = first.loc().place(ctx);
            report.push(error.at(op.loc().place(ctx)).note_at(first, "see existing symbol definition here"));
        } else {
            declared.insert(ctx.name(name), op);
        }
    }
    users(report, body, &declared);
}

/// Rule 33, for everything inside a symbol table up to the tables inside it.
fn users(report: &mut Report, body: &Body, declared: &FxHashMap<Name, OpRef<'_>>) {
    let Some(answers) = body.context().service_table::<dyn SymbolUser>() else { return };
    let find = |name: Name| declared.get(&name).copied();
    // In text order, so that errors are too.
    let mut pending = VecDeque::from([body]);
    while let Some(body) = pending.pop_front() {
        for op in body.walk().into_iter().map(|op| body.op(op)) {
            if let Some(message) = answers.get(op.kind()).and_then(|answer| answer.check(op, &find)) {
                report.op(op, message);
            }
            if !op.has_trait(Traits::SYMBOL_TABLE) {
                pending.extend(op.nested());
            }
        }
    }
}
