//! Windows in stages: a reduction over one axis of windows, and another one over the rest, which reads the results of the
//! first.
//!
//! ```text
//! par j {
//!   for k/7 tail(shift) { for m/64 { for n { max[k:7u, m:64v] } } }
//!   for k/4 tail(shift) { for l/32 { for o { max_1[k:4u, l:32v] } } }
//! }
//! ```
//!
//! The results of the first stage are in the L1 cache: if those of all rows are not, the loops over the rows are in blocks. The
//! second stage does not follow each row of the first one, because loads of elements that were stored in other vectors wait
//! until these are in the cache.

use super::contraction::row_tail;
use super::paddings::{is_padding, padding};
use super::{Chooser, bits, counted, leaf, nest, nest_parallel, parallel, shifted, unrolled, vector};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::{Node, Plan, Tail};
use minoan_services::IteratorType;

/// The largest distance of the elements that the lanes of the second stage read.
const MAX_STRIDE: i64 = 2;

/// The most rows of a tile.
const MAX_HEIGHT: i64 = 8;

/// The parts of the kernel.
struct Stages<'k> {
    paddings: Vec<usize>,
    first: Stage<'k>,
    second: Stage<'k>,
    /// The statements that are pointwise in the result of the second stage.
    consumers: Vec<&'k Statement>,
    /// The parallel axes of both stages, without those of the rows and of the lanes.
    batch: Vec<Axis>,
    rows: Option<Axis>,
}

/// A reduction.
struct Stage<'k> {
    number: usize,
    statement: &'k Statement,
    /// The axis of the lanes.
    columns: Axis,
    /// The parallel axes that the other stage lacks, without that of the lanes.
    own: Vec<Axis>,
    reduced: Vec<Axis>,
}

/// A register tile.
#[derive(Clone, Copy)]
struct Shape {
    height: i64,
    width: i64,
}

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let stages = stages(cx)?;
    let Stages { ref first, ref second, rows, .. } = stages;
    let in_strips = first.columns == second.columns;
    let [mut outer, mut inner] = [shape(cx, first, rows, 4), shape(cx, second, rows, 2)];
    if in_strips {
        outer.width = outer.width.min(inner.width);
        inner.width = outer.width;
    }
    let strip = in_strips.then_some((first.columns, outer.width));
    let block = block(cx, &stages, outer).filter(|_| row_tail(second.statement) == Tail::Shift);
    if block.is_some() {
        // The number of rows of a block is a multiple of both heights.
        let divides = |&height: &i64| outer.height % height == 0;
        inner.height = (1..=inner.height).rev().find(divides).unwrap_or(1);
    }
    let around = |stage: &Stage<'_>, nodes: Vec<Node>, shape: Shape| {
        let columns = cx.name(stage.columns);
        let nodes = if in_strips { nodes } else { vec![counted(&columns, shape.width, nodes)] };
        let nodes = nest(cx.kernel, &stage.own, nodes);
        // A block with as many rows as a tile needs no loop over rows.
        if block == Some(shape.height) { nodes } else { over_rows(cx, stage, rows, shape.height, nodes) }
    };
    let mut body = around(first, tiles(cx, first, rows, outer, &[]), outer);
    body.extend(around(second, tiles(cx, second, rows, inner, &stages.consumers), inner));
    if let Some(block) = block {
        body = over_rows(cx, second, rows, block, body);
    }
    if !reads_through(cx, &stages) {
        let copies = stages.paddings.iter().map(|&number| padding(cx, number, &stages.batch, strip));
        body.splice(0..0, copies);
    }
    if let Some((columns, width)) = strip {
        let name = cx.name(columns);
        body = vec![match stages.batch.is_empty() {
            true => parallel(&name, width, body),
            false => counted(&name, width, body),
        }];
    }
    Ok(Plan { nodes: nest_parallel(cx.kernel, &stages.batch, body) })
}

