//! Contractions: reductions over several factors, such as sums of products, with a register tile of accumulators.
//!
//! ```text
//! par j/64 { pack sum.1[k, j] for i/6 tail(shift) { for k { sum[i:6u, j:64v] } maximumf[i:6u, j:64v] } }
//! ```
//!
//! The factor with the axis `j` of the lanes is loaded as vectors, the one with the unrolled axis `i` as scalars. If there are
//! few rows and both factors are contiguous along the reduction axis, lanes are along that axis instead, and nothing is copied.
//!
//! Convolutions and poolings are contractions as well, of windows: the index of a factor is a sum of a parallel and a reduction
//! axis. A padding is computed before them. With lanes along two axes of an image, no lane is empty:
//!
//! ```text
//! par m { for p { for q/64 { pad[q:64v] } } }
//! par j/4 { for l/8 { for k/11 tail(shift) { for m { for n { for o { sum[k:11u, j:4v, l:8v] } } } } } }
//! ```

use super::copies::{
    Panel, inside_strips, is_constant, is_worth_packing, pack, panel, prefetch, rows_of_block,
    rows_of_thread, streams,
};
use super::paddings::{Paddings, is_padding, padding, shared_with_paddings};
use super::tile::{Shape, tile, tile_of_sums};
use super::{Chooser, counted, leaf, loop_over, nest, nest_parallel, parallel, shifted, unrolled, vector};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::{Loop, Node, Plan, Tail, TileDim};
use minoan_services::IteratorType;

/// With fewer rows than this, transposing a factor costs more than reducing along lanes.
const FEW_ROWS: i64 = 48;
/// The same if the factor is a constant, which is transposed beforehand: fewer rows do not fill a register tile.
const FEW_ROWS_OF_CONSTANT: i64 = 4;

/// The parts of a contraction.
pub(super) struct Parts<'k> {
    pub(super) number: usize,
    pub(super) statement: &'k Statement,
    /// The other parallel axes.
    pub(super) batch: Vec<Axis>,
    /// The unrolled axis; `None` for a product of a matrix and a vector.
    pub(super) rows: Option<Axis>,
    pub(super) columns: Axis,
    /// The other parallel axis that may have lanes.
    pub(super) groups: Option<Axis>,
    pub(super) reduced: Vec<Axis>,
    /// The read that has the axis of the columns.
    pub(super) right: usize,
    /// The paddings before it.
    pub(super) paddings: Vec<usize>,
}

/// The largest distance between consecutive columns at which they are loaded without a copy.
const MAX_STRIDE: i64 = 2;

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let parts = parts(cx)?;
    let Parts { statement, columns, right, ref reduced, .. } = parts;
    let access = &statement.reads[right];
    let stride = cx.stride_of_lanes(statement, &access.map.results, columns, cx.lanes());
    let contiguous = stride == Some(1);
    let is_strided = stride.is_some_and(|stride| (2..=MAX_STRIDE).contains(&stride));
    if let &[along] = &reduced[..]
        && !contiguous
        && parts.paddings.is_empty()
        && (statement.sums_narrow_integers(cx.body.context())
            || parts
                .rows
                .is_none_or(|rows| has_few_rows(cx, &parts, rows) || is_small_batch(cx, &parts, rows)))
        && cx.check_lanes(parts.number, along).is_ok()
    {
        return Ok(dot(cx, &parts, along));
    }
    let shape = tile(cx, &parts, stride.unwrap_or(1));
    if let Some(panel) = streams(cx, &parts, shape).filter(|_| contiguous) {
        return Ok(by_streams(cx, &parts, panel, shape.width));
    }
    let paddings = Paddings::of(cx, &parts, shape);
    let strip = strip(cx, &parts, shape, &paddings, !(contiguous || is_strided))?;
    if let Some(panel) = panel(cx, &parts, shape, !strip.copies.is_empty()) {
        return Ok(by_panels(cx, &parts, panel, shape.width, strip.copies));
    }
    let by_blocks = rows_of_block(cx, &parts, shape.height);
    let by_blocks = by_blocks.or_else(|| rows_of_thread(cx, &parts, shape));
    let blocks = by_blocks.filter(|_| strip.copies.is_empty() && strip.inside.is_empty());
    let Strip { mut copies, inside } = strip;
    let mut nodes = register_tile(cx, &parts, shape);
    if let Some(rows) = parts.rows.filter(|_| blocks != Some(shape.height)) {
        let rows = cx.name(rows);
        nodes = match shape.height {
            1 => vec![counted(&rows, 1, nodes)],
            height => vec![shifted(&rows, height, row_tail(parts.statement), nodes)],
        };
    }
    nodes = nest(cx.kernel, &inside, nodes);
    if copies.is_empty() && blocks.is_none() {
        copies.extend(prefetch(cx, &parts, shape, &inside));
    }
    copies.append(&mut nodes);
    let outside: Vec<Axis> = parts.batch.iter().copied().filter(|axis| !inside.contains(axis)).collect();
    Ok(Plan { nodes: loops_around(cx, &parts, shape, &paddings, &outside, blocks, copies) })
}

