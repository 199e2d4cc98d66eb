//! Rows: computations over shared outer axes, and reductions of the inner ones.
//!
//! ```text
//! for i { for j/64 { max[j:64v] }  for j/64 { exp[j:64v] sum[j:64v] }  for j/64 { divf[j:64v] } }
//! ```
//!
//! The outer axes are those that all statements have as parallel dimensions. For each point of them, a statement is in
//! the pass over the inner axes that follows the last reduction that it depends on. Without inner axes, the statements are
//! pointwise and the last outer axis has the lanes.
//!
//! A reduction in a fixed order over the axis of the lanes is a loop of scalars over each step of a pass. It reads the terms
//! that the step has computed:
//!
//! ```text
//! for i { for j/64 { sin[j:64v]  for j { sum[] } } }
//! ```

use super::{Chooser, counted, leaf, nest, parallel, vector};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::{Node, Plan, Prefetch};
use minoan_ir::Type;
use minoan_services::IteratorType;

/// The number of registers that a vector fills: this many independent accumulators hide the latency of a reduction.
const REGISTERS: i64 = 4;

/// The number of registers that the lanes of a sum of rows fill, at least. Each row is another page of a large array, where hardware
/// prefetchers start again, so that several lines of each are read. One sum fills half of the registers.
const COLUMNS: i64 = 8;

/// Upper bound on the number of arguments whose rows a pass prefetches.
const MAX_PREFETCHES: usize = 2;

/// The number of elements that a parallel iteration computes, at least.
const GRAIN: i64 = 16 << 10;

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let outer = outer_axes(cx);
    let inner = |statement: &Statement| -> Vec<Axis> {
        let mut axes = cx.unit_free(&statement.axes);
        axes.retain(|axis| !outer.contains(axis));
        axes
    };
    let all_inner: Vec<Axis> = cx.leaves().flat_map(|(_, statement)| inner(statement)).collect();
    let lanes_axis = lanes_axis(cx, &outer, &all_inner)?;
    let body = with_prefetches(cx, &outer, lanes_axis, passes(cx, &outer, lanes_axis, |_| true));
    let statements: Vec<&Statement> = cx.leaves().map(|(_, statement)| statement).collect();
    let lanes = lanes_of(cx, lanes_axis, &statements);
    let size = |axis: Axis| if Some(axis) == lanes_axis { lanes } else { 1 };
    let work: i64 = all_inner.iter().map(|&axis| cx.extent(axis)).max().unwrap_or(1);
    Ok(Plan { nodes: around(cx, &outer, work, &size, body) })
}