/// The parts of the kernel, if it has two reductions the second of which reads the first in windows.
fn stages<'k>(cx: &'k Chooser<'_>) -> Result<Stages<'k>, String> {
    let mut reductions = cx.leaves().filter(|(_, statement)| statement.reduction.is_some());
    let (Some(first), Some(second), None) = (reductions.next(), reductions.next(), reductions.next()) else {
        return Err("there are not exactly two reductions".to_owned());
    };
    let parallel_axes = |statement: &Statement| -> Vec<Axis> {
        cx.unit_free(&statement.written_axes().into_iter().flatten().collect::<Vec<_>>())
    };
    let written = [parallel_axes(first.1), parallel_axes(second.1)];
    let shared: Vec<Axis> = written[1].iter().copied().filter(|axis| written[0].contains(axis)).collect();
    let [first, second] =
        [(first, &written[0]), (second, &written[1])].map(|((number, statement), written)| {
            cx.check_vector_form(statement)?;
            let last = statement.write.results.last().and_then(|expr| statement.axis_of(expr));
            let columns =
                last.filter(|last| written.last() == Some(last)).ok_or("a result is not contiguous")?;
            if !statement.reorders() {
                return Err(format!("'{}' combines elements in order", statement.name));
            }
            let own =
                written.iter().copied().filter(|axis| !shared.contains(axis) && *axis != columns).collect();
            let mut reduced = cx.unit_free(&statement.axes);
            reduced.retain(|&axis| statement.reduces(axis));
            Ok(Stage { number, statement, columns, own, reduced })
        });
    let (first, second) = (first?, second?);
    check_reads(cx, &first, &second)?;
    let in_strips = |axis: &Axis| first.columns == second.columns && *axis == first.columns;
    let mut batch: Vec<Axis> = shared.into_iter().filter(|axis| !in_strips(axis)).collect();
    let rows = batch.pop();
    let (mut paddings, mut consumers) = (Vec::new(), Vec::new());
    let is_stage = |number: usize| number == first.number || number == second.number;
    for (number, statement) in cx.leaves().filter(|&(number, _)| !is_stage(number)) {
        if number < first.number && is_padding(cx.kernel, number, first.number) {
            if !batch.iter().all(|&axis| statement.has_axis(axis)) {
                return Err(format!("'{}' is not computed for each image", statement.name));
            }
            paddings.push(number);
        } else {
            check_consumer(cx, &second, number)?;
            consumers.push(statement);
        }
    }
    Ok(Stages { paddings, first, second, consumers, batch, rows })
}

/// Checks that the first stage reads consecutive elements and the second one the results of the first, other than where it
/// writes.
fn check_reads(cx: &Chooser<'_>, first: &Stage<'_>, second: &Stage<'_>) -> Result<(), String> {
    let of_stage = |stage: &Stage<'_>, most: i64| {
        let Stage { statement, columns, .. } = *stage;
        let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
        let mut reads = statement.reads.iter().enumerate().filter(|&(read, _)| {
            Some(read) != accumulator && statement.axes_of_read(read).contains(&columns)
        });
        let (Some((read, access)), None) = (reads.next(), reads.next()) else {
            return Err(format!("'{}' does not read one tensor along its last axis", statement.name));
        };
        match cx.stride(statement, &access.map.results, columns) {
            Some(stride) if (1..=most).contains(&stride) => Ok((read, access.source)),
            _ => Err(format!("'{}' reads elements at a distance", statement.name)),
        }
    };
    of_stage(first, 1)?;
    let (read, source) = of_stage(second, MAX_STRIDE)?;
    let is_window = !cx.window_axes(second.statement, read).is_empty();
    match source == Source::Statement(first.number) && is_window {
        true => Ok(()),
        false => Err("no reduction reads the results of another one in windows".to_owned()),
    }
}

/// Checks that a statement is pointwise in the result of the second stage.
fn check_consumer(cx: &Chooser<'_>, second: &Stage<'_>, number: usize) -> Result<(), String> {
    let statement = &cx.kernel.statements[number];
    cx.check_lanes(number, second.columns)?;
    let is_parallel = statement.dims().all(|(_, iterator)| iterator == IteratorType::Parallel);
    let parallel_in_stage =
        |axis: &Axis| second.statement.has_axis(*axis) && !second.statement.reduces(*axis);
    let (own, others) = (cx.unit_free(&statement.axes), cx.unit_free(&second.statement.axes));
    let has_all = others.iter().all(|axis| second.statement.reduces(*axis) || own.contains(axis));
    if number < second.number || !is_parallel || !has_all || !own.iter().all(parallel_in_stage) {
        return Err(format!("'{}' is not pointwise in the result of the reductions", statement.name));
    }
    Ok(())
}