/// The contents of a strip of columns around the loops over its rows.
struct Strip {
    /// The copies of factors, and the paddings that are computed for each strip.
    copies: Vec<Node>,
    /// The other parallel axes whose loops are inside of the strip.
    inside: Vec<Axis>,
}

/// Chooses the contents of a strip. `must_pack`: the columns cannot be loaded without a copy.
fn strip(
    cx: &Chooser<'_>,
    parts: &Parts<'_>,
    shape: Shape,
    paddings: &Paddings,
    must_pack: bool,
) -> Result<Strip, String> {
    if let Paddings::InStrips(around) = paddings {
        let columns = Some((parts.columns, shape.width));
        let copies = parts.paddings.iter().map(|&number| padding(cx, number, around, columns)).collect();
        let inside = parts.batch.iter().copied().filter(|axis| !around.contains(axis)).collect();
        return Ok(Strip { copies, inside });
    }
    let inside = inside_strips(cx, parts, shape.width, must_pack);
    let packs =
        must_pack || is_worth_packing(cx, parts, shape) || !inside.is_empty() && pack(cx, parts).is_ok();
    let copies = if packs { vec![pack(cx, parts)?] } else { Vec::new() };
    Ok(Strip { copies, inside })
}

/// The accumulation of a register tile, and the consumers of its elements.
pub(super) fn register_tile(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape) -> Vec<Node> {
    let Shape { height, groups, width } = shape;
    let tile = |statement: &Statement| {
        let mut dims = Vec::new();
        if let Some(rows) = parts.rows.filter(|&rows| statement.has_axis(rows) && height > 1) {
            dims.push(unrolled(&cx.name(rows), height));
        }
        if statement.has_axis(parts.columns) {
            let grouped = parts.groups.filter(|_| groups > 1);
            dims.extend(grouped.map(|axis| vector(&cx.name(axis), groups)));
            dims.push(vector(&cx.name(parts.columns), width));
        }
        leaf(statement, dims)
    };
    let mut nodes = nest(cx.kernel, &parts.reduced, vec![tile(parts.statement)]);
    let others = cx.leaves().filter(|&(number, _)| number > parts.number);
    nodes.extend(others.map(|(_, statement)| tile(statement)));
    nodes
}

/// The loops over strips of columns, over the axes `outside` of these, and over `blocks` of rows, with the paddings that are
/// computed before strips.
fn loops_around(
    cx: &Chooser<'_>,
    parts: &Parts<'_>,
    shape: Shape,
    paddings: &Paddings,
    outside: &[Axis],
    blocks: Option<i64>,
    strip: Vec<Node>,
) -> Vec<Node> {
    let Shape { groups, width, .. } = shape;
    let grouped = parts.groups.filter(|_| groups > 1);
    let is_outermost = |at: usize| at == 0 && blocks.is_none();
    let mut nodes =
        vec![loop_over(outside.is_empty() && is_outermost(0), &cx.name(parts.columns), width, strip)];
    let pads = |shared: usize| {
        let around = &outside[..shared];
        let others = parts.paddings.iter().filter(|_| matches!(paddings, Paddings::Before));
        others.map(move |&number| padding(cx, number, around, None))
    };
    let shared = match blocks {
        Some(_) => 0,
        None => shared_with_paddings(cx, parts, outside, grouped),
    };
    for (at, &axis) in outside.iter().enumerate().rev() {
        if at + 1 == shared {
            nodes.splice(0..0, pads(shared));
        }
        let step = if grouped == Some(axis) { groups } else { 1 };
        nodes = vec![loop_over(is_outermost(at), &cx.name(axis), step, nodes)];
    }
    if let (Some(rows), Some(block)) = (parts.rows, blocks) {
        nodes = vec![parallel(&cx.name(rows), block, nodes)];
    }
    if shared == 0 {
        nodes.splice(0..0, pads(0));
    }
    nodes
}

