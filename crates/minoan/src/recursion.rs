//! The recursive functions of a module: where a message about an exhausted stack points.

use minoan_diag::Place;
use minoan_ir::{Module, Op};
use minoan_services::Calls;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

/// The places of the functions that lie on a cycle of calls, in the order of the module.
pub(crate) fn recursive_functions(module: &Module) -> Vec<Place> {
    let (ctx, body) = (module.context(), module.body());
    let Some(calls) = ctx.service_table::<dyn Calls>() else { return Vec::new() };
    let mut graph: DiGraph<Op, ()> = DiGraph::new();
    let functions = body.block(module.block()).ops();
    let numbers: FxHashMap<&str, _> =
        functions.filter_map(|op| Some((body.op(op).symbol_name()?, graph.add_node(op)))).collect();
    for caller in graph.node_indices() {
        let Some(inside) = body.nested(graph[caller]) else { continue };
        for op in inside.walk().into_iter().map(|op| inside.op(op)) {
            let callee = calls.get(op.kind()).and_then(|calls| calls.callee(op));
            let callee = callee.and_then(|callee| numbers.get(callee.as_flat_symbol(ctx)?.as_str(ctx)));
            if let Some(&callee) = callee {
                graph.update_edge(caller, callee, ());
            }
        }
    }
    let mut recursive: Vec<_> = kosaraju_scc(&graph)
        .into_iter()
        .filter(|component| component.len() > 1 || graph.contains_edge(component[0], component[0]))
        .flatten()
        .collect();
    recursive.sort_unstable();
    recursive.into_iter().map(|function| body.op(graph[function]).loc().place(ctx)).collect()
}
