//! Inner products: sums of products of two factors whose elements are consecutive along an axis that is reduced, with lanes along
//! that axis and a register tile of sums.
//!
//! ```text
//! par i/8 { for j { for k/3 { for m { for n/16 { sum[i:8u, k:3u, n:16v] } } } } }
//! ```
//!
//! Each step loads a vector for each row and each column of the tile, and at the end the lanes of each sum are added up. An
//! example is the gradient of a convolution with respect to its weights: the sum is over images, and the last axis of the result,
//! the width of the window, has far fewer elements than a vector has lanes. If there are at least as many columns as lanes, a
//! [`contraction`](super::contraction) is faster, since it does not add across lanes.

use super::contraction::{parts, row_tail};
use super::copies::is_constant;
use super::paddings::{is_padding, padding};
use super::tile::{MOST_UNROLLED, cycles, sums_fit, widths};
use super::{Chooser, counted, leaf, nest, nest_parallel, parallel, shifted, unrolled, vector};
use crate::kernel::{Axis, Statement};
use crate::plan::{Node, Plan, Tail};
use minoan_services::IteratorType;

/// The cycles to add up the lanes of a vector.
const ADD_LANES_CYCLES: f64 = 8.0;
/// The estimated time must be less by this factor, since the estimates of other plans are more accurate.
const REQUIRED_SPEEDUP: f64 = 1.3;
/// The number of tiles of rows that one thread computes if the number of rows is unknown.
const TILES_PER_STRIP: i64 = 8;

/// An axis of a tile, with the number of its indices that are unrolled.
type Side = (Axis, i64);

/// The parts of a kernel.
struct Inner<'k> {
    number: usize,
    statement: &'k Statement,
    /// The parallel axes that both factors have.
    batch: Vec<Axis>,
    /// The parallel axes that only one of the factors has. If one of the factors is read at windows, it is the second one.
    sides: [Vec<Axis>; 2],
    /// The axis of the lanes.
    along: Axis,
    /// The other reduction axes, from the outermost loop to the innermost.
    reduced: Vec<Axis>,
    paddings: Vec<usize>,
}

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let inner = inner(cx)?;
    let lanes = cx.lanes();
    let extent = cx.extent(inner.along);
    let width = lanes.min(extent.max(4).unsigned_abs().next_power_of_two() as i64);
    let steps = (extent + width - 1) / width;
    let (rows, columns, cycles) = tile(cx, &inner);
    let outer: f64 = inner.reduced.iter().map(|&axis| cx.extent(axis) as f64).product();
    let own = outer * steps as f64 * cycles + ADD_LANES_CYCLES;
    let other = outer * extent as f64 / (lanes as f64 * lanes_in_use(cx));
    if own * REQUIRED_SPEEDUP > other {
        return Err(format!("lanes along '{}' take more time by the model", cx.name(inner.along)));
    }
    cx.notes.borrow_mut().push(format!("tile: {} x {} sums of {width} lanes", rows.1, columns.1));
    Ok(loops(cx, &inner, [rows, columns], width))
}

fn inner<'k>(cx: &'k Chooser<'_>) -> Result<Inner<'k>, String> {
    let mut reductions = cx.leaves().filter(|(_, statement)| statement.reduction.is_some());
    let (number, statement) = reductions.next().ok_or("nothing is reduced")?;
    if reductions.next().is_some() {
        return Err("there are several reductions".to_owned());
    }
    if statement.sums_narrow_integers(cx.body.context()) {
        return Err("narrow integers are added in pairs".to_owned());
    }
    let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
    let factors: Vec<usize> = (0..statement.reads.len())
        .filter(|&read| Some(read) != accumulator && !statement.axes_of_read(read).is_empty())
        .collect();
    let &[first, second] = &factors[..] else { return Err("there are not two factors".to_owned()) };
    let has = |read: usize, axis: Axis| statement.axes_of_read(read).contains(&axis);
    let is_window = |read: usize| {
        let exprs = &statement.reads[read].map.results;
        exprs.iter().any(|expr| {
            let mut axes = Vec::new();
            statement.axes_in(expr, &mut axes);
            axes.len() > 1
        })
    };
    let [left, right] = if is_window(first) { [second, first] } else { [first, second] };

    let written = cx.unit_free(&statement.written_axes().into_iter().flatten().collect::<Vec<_>>());
    if written.iter().any(|&axis| cx.kernel.known_extent(axis) == Some(0)) {
        return Err("the result has no elements".to_owned());
    }
    let only = |read: usize, other: usize| -> Vec<Axis> {
        written.iter().copied().filter(|&axis| has(read, axis) && !has(other, axis)).collect()
    };
    let sides = [only(left, right), only(right, left)];
    if sides.iter().any(Vec::is_empty) {
        return Err("a factor has all parallel axes of the other".to_owned());
    }
    let batch = written.iter().copied().filter(|axis| !sides.iter().flatten().any(|other| other == axis));
    let batch: Vec<Axis> = batch.collect();

    let mut reduced: Vec<Axis> =
        cx.unit_free(&statement.axes).into_iter().filter(|&axis| statement.reduces(axis)).collect();
    let is_consecutive = |axis: Axis| {
        factors.iter().all(|&read| {
            let access = &statement.reads[read];
            cx.stride(statement, &access.map.results, axis) == Some(1)
        })
    };
    let along =
        reduced.iter().copied().filter(|&axis| is_consecutive(axis)).max_by_key(|&axis| cx.extent(axis));
    let along = along.ok_or("the factors are not consecutive along the same axis")?;
    cx.check_lanes(number, along)?;
    reduced.retain(|&axis| axis != along);
    let distance = |axis: Axis| {
        let distances = factors.iter().map(|&read| cx.distance(statement, read, axis).map_or(0, i64::abs));
        distances.max().unwrap_or(0)
    };
    reduced.sort_by_key(|&axis| std::cmp::Reverse(distance(axis)));

    let mut paddings = Vec::new();
    for (other, consumer) in cx.leaves().filter(|&(other, _)| other != number) {
        if other < number && is_padding(cx.kernel, other, number) {
            paddings.push(other);
            continue;
        }
        let axes = cx.unit_free(&consumer.axes);
        let is_pointwise = consumer.dims().all(|(_, iterator)| iterator == IteratorType::Parallel)
            && axes.len() == written.len()
            && axes.iter().all(|axis| written.contains(axis));
        if other < number || !is_pointwise {
            return Err(format!("'{}' is not pointwise in the result of the reduction", consumer.name));
        }
    }
    Ok(Inner { number, statement, batch, sides, along, reduced, paddings })
}