/// A product of matrices by panels of the factor with the columns:
///
/// ```text
/// par j/128 {
///   for k/256 { pack sum.1[k, j] for i/6 tail(scalar) { for j/16 { for k { sum[i:6u, j:16v] } } } }
///   for i { for j/16 { maximumf[j:16v] } }
/// }
/// ```
fn by_panels(cx: &Chooser<'_>, parts: &Parts<'_>, panel: Panel, width: i64, copy: Vec<Node>) -> Plan {
    let strip = vec![counted(&cx.name(parts.columns), width, vec![panel_tile(cx, parts, panel, width)])];
    let mut body = copy;
    body.extend(panel_rows(cx, parts, panel, strip));
    panels(cx, parts, panel, width, body)
}

/// A product of few rows and a matrix by streams of its rows:
///
/// ```text
/// par j/1024 { for k/8 { for j/16 { for i/4 { for k { sum[i:4u, j:16v] } } } } for i { for j/16 { maximumf[j:16v] } } }
/// ```
fn by_streams(cx: &Chooser<'_>, parts: &Parts<'_>, panel: Panel, width: i64) -> Plan {
    let rows = panel_rows(cx, parts, panel, vec![panel_tile(cx, parts, panel, width)]);
    panels(cx, parts, panel, width, vec![counted(&cx.name(parts.columns), width, rows)])
}

/// The register tile of a panel, in the loop over the reduction axis.
fn panel_tile(cx: &Chooser<'_>, parts: &Parts<'_>, panel: Panel, width: i64) -> Node {
    let rows = parts.rows.filter(|_| panel.height > 1);
    let mut dims: Vec<TileDim> =
        rows.map(|rows| unrolled(&cx.name(rows), panel.height)).into_iter().collect();
    dims.push(vector(&cx.name(parts.columns), width));
    counted(&cx.name(panel.along), 1, vec![leaf(parts.statement, dims)])
}

/// The loop over the rows of a panel. Partial results continue in memory, so that no row is computed again.
fn panel_rows(cx: &Chooser<'_>, parts: &Parts<'_>, panel: Panel, body: Vec<Node>) -> Vec<Node> {
    let Some(rows) = parts.rows else { return body };
    vec![shifted(&cx.name(rows), panel.height, Tail::Scalar, body)]
}

/// The loops over panels, each with the consumers of its results.
fn panels(cx: &Chooser<'_>, parts: &Parts<'_>, panel: Panel, width: i64, body: Vec<Node>) -> Plan {
    let columns = cx.name(parts.columns);
    let mut nodes = vec![counted(&cx.name(panel.along), panel.depth, body)];
    let others = cx.leaves().filter(|&(number, _)| number > parts.number);
    let others: Vec<Node> =
        others.map(|(_, statement)| leaf(statement, vec![vector(&columns, width)])).collect();
    if !others.is_empty() {
        let rows: Vec<Axis> = parts.rows.into_iter().collect();
        nodes.extend(nest(cx.kernel, &rows, vec![counted(&columns, width, others)]));
    }
    Plan { nodes: vec![parallel(&columns, panel.columns, nodes)] }
}

/// Whether the factor with the columns is read by few rows.
fn has_few_rows(cx: &Chooser<'_>, parts: &Parts<'_>, rows: Axis) -> bool {
    cx.extent(rows) < if is_constant(cx, parts) { FEW_ROWS_OF_CONSTANT } else { FEW_ROWS }
}

/// Whether the contraction is a batch of products of matrices of unknown size: the transpose of each would be read by few rows,
/// and there may be fewer columns than lanes.
fn is_small_batch(cx: &Chooser<'_>, parts: &Parts<'_>, rows: Axis) -> bool {
    let unknown = |axis: Axis| cx.kernel.known_extent(axis).is_none();
    !parts.batch.is_empty() && unknown(rows) && unknown(parts.columns)
}

/// The treatment of the last rows: they are recomputed, unless they continue from partial results in memory.
pub(super) fn row_tail(statement: &Statement) -> Tail {
    match statement.init {
        Source::Argument(_) => Tail::Scalar,
        _ => Tail::Shift,
    }
}

