//! The recursive functions of a module: where a message about an exhausted stack points.

use minoan_diag::Place;
use minoan_ir::{Module, Op};
use rustc_hash::FxHashMap;

/// The places of the functions that lie on a cycle of calls, or between two of them, in the order of the module.
pub(crate) fn recursive_functions(module: &Module) -> Vec<Place> {
    let (ctx, body) = (module.context(), module.body());
    let functions: Vec<Op> =
        body.block(module.block()).ops().filter(|&op| body.op(op).symbol_name().is_some()).collect();
    let numbers: FxHashMap<&str, usize> = functions
        .iter()
        .enumerate()
        .filter_map(|(number, &op)| Some((body.op(op).symbol_name()?, number)))
        .collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (caller, &op) in functions.iter().enumerate() {
        let Some(inside) = body.op(op).nested() else { continue };
        for op in inside.walk() {
            let callee = inside.op(op).attr_named("callee").and_then(|callee| callee.as_flat_symbol(ctx));
            let callee = callee.and_then(|name| numbers.get(name.as_str(ctx)).copied());
            edges.extend(callee.map(|callee| (caller, callee)));
        }
    }
    // Remove functions without remaining callees, then those without remaining callers: they are on no cycle.
    let mut left = vec![true; functions.len()];
    peel(&edges, &mut left);
    let callers: Vec<(usize, usize)> = edges.iter().map(|&(caller, callee)| (callee, caller)).collect();
    peel(&callers, &mut left);
    let recursive = functions.iter().zip(left).filter(|(_, left)| *left);
    recursive.map(|(&op, _)| body.op(op).loc().place(ctx)).collect()
}

/// Removes, again and again, the nodes without an edge to a node that is left.
fn peel(edges: &[(usize, usize)], left: &mut [bool]) {
    let mut degree = vec![0usize; left.len()];
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
    for &(from, to) in edges.iter().filter(|&&(from, to)| left[from] && left[to]) {
        degree[from] += 1;
        into[to].push(from);
    }
    let mut pending: Vec<usize> = (0..left.len()).filter(|&node| left[node] && degree[node] == 0).collect();
    while let Some(node) = pending.pop() {
        left[node] = false;
        for &from in &into[node] {
            degree[from] -= 1;
            if degree[from] == 0 {
                pending.push(from);
            }
        }
    }
}
