//! Traversal of a module's bodies, and functions with known callers.

use crate::symbol_dce::is_discardable;
use minoan_ir::{Body, Context, Name, Op, ServiceTable, SymbolTable, Traits};
use minoan_services::{ByAttributes, Calls, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

/// A body and all nested bodies with their owners, outer ones first, those of one level in text order.
pub(crate) fn levels(top: &Body) -> Vec<(Option<Op>, &Body)> {
    let mut found: Vec<(Option<Op>, &Body)> = vec![(None, top)];
    let mut at = 0;
    while at < found.len() {
        let body = found[at].1;
        found.extend(body.walk().into_iter().filter_map(|op| Some((Some(op), body.nested(op)?))));
        at += 1;
    }
    found
}

/// The functions in the blocks of a body, such as those of a module.
pub(crate) fn functions_in(body: &Body) -> Vec<Op> {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let ops = blocks.flat_map(|block| body.block(block).ops());
    ops.filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect()
}

/// The functions in the top-level block of a body whose uses are all known calls: the private ones, and the nested
/// ones if they cannot be referenced from outside (`hidden`).
pub(crate) fn known_functions(
    ctx: &Context,
    top: &Body,
    hidden: bool,
    levels: &[(Option<Op>, &Body)],
    calls: Option<&ServiceTable<dyn Calls>>,
) -> FxHashMap<Name, Op> {
    let table = SymbolTable::of(top);
    let SymbolUses { callees, named } = symbol_uses(ctx, levels, calls);
    let known = callees.difference(&named).filter_map(|&name| {
        let op = table.get(name)?;
        let view = top.op(op);
        let body = top.nested(op)?;
        let defined = body.regions().next().is_some_and(|region| !body.region(region).is_empty());
        (defined && view.has_trait(Traits::FUNCTION_LIKE) && is_discardable(view, hidden))
            .then_some((name, op))
    });
    known.collect()
}

/// The uses of symbols in a module.
pub(crate) struct SymbolUses {
    /// The callees of known calls.
    pub callees: FxHashSet<Name>,
    /// The symbols with other uses.
    pub named: FxHashSet<Name>,
}

/// The uses of symbols in these bodies.
pub(crate) fn symbol_uses(
    ctx: &Context,
    levels: &[(Option<Op>, &Body)],
    calls: Option<&ServiceTable<dyn Calls>>,
) -> SymbolUses {
    let (mut callees, mut named) = (FxHashSet::default(), FxHashSet::default());
    let mut names = Vec::new();
    let symbols = ctx.service_table::<dyn Symbols>();
    for (_, body) in levels {
        for op in body.walk() {
            let view = body.op(op);
            let callee = calls.and_then(|calls| calls.get(view.kind())?.callee(view));
            let callee = callee.and_then(|symbol| symbol.as_flat_symbol(ctx));
            symbols.and_then(|table| table.get(view.kind())).unwrap_or(&ByAttributes).uses(view, &mut names);
            if let Some(at) = callee.and_then(|callee| names.iter().position(|&name| name == callee)) {
                callees.insert(names.swap_remove(at));
            }
            named.extend(names.drain(..));
        }
    }
    SymbolUses { callees, named }
}