/// The passes of statements over the inner axes, for one point of the outer ones.
pub(super) fn passes(
    cx: &Chooser<'_>,
    outer: &[Axis],
    lanes_axis: Option<Axis>,
    is_member: impl Fn(usize) -> bool,
) -> Vec<Node> {
    let inner = |statement: &Statement| -> Vec<Axis> {
        let mut axes = cx.unit_free(&statement.axes);
        axes.retain(|axis| !outer.contains(axis));
        axes
    };
    let members = || cx.leaves().filter(|&(number, _)| is_member(number));
    let all_inner: Vec<Axis> = members().flat_map(|(_, statement)| inner(statement)).collect();
    // Lanes along an outer axis are those of all passes.
    let is_outer = lanes_axis.is_some_and(|axis| outer.contains(&axis));
    let all: Vec<&Statement> = members().map(|(_, statement)| statement).collect();
    let lanes =
        |statements: &[&Statement]| lanes_of(cx, lanes_axis, if is_outer { &all } else { statements });
    let is_in_order = |statement: &Statement| lanes_axis.is_some_and(|axis| in_order(statement, axis));
    let tile_of = |statement: &Statement, lanes: i64| match lanes_axis {
        Some(axis) if statement.has_axis(axis) && !is_in_order(statement) => {
            vec![vector(&cx.name(axis), lanes)]
        }
        _ => Vec::new(),
    };
    let levels = levels(cx, &inner);
    let deepest = levels.iter().flatten().copied().max().unwrap_or(0);
    let mut body = Vec::new();
    for level in 0..=deepest {
        let here = || members().filter(|&(number, _)| levels[number] == Some(level));
        for (_, statement) in here().filter(|(_, statement)| inner(statement).is_empty()) {
            body.push(leaf(statement, tile_of(statement, lanes(&[statement]))));
        }
        // The statements of each pass: those with lanes, and those that are loops of scalars.
        let mut passes: Vec<(Vec<Axis>, [Vec<&Statement>; 2])> = Vec::new();
        for (_, statement) in here() {
            let mut axes = inner(statement);
            if axes.is_empty() {
                continue;
            }
            axes.sort_by_key(|&axis| (Some(axis) == lanes_axis, position(&all_inner, axis)));
            if passes.last().is_none_or(|(other, _)| *other != axes) {
                passes.push((axes, [Vec::new(), Vec::new()]));
            }
            if let Some((_, statements)) = passes.last_mut() {
                statements[usize::from(is_in_order(statement))].push(statement);
            }
        }
        for (axes, [vectors, scalars]) in passes {
            let lanes = lanes(&vectors);
            let size = |axis: Axis| if Some(axis) == lanes_axis { lanes } else { 1 };
            let leaves = |statements: Vec<&Statement>| -> Vec<Node> {
                statements.into_iter().map(|statement| leaf(statement, tile_of(statement, lanes))).collect()
            };
            let [mut nodes, scalars] = [vectors, scalars].map(leaves);
            match lanes_axis {
                Some(axis) if !scalars.is_empty() && !nodes.is_empty() => {
                    nodes.push(counted(&cx.name(axis), 1, scalars));
                }
                // Without terms to compute, there are no steps.
                _ if !scalars.is_empty() => {
                    body.extend(nest(cx.kernel, &axes, scalars));
                    continue;
                }
                _ => {}
            }
            for &axis in axes.iter().rev() {
                nodes = vec![counted(&cx.name(axis), size(axis), nodes)];
            }
            body.append(&mut nodes);
        }
    }
    body
}

/// The passes; the last pass over an argument prefetches its next row if that pays on the machine. Many hardware prefetchers stop
/// at the end of a page, which a row of a large array often crosses, and start again with each row, which would stall the first
/// pass.
fn with_prefetches(
    cx: &Chooser<'_>,
    outer: &[Axis],
    lanes_axis: Option<Axis>,
    mut body: Vec<Node>,
) -> Vec<Node> {
    let (Some(&row), Some(lanes), true) = (outer.last(), lanes_axis, cx.machine.prefetch_rows) else {
        return body;
    };
    let mut seen: Vec<usize> = Vec::new();
    for at in (0..body.len()).rev() {
        let mut prefetches = Vec::new();
        for name in leaves_of_pass(&body[at], &cx.name(lanes)) {
            let Some(statement) = cx.kernel.statement(&name).map(|number| &cx.kernel.statements[number])
            else {
                continue;
            };
            for (operand, read) in statement.reads.iter().enumerate() {
                let Source::Argument(argument) = read.source else { continue };
                let axes = statement.axes_of_read(operand);
                let last = read.map.results.last().and_then(|expr| statement.axis_of(expr));
                let is_row = axes.contains(&row) && last == Some(lanes) && read.outside.is_none();
                if is_row && !seen.contains(&argument) && is_far(cx, &axes, lanes, read.element) {
                    seen.push(argument);
                    prefetches.push(Node::Prefetch(Prefetch { statement: name.clone(), operand }));
                }
            }
        }
        if prefetches.len() <= MAX_PREFETCHES {
            body.splice(at..at, prefetches);
        }
    }
    body
}

/// The statements in a loop over an axis with no other loop inside.
fn leaves_of_pass(node: &Node, axis: &str) -> Vec<String> {
    let Node::Loop(pass) = node else { return Vec::new() };
    let name = |node: &Node| match node {
        Node::Leaf(leaf) if pass.axis == axis => Some(leaf.statement.clone()),
        _ => None,
    };
    pass.body.iter().map(name).collect::<Option<_>>().unwrap_or_default()
}