/// The parts of the kernel, if it is a contraction.
pub(super) fn parts<'k>(cx: &'k Chooser<'_>) -> Result<Parts<'k>, String> {
    let mut reductions = cx.leaves().filter(|(_, statement)| statement.reduction.is_some());
    let (number, statement) = reductions.next().ok_or("nothing is reduced")?;
    if reductions.next().is_some() {
        return Err("there are several reductions".to_owned());
    }
    cx.check_vector_form(statement)?;
    let written = cx.unit_free(&statement.written_axes().into_iter().flatten().collect::<Vec<_>>());
    let &columns = written.last().ok_or("the result has one element")?;
    let last = statement.write.results.last().and_then(|expr| statement.axis_of(expr));
    if last != Some(columns) {
        return Err("the result is not contiguous".to_owned());
    }
    let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
    let factors: Vec<usize> = (0..statement.reads.len())
        .filter(|&read| Some(read) != accumulator && !statement.axes_of_read(read).is_empty())
        .collect();
    let has = |read: usize, axis: Axis| statement.axes_of_read(read).contains(&axis);
    let mut with_columns = factors.iter().copied().filter(|&read| has(read, columns));
    let first = with_columns.next().ok_or("no factor has the last axis")?;
    let second = with_columns.next();
    if with_columns.next().is_some() {
        return Err("three factors have the last axis".to_owned());
    }
    // The index of a window is a sum of axes.
    let is_window = |read: usize| {
        statement.reads[read].map.results.iter().any(|expr| {
            let mut axes = Vec::new();
            statement.axes_in(expr, &mut axes);
            axes.len() > 1
        })
    };
    // The weights of a depthwise convolution are the same for all rows of its data.
    let weights = second.and_then(|second| [first, second].into_iter().find(|&read| !is_window(read)));
    let right = match (second, weights) {
        (None, _) => first,
        (Some(second), Some(weights)) if is_window(first + second - weights) => first + second - weights,
        _ => return Err("two factors have the last axis".to_owned()),
    };
    let is_window = is_window(right);
    let lacks = |axis: Axis| is_window || factors.iter().any(|&read| read != right && !has(read, axis));
    // The other factor is used again for each row.
    let rows = written.iter().rev().copied().find(|&axis| axis != columns && !has(right, axis));
    let rows = rows.or_else(|| written.iter().rev().copied().find(|&axis| axis != columns && lacks(axis)));
    let mut reduced: Vec<Axis> =
        cx.unit_free(&statement.axes).into_iter().filter(|&axis| statement.reduces(axis)).collect();
    if statement.reorders() {
        order_for_caches(cx, statement, (right, &factors), &mut reduced);
    }
    let shares = factors.iter().any(|&read| read != right && reduced.iter().any(|&axis| has(read, axis)));
    if reduced.is_empty() || !(shares || is_window) {
        return Err("no two factors are reduced together".to_owned());
    }
    let all = cx.unit_free(&statement.axes);
    let batch: Vec<Axis> =
        written.iter().copied().filter(|&axis| axis != columns && Some(axis) != rows).collect();
    let groups = batch.iter().rev().copied().filter(|_| shares && weights.is_none()).find(|&axis| {
        factors.iter().all(|&read| has(read, axis) == (read == right))
            && cx.kernel.known_extent(axis).is_some()
    });
    let mut paddings = Vec::new();
    for (other, consumer) in cx.leaves().filter(|&(other, _)| other != number) {
        if other < number && is_padding(cx.kernel, other, number) {
            paddings.push(other);
            continue;
        }
        if other < number {
            return Err(format!("'{}' is computed before the reduction", consumer.name));
        }
        cx.check_lanes(other, columns)?;
        let axes = cx.unit_free(&consumer.axes);
        let pointwise = consumer.dims().all(|(_, iterator)| iterator == IteratorType::Parallel);
        let outer = batch.iter().chain(&rows).chain([&columns]).all(|axis| axes.contains(axis));
        if !pointwise || !outer || axes.iter().any(|axis| !all.contains(axis) || statement.reduces(*axis)) {
            return Err(format!("'{}' is not pointwise in the result of the reduction", consumer.name));
        }
    }
    Ok(Parts { number, statement, batch, rows, columns, groups, reduced, right, paddings })
}

/// Orders reduction axes for loops from the outermost to the innermost: by the distance of the elements of the factors that are
/// read as scalars, then of those that are read as vectors, so that consecutive iterations read consecutive elements.
fn order_for_caches(
    cx: &Chooser<'_>,
    statement: &Statement,
    (right, factors): (usize, &[usize]),
    reduced: &mut [Axis],
) {
    let distance = |axis: Axis, is_vector: bool| -> i64 {
        let reads = factors.iter().filter(|&&read| (read == right) == is_vector);
        reads.map(|&read| cx.distance(statement, read, axis).map_or(0, i64::abs)).max().unwrap_or(0)
    };
    reduced.sort_by_key(|&axis| std::cmp::Reverse((distance(axis, false), distance(axis, true))));
}

