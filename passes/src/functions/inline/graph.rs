//! The call graph of a module.

use super::OWNER;
use crate::symbol_dce::is_private;
use minoan_ir::{Body, Op, OpRef, SymbolTable, Traits};
use minoan_services::{Calls, DiffOps, Inliner};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of the call graph.
pub(super) struct Function {
    pub op: Op,
    /// Whether the function is recursive.
    pub recursive: bool,
    /// Whether its dialect forbids that calls of it are inlined.
    pub stays: bool,
    /// The number of call sites.
    pub callers: usize,
    /// Whether the function is private and has one call, which it can replace.
    pub once: bool,
    /// The length of the longest chain of non-recursive calls from it. Its callees are on lower levels, or in the
    /// same component.
    pub level: usize,
}

/// The functions with a body, by levels, callees first.
pub(super) fn callees_first(body: &Body, symbols: &SymbolTable) -> Vec<Function> {
    let is_function = |op: OpRef<'_>| op.has_trait(Traits::FUNCTION_LIKE) && op.nested().is_some();
    let functions: Vec<Op> = top_level(body).filter(|&op| is_function(body.op(op))).collect();
    // A function with a user-defined derivative must not disappear before its callers are differentiated.
    let derivatives = <dyn DiffOps>::any(body.context());
    let rules = top_level(body).filter_map(|op| Some(derivatives?.rule(body.op(op))?.of));
    let has_rule: FxHashSet<Op> = rules.filter_map(|of| symbols.get(of)).collect();
    let mut graph: DiGraph<Op, ()> = DiGraph::new();
    let numbers: FxHashMap<Op, _> = functions.iter().map(|&op| (op, graph.add_node(op))).collect();
    for &op in &functions {
        let inside = body.nested(op).expect(OWNER);
        for call in inside.walk() {
            if let Some(&to) = callee(inside, call, symbols).and_then(|callee| numbers.get(&callee)) {
                graph.add_edge(numbers[&op], to, ());
            }
        }
    }
    let mut order: Vec<Function> = Vec::with_capacity(functions.len());
    let mut levels: Vec<Option<usize>> = vec![None; functions.len()];
    for component in kosaraju_scc(&graph) {
        // Functions of the same component have no level yet.
        let called = component.iter().flat_map(|&node| graph.neighbors(node));
        let level = called.filter_map(|callee| Some(levels[callee.index()]? + 1)).max().unwrap_or(0);
        for &node in &component {
            levels[node.index()] = Some(level);
            let callers = graph.edges_directed(node, petgraph::Direction::Incoming).count();
            let recursive = component.len() > 1 || graph.contains_edge(node, node);
            let view = body.op(graph[node]);
            let inliner = body.context().service::<dyn Inliner>(view.kind());
            let stays = inliner.is_some_and(|inliner| !inliner.is_legal_to_inline(view))
                || has_rule.contains(&graph[node]);
            let once = callers == 1 && !stays && !recursive && is_private(view);
            order.push(Function { op: graph[node], recursive, stays, callers, once, level });
        }
    }
    order.sort_by_key(|function| function.level);
    order
}

/// The operations at the top level of a module.
pub(super) fn top_level(body: &Body) -> impl Iterator<Item = Op> + '_ {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    blocks.flat_map(|block| body.block(block).ops())
}

/// The callee of an operation, if it can be inlined.
pub(super) fn callee(body: &Body, op: Op, symbols: &SymbolTable) -> Option<Op> {
    let ctx = body.context();
    let view = body.op(op);
    if !ctx.service::<dyn Inliner>(view.kind())?.is_legal_to_inline(view) {
        return None;
    }
    let symbol = ctx.service::<dyn Calls>(view.kind())?.callee(view)?;
    symbols.get(symbol.as_flat_symbol(ctx)?)
}