/// Whether an array with these axes exceeds the L2 cache, and two of its rows fit the L1 cache, next to those of
/// others; a row has several lines.
fn is_far(cx: &Chooser<'_>, axes: &[Axis], lanes: Axis, element: Type) -> bool {
    const LINES: i64 = 16;
    let known = |axis: Axis| cx.kernel.known_extent(axis);
    let bytes = i64::from(super::bits(cx.body.context(), element)).unsigned_abs().div_ceil(8) as i64;
    let Some(row) = known(lanes).and_then(|extent| extent.checked_mul(bytes)) else { return false };
    let all =
        axes.iter().filter(|&&axis| axis != lanes).try_fold(row, |all, &axis| all.checked_mul(known(axis)?));
    let [first, second] = [1, 2].map(|level| cx.machine.cache_bytes(level) as i64);
    row >= 64 * LINES && 4 * row <= first && all.is_some_and(|all| all > second)
}

/// The outer loops. The first one is parallel, in chunks.
fn around(
    cx: &Chooser<'_>,
    outer: &[Axis],
    work: i64,
    size: &dyn Fn(Axis) -> i64,
    mut body: Vec<Node>,
) -> Vec<Node> {
    let mut work = work;
    for (at, &axis) in outer.iter().enumerate().rev() {
        let name = cx.name(axis);
        if at > 0 {
            body = vec![counted(&name, size(axis), body)];
            work = work.saturating_mul(cx.extent(axis));
            continue;
        }
        let step = size(axis);
        let rows = (GRAIN / work.max(1)).clamp(1, 1 << 19);
        let chunk = (rows + step - 1) / step * step;
        let is_small = cx.kernel.known_extent(axis).is_some_and(|extent| extent <= chunk);
        body = match chunk > step {
            _ if is_small => vec![counted(&name, step, body)],
            true => vec![parallel(&name, chunk, vec![counted(&name, step, body)])],
            false => vec![parallel(&name, step, body)],
        };
    }
    body
}

fn position(axes: &[Axis], axis: Axis) -> Option<usize> {
    axes.iter().position(|&other| other == axis)
}

/// The axes that all statements have as parallel dimensions, in the order of the first result's indices. Without
/// reductions these are the axes of the results; one that a statement lacks is an inner one.
pub(super) fn outer_axes(cx: &Chooser<'_>) -> Vec<Axis> {
    let mut order: Vec<Axis> = Vec::new();
    for &result in &cx.kernel.results {
        order.extend(cx.kernel.statements[result].written_axes().into_iter().flatten());
    }
    let mut outer: Vec<Axis> = Vec::new();
    for axis in cx.unit_free(&order) {
        let everywhere = cx
            .leaves()
            .all(|(_, statement)| statement.dims().any(|dim| dim == (axis, IteratorType::Parallel)));
        if everywhere && !outer.contains(&axis) {
            outer.push(axis);
        }
    }
    outer
}

/// The axis of the lanes: the last inner one if elements are consecutive along it, otherwise the last outer one.
///
/// # Errors
/// The reason why neither has lanes.
fn lanes_axis(cx: &Chooser<'_>, outer: &[Axis], inner: &[Axis]) -> Result<Option<Axis>, String> {
    let check = |axis: Axis, allows_order: bool| {
        if !cx.leaves().any(|(_, statement)| statement.has_axis(axis)) {
            return Err("no statement has lanes".to_owned());
        }
        let vectors = || cx.leaves().filter(|(_, statement)| !(allows_order && in_order(statement, axis)));
        if !vectors().any(|(_, statement)| statement.has_axis(axis)) {
            return Err("only scalars are combined in order".to_owned());
        }
        vectors().try_for_each(|(number, _)| cx.check_lanes(number, axis))
    };
    let mut candidates: Vec<Axis> = inner.to_vec();
    candidates.sort_unstable();
    candidates.dedup();
    // Reductions over the innermost dimension of what they read come first.
    candidates.sort_by_key(|&axis| std::cmp::Reverse(last_reads(cx, axis)));
    candidates.extend(outer.last());
    let mut reason = None;
    for allows_order in [false, true] {
        for &axis in &candidates {
            match check(axis, allows_order) {
                Ok(()) => return Ok(Some(axis)),
                Err(message) => reason = reason.or(Some(message)),
            }
        }
    }
    match reason {
        Some(reason) => Err(reason),
        None => Ok(None),
    }
}

