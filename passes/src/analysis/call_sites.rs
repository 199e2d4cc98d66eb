//! Traversal of a module's bodies, and functions with known callers.

use crate::symbol_dce::is_discardable;
use minoan_ir::{Body, Context, Name, Op, OpRef, ServiceTable, SymbolTable, Traits};
use minoan_services::{ByAttributes, Calls, Symbols};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
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

/// Adds the symbols that an operation uses.
pub(crate) fn add_symbols(op: OpRef<'_>, names: &mut Vec<Name>) {
    let symbols = op.context().service_table::<dyn Symbols>();
    symbols.and_then(|table| table.get(op.kind())).unwrap_or(&ByAttributes).uses(op, names);
}

/// The uses of symbols in these bodies.
pub(crate) fn symbol_uses(
    ctx: &Context,
    levels: &[(Option<Op>, &Body)],
    calls: Option<&ServiceTable<dyn Calls>>,
) -> SymbolUses {
    let (mut callees, mut named) = (FxHashSet::default(), FxHashSet::default());
    let mut names = Vec::new();
    for (_, body) in levels {
        for op in body.walk() {
            let view = body.op(op);
            let callee = calls.and_then(|calls| calls.get(view.kind())?.callee(view));
            let callee = callee.and_then(|symbol| symbol.as_flat_symbol(ctx));
            add_symbols(view, &mut names);
            if let Some(at) = callee.and_then(|callee| names.iter().position(|&name| name == callee)) {
                callees.insert(names.swap_remove(at));
            }
            named.extend(names.drain(..));
        }
    }
    SymbolUses { callees, named }
}

/// The functions that call each other, by the number of their component in the graph of calls.
pub(crate) fn components(calls: impl Iterator<Item = (Name, Name)>) -> FxHashMap<Name, usize> {
    let mut graph = DiGraph::<Name, ()>::new();
    let mut nodes = FxHashMap::default();
    for (caller, callee) in calls {
        let mut node = |name: Name| *nodes.entry(name).or_insert_with(|| graph.add_node(name));
        let (from, to) = (node(caller), node(callee));
        graph.add_edge(from, to, ());
    }
    let components = kosaraju_scc(&graph).into_iter().enumerate();
    components
        .flat_map(|(at, component)| component.into_iter().map(move |node| (node, at)))
        .map(|(node, at)| (graph[node], at))
        .collect()
}