/// Whether the first stage reads the data of paddings, so that these are not computed.
fn reads_through(cx: &Chooser<'_>, stages: &Stages<'_>) -> bool {
    let Stage { number, statement, .. } = stages.first;
    let is_padding =
        |source: Source| stages.paddings.iter().any(|&number| source == Source::Statement(number));
    let mut reads = statement.reads.iter().enumerate().filter(|(_, access)| is_padding(access.source));
    cx.machine.masks && reads.all(|(read, _)| cx.kernel.through_padding(number, read).is_some())
}

/// The tile of a stage, with `vectors` vectors in a row at most: no more lanes than necessary are computed.
fn shape(cx: &Chooser<'_>, stage: &Stage<'_>, rows: Option<Axis>, vectors: i64) -> Shape {
    let (lanes, extent) = (cx.lanes(), cx.extent(stage.columns).max(1));
    let whole = |of: i64, by: i64| (of + by - 1) / by * by;
    let widths = [1, 2, 4].into_iter().filter(|&count| count <= vectors).map(|count| count * lanes);
    let width = widths.rev().min_by_key(|&width| whole(extent, width)).unwrap_or(lanes);
    // The other registers hold the vector that is read, the elements outside of its mask, and temporaries.
    let registers = i64::from(cx.machine.registers) - 4;
    let most = (registers * lanes / width).clamp(1, MAX_HEIGHT);
    let extent = rows.map_or(1, |rows| cx.extent(rows).max(1));
    let heights = (1..=most.min(extent)).rev();
    let height = heights.min_by_key(|&height| whole(extent, height) * (most + height) / height).unwrap_or(1);
    Shape { height, width }
}

/// The number of rows in a block, a multiple of `shape.height`, if the results of the first stage for all rows exceed half of
/// the L1 cache.
fn block(cx: &Chooser<'_>, stages: &Stages<'_>, shape: Shape) -> Option<i64> {
    let Stage { statement, columns, ref own, .. } = stages.first;
    let extent = cx.extent(stages.rows?);
    let columns = if columns == stages.second.columns { shape.width } else { cx.extent(columns) };
    let bytes = i64::from(bits(cx.body.context(), statement.element)).unsigned_abs().div_ceil(8) as i64;
    let row = own.iter().fold(columns * bytes, |size, &axis| size.saturating_mul(cx.extent(axis))).max(1);
    let cache = cx.machine.cache_bytes(1) as i64;
    let rows = (cache / 4 / row / shape.height).max(1) * shape.height;
    (row.saturating_mul(extent) > cache / 2 && rows < extent).then_some(rows)
}

/// The accumulation of a tile over the reduced axes, and the consumers of its elements.
fn tiles(
    cx: &Chooser<'_>,
    stage: &Stage<'_>,
    rows: Option<Axis>,
    shape: Shape,
    consumers: &[&Statement],
) -> Vec<Node> {
    let tile = |statement: &Statement| {
        let unrolled_rows = rows.filter(|&rows| shape.height > 1 && statement.has_axis(rows));
        let unrolled_rows = unrolled_rows.map(|rows| unrolled(&cx.name(rows), shape.height));
        let lanes = vector(&cx.name(stage.columns), shape.width);
        leaf(statement, unrolled_rows.into_iter().chain([lanes]).collect())
    };
    let mut nodes = nest(cx.kernel, &stage.reduced, vec![tile(stage.statement)]);
    nodes.extend(consumers.iter().map(|statement| tile(statement)));
    nodes
}

/// A loop over rows around a stage.
fn over_rows(
    cx: &Chooser<'_>,
    stage: &Stage<'_>,
    rows: Option<Axis>,
    step: i64,
    nodes: Vec<Node>,
) -> Vec<Node> {
    let Some(rows) = rows else { return nodes };
    vec![match step {
        1 => counted(&cx.name(rows), 1, nodes),
        _ => shifted(&cx.name(rows), step, row_tail(stage.statement), nodes),
    }]
}
