//! Rules 28, 29 and 33: symbols.

use super::{Report, around, has_foreign_trait};
use crate::{AttrData, Context, Name, Op, OpRef, OpSpec, SymbolUser, Traits};
use minoan_diag::{Diagnostic, nearest};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The symbols of a table: the first definition of each name.
pub(super) type Declared<'a> = FxHashMap<Name, OpRef<'a>>;

/// Rules 28 and 29.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, spec: &OpSpec, owner: Option<OpRef<'_>>) {
    if spec.traits.has(Traits::SYMBOL) {
        symbol(report, op, around(op, owner));
    }
    if spec.traits.has(Traits::SYMBOL_TABLE) {
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
    // An operation whose name is optional and absent is not a symbol.
    if name.is_none() && declared {
        return;
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
    for (name, again, first) in declarations(op).1 {
        let error = Diagnostic::error(format!("redefinition of symbol named '{}'", name.as_str(ctx)));
        let first = first.loc().place(ctx);
        report.push(error.at(again.loc().place(ctx)).note_at(first, "see existing symbol definition here"));
    }
}

/// The symbols that a table defines, and redefinitions with the name and the first definition.
fn declarations(table: OpRef<'_>) -> (Declared<'_>, Vec<(Name, OpRef<'_>, OpRef<'_>)>) {
    let ctx = table.context();
    let (body, regions) = table.inside();
    let blocks = || regions.first().into_iter().flat_map(|&region| body.region(region).blocks());
    let ops = blocks().map(|block| body.block(block).len()).sum();
    let (mut declared, mut again) = (Declared::with_capacity_and_hasher(ops, Default::default()), Vec::new());
    for op in blocks().flat_map(|block| body.block(block).ops()) {
        let op = body.op(op);
        let Some(name) = op.symbol_name().map(|name| ctx.name(name)) else { continue };
        let first = *declared.entry(name).or_insert(op);
        if first.id() != op.id() {
            again.push((name, op, first));
        }
    }
    (declared, again)
}

/// Whether symbols are looked up inside an operation.
fn is_table(op: &OpRef<'_>) -> bool {
    op.has_trait(Traits::SYMBOL_TABLE) || has_foreign_trait(*op, Traits::SYMBOL_TABLE)
}

/// For operations with regions in a body, the symbols of the innermost non-isolated symbol table: the operation itself or one
/// around it.
#[derive(Default)]
pub(super) struct InnerTables<'a>(FxHashMap<Op, Option<Arc<Declared<'a>>>>);

impl<'a> InnerTables<'a> {
    /// The symbols of the innermost enclosing symbol table in the same body.
    fn around(&mut self, op: OpRef<'a>) -> Option<Arc<Declared<'a>>> {
        let mut passed = Vec::new();
        let mut declared = None;
        for around in op.ancestors().skip(1) {
            if let Some(known) = self.0.get(&around.id()) {
                declared = known.clone();
                break;
            }
            passed.push(around.id());
            if is_table(&around) {
                declared = Some(Arc::new(declarations(around).0));
                break;
            }
        }
        passed.into_iter().for_each(|op| _ = self.0.insert(op, declared.clone()));
        declared
    }
}

/// The symbols visible to the operations of a nested body: those that its owner declares, or those visible to the owner.
pub(super) fn seen_inside<'a>(
    owner: OpRef<'a>,
    inner: &mut InnerTables<'a>,
    outside: Option<&Arc<Declared<'a>>>,
) -> Option<Arc<Declared<'a>>> {
    if is_table(&owner) {
        return Some(Arc::new(declarations(owner).0));
    }
    inner.around(owner).or_else(|| outside.cloned())
}

/// Rule 33.
pub(super) fn uses<'a>(
    report: &mut Report,
    op: OpRef<'a>,
    user: &dyn SymbolUser,
    inner: &mut InnerTables<'a>,
    seen: Option<&Declared<'a>>,
) {
    let inner = inner.around(op);
    let Some(declared) = inner.as_deref().or(seen) else { return };
    let missing = Cell::new(None);
    let lookup = |name: Name| {
        let found = declared.get(&name).copied();
        if found.is_none() {
            missing.set(Some(name));
        }
        found
    };
    let Some(violation) = user.check(op, &lookup) else { return };
    // The suggestion takes time in proportion to the table.
    let suggested = (report.diagnostics.len() < SUGGESTIONS).then(|| missing.get()).flatten();
    let suggested = suggested.and_then(|name| nearest_symbol(op.context(), name, declared));
    report.suggesting(op, violation, suggested);
}

/// The number of errors up to which misspelled symbols are explained.
const SUGGESTIONS: usize = 20;

/// The symbol of a table that a name may be a misspelling of; the first in alphabetical order.
fn nearest_symbol<'c>(ctx: &'c Context, name: Name, declared: &Declared<'_>) -> Option<&'c str> {
    let mut names: Vec<&str> = declared.keys().map(|name| name.as_str(ctx)).collect();
    names.sort_unstable();
    nearest(name.as_str(ctx), names)
}