/// The rows and columns of the tile, and the cycles of a step for each of its sums.
fn tile(cx: &Chooser<'_>, inner: &Inner<'_>) -> (Side, Side, f64) {
    let sizes = |axes: &[Axis]| -> Vec<Side> {
        let sizes = |&axis: &Axis| (1..=MOST_UNROLLED.min(cx.extent(axis))).map(move |size| (axis, size));
        // Windows along the last axis share lines of the cache.
        axes.iter().rev().flat_map(sizes).collect()
    };
    let [lefts, rights] = inner.sides.each_ref().map(|axes| sizes(axes));
    let mut best = (lefts[0], rights[0], f64::INFINITY);
    for &rows in &lefts {
        // Threads share the rows, so that no tile of them is cut.
        if cx.kernel.known_extent(rows.0).is_some_and(|extent| extent % rows.1 != 0) {
            continue;
        }
        for &columns in &rights {
            if !sums_fit(cx, inner.statement, rows.1, columns.1) {
                continue;
            }
            let products = rows.1 * columns.1;
            let extent = cx.extent(columns.0);
            let computed = (extent + columns.1 - 1) / columns.1 * columns.1;
            let step = cycles(cx, rows.1, columns.1, (rows.1 + columns.1) as f64);
            let time = step / products as f64 * computed as f64 / extent as f64;
            if time < best.2 {
                best = (rows, columns, time);
            }
        }
    }
    best
}

/// The fraction of the lanes that is in use if they are along the last axis of the result, as in a
/// [`contraction`](super::contraction), times the number of products per cycle.
fn lanes_in_use(cx: &Chooser<'_>) -> f64 {
    /// The result for sums that are computed one at a time: they wait for loads.
    const ONE_BY_ONE: f64 = 0.6;
    let Ok(parts) = parts(cx) else { return ONE_BY_ONE };
    let lanes = cx.lanes();
    let Some(columns) = cx.kernel.known_extent(parts.columns) else { return 1.0 };
    let has_groups = widths(cx, &parts, lanes).iter().any(|&(groups, _)| groups > 1);
    let vectors = (columns + lanes - 1) / lanes;
    // A factor that is copied first waits for memory.
    let access = &parts.statement.reads[parts.right];
    let stride = cx.stride_of_lanes(parts.statement, &access.map.results, parts.columns, lanes);
    let products = if stride == Some(1) || is_constant(cx, &parts) { cx.machine.fma } else { 1.0 };
    products * if has_groups { 1.0 } else { columns as f64 / (vectors * lanes).max(1) as f64 }
}

fn loops(cx: &Chooser<'_>, inner: &Inner<'_>, [rows, columns]: [Side; 2], width: i64) -> Plan {
    let known = |(axis, size): Side| cx.kernel.known_extent(axis).is_some_and(|extent| extent % size == 0);
    let tail = row_tail(inner.statement);
    let mut dims: Vec<_> = [rows, columns]
        .into_iter()
        .filter(|&(_, size)| size > 1)
        .map(|(axis, size)| unrolled(&cx.name(axis), size))
        .collect();
    let consumers = cx.leaves().filter(|&(number, _)| number > inner.number);
    let consumers: Vec<Node> = consumers.map(|(_, statement)| leaf(statement, dims.clone())).collect();
    let along = cx.name(inner.along);
    dims.push(vector(&along, width));
    let nodes = vec![counted(&along, width, vec![leaf(inner.statement, dims)])];
    let mut nodes = nest(cx.kernel, &inner.reduced, nodes);
    nodes.extend(consumers);
    let step = |side: Side, tail: Tail, nodes: Vec<Node>| {
        let name = cx.name(side.0);
        vec![if known(side) { counted(&name, side.1, nodes) } else { shifted(&name, side.1, tail, nodes) }]
    };
    nodes = step(columns, tail, nodes);
    let others =
        |side: usize, (axis, _): Side| inner.sides[side].iter().copied().filter(move |&other| other != axis);
    let around: Vec<Axis> = others(0, rows).chain(others(1, columns)).collect();
    nodes = nest(cx.kernel, &around, nodes);
    let name = cx.name(rows.0);
    nodes = match (inner.batch.is_empty(), known(rows)) {
        (true, true) => vec![parallel(&name, rows.1, nodes)],
        // The last rows of a strip would be computed again by another thread.
        (true, false) => vec![parallel(&name, TILES_PER_STRIP * rows.1, step(rows, Tail::Scalar, nodes))],
        (false, _) => step(rows, tail, nodes),
    };
    nodes = nest_parallel(cx.kernel, &inner.batch, nodes);
    nodes.splice(0..0, inner.paddings.iter().map(|&number| padding(cx, number, &[], None)));
    Plan { nodes }
}