/// Whether a statement reduces an axis in a fixed order.
fn in_order(statement: &Statement, axis: Axis) -> bool {
    statement.reduces(axis) && !statement.reorders()
}

/// The number of reads and writes of arguments whose last index is an axis.
fn last_reads(cx: &Chooser<'_>, axis: Axis) -> usize {
    let reads = cx.leaves().flat_map(|(_, statement)| {
        let reads = statement.reads.iter().filter(|read| matches!(read.source, Source::Argument(_)));
        reads.map(move |read| read.map.results.last().and_then(|expr| statement.axis_of(expr)))
    });
    reads.filter(|last| *last == Some(axis)).count()
}

/// The lanes of a pass of statements along an axis. The constants and intermediate values of functions fill the registers of a
/// machine that has few, so such passes have fewer lanes.
fn lanes_of(cx: &Chooser<'_>, axis: Option<Axis>, statements: &[&Statement]) -> i64 {
    let has_function = |statement: &&Statement| super::has_function(cx.body, statement.op);
    let is_full = cx.machine.registers < 32 && statements.iter().any(has_function);
    let vectors = match axis {
        _ if is_full => 2,
        Some(axis) if combines_rows(statements, axis) => {
            let sums = statements.iter().filter(|statement| combines_rows(&[statement], axis)).count() as i64;
            COLUMNS.max(cx.machine.registers as i64 / 2 / sums.max(1))
        }
        _ => REGISTERS,
    };
    let lanes = cx.lanes();
    let wide = lanes * vectors;
    match axis.and_then(|axis| cx.kernel.known_extent(axis)) {
        Some(extent) if extent < wide => (extent.max(1) + lanes - 1) / lanes * lanes,
        _ => wide,
    }
}

/// Whether a statement with lanes along an axis reduces another one, and elements along the axis are at one distance wherever they
/// are read.
fn combines_rows(statements: &[&Statement], axis: Axis) -> bool {
    let reduces = |statement: &&Statement| {
        let mut others = statement.axes.iter().filter(|&&other| other != axis);
        statement.has_axis(axis) && others.any(|&other| statement.reduces(other))
    };
    let is_linear = |statement: &&Statement| {
        let mut indices = statement.reads.iter().flat_map(|read| &read.map.results);
        indices.all(|index| statement.stride(index, axis).is_some())
    };
    statements.iter().any(reduces) && statements.iter().all(is_linear)
}

/// The pass of each statement over the inner axes: one more than those of the reductions that it depends on.
fn levels(cx: &Chooser<'_>, inner: &dyn Fn(&Statement) -> Vec<Axis>) -> Vec<Option<usize>> {
    let mut levels: Vec<Option<usize>> = Vec::with_capacity(cx.kernel.statements.len());
    for statement in &cx.kernel.statements {
        let of_read = |source: Source| {
            let Source::Statement(producer) = source else { return 0 };
            let from = &cx.kernel.statements[producer];
            let reduces = from.axes.iter().any(|&axis| from.reduces(axis) && inner(from).contains(&axis));
            // A broadcast along inner axes that the producer has in memory needs a separate pass, too.
            levels[producer].unwrap_or(0) + usize::from(reduces)
        };
        let level = statement.reads.iter().map(|read| of_read(read.source)).max().unwrap_or(0);
        levels.push((!statement.is_inline).then_some(level));
    }
    levels
}