/// The number of columns of a product of a matrix and a vector that are summed together.
const COLUMNS_OF_VECTOR: i64 = 8;

/// The number of tiles in the strip of columns that one thread computes.
const TILES_PER_STRIP: i64 = 16;

/// The lanes along the reduction axis. Those of narrow integers are added in pairs.
fn summed_lanes(cx: &Chooser<'_>, parts: &Parts<'_>) -> i64 {
    let pairs = parts.statement.sums_narrow_integers(cx.body.context());
    if pairs { 2 * cx.lanes() } else { cx.lanes() }
}

/// Lanes along the reduction axis: a tile of sums, each of a vector of partial sums.
fn dot(cx: &Chooser<'_>, parts: &Parts<'_>, along: Axis) -> Plan {
    let Some(rows) = parts.rows else { return matrix_vector(cx, parts, along) };
    let lanes = summed_lanes(cx, parts);
    let (height, width) = tile_of_sums(cx, parts.statement, cx.extent(rows), cx.extent(parts.columns));
    let (rows_name, columns_name, along) = (cx.name(rows), cx.name(parts.columns), cx.name(along));
    let size = |name: &str, size: i64| if size > 1 { vec![unrolled(name, size)] } else { Vec::new() };
    let mut dims = size(&rows_name, height);
    dims.extend(size(&columns_name, width));
    let mut nodes = cx
        .leaves()
        .filter(|&(number, _)| number != parts.number)
        .map(|(_, statement)| leaf(statement, dims.clone()))
        .collect::<Vec<_>>();
    dims.push(vector(&along, lanes));
    nodes.insert(0, counted(&along, lanes, vec![leaf(parts.statement, dims)]));
    let tail = row_tail(parts.statement);
    nodes = vec![if height > 1 {
        shifted(&rows_name, height, tail, nodes)
    } else {
        counted(&rows_name, 1, nodes)
    }];
    let is_parallel = parts.batch.is_empty() && cx.extent(parts.columns) > TILES_PER_STRIP * width;
    // The last columns of a strip would be computed again by another thread.
    let tail = if is_parallel { Tail::Scalar } else { tail };
    let mut nodes = vec![if width > 1 {
        shifted(&columns_name, width, tail, nodes)
    } else {
        counted(&columns_name, 1, nodes)
    }];
    if is_parallel {
        nodes = vec![parallel(&columns_name, TILES_PER_STRIP * width, nodes)];
    }
    Plan { nodes: nest_parallel(cx.kernel, &parts.batch, nodes) }
}

/// Lanes along the reduction axis of a product of a matrix and a vector. The matrix is read once, as one stream per column of a
/// tile; the consumers have lanes along the columns:
///
/// ```text
/// par j/64 { for j/8 { for k/16 { sum[j:8u, k:16v] } } maximumf[j:64v] }
/// ```
fn matrix_vector(cx: &Chooser<'_>, parts: &Parts<'_>, along: Axis) -> Plan {
    let lanes = summed_lanes(cx, parts);
    let (columns, along) = (cx.name(parts.columns), cx.name(along));
    let known = cx.kernel.known_extent(parts.columns);
    let width = known.map_or(COLUMNS_OF_VECTOR, |extent| extent.min(COLUMNS_OF_VECTOR));
    let tail = known.is_none_or(|extent| extent % width != 0).then_some(Tail::Scalar);
    let mut tile: Vec<TileDim> = (width > 1).then(|| unrolled(&columns, width)).into_iter().collect();
    tile.push(vector(&along, lanes));
    let sums = counted(&along, lanes, vec![leaf(parts.statement, tile)]);
    let step = Loop { parallel: false, axis: columns.clone(), step: width, tail, body: vec![sums] };
    let mut nodes = vec![Node::Loop(step)];
    let wide = 4 * cx.lanes();
    let consumers = cx.leaves().filter(|&(number, _)| number > parts.number);
    nodes.extend(consumers.map(|(_, consumer)| leaf(consumer, vec![vector(&columns, wide)])));
    let nodes = match parts.batch.is_empty() {
        true => vec![parallel(&columns, wide, nodes)],
        false => vec![counted(&columns, wide, nodes)],
    };
    Plan { nodes: nest_parallel(cx.kernel, &parts.batch, nodes) }
}
