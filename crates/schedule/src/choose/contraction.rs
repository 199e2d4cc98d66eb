//! Contractions: sums of products with a register tile of accumulators.
//!
//! ```text
//! par j/64 { pack sum.1[k, j] for i/6 tail(shift) { for k { sum[i:6u, j:64v] } maximumf[i:6u, j:64v] } }
//! ```
//!
//! The factor with the axis `j` of the lanes is loaded as vectors, the one with the unrolled axis `i` as scalars. With few
//! rows and both factors contiguous along the reduction axis, lanes are along that axis instead, and nothing is copied.

use super::{Chooser, counted, leaf, parallel, shifted, unrolled, vector};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::{Node, Pack, Plan, Tail};
use minoan_services::IteratorType;

/// With fewer rows than this, transposing a factor costs more than reducing along lanes.
const FEW_ROWS: i64 = 48;

/// With at least this many rows, a copy of a factor may pay.
const MANY_ROWS: i64 = 256;

/// The parts of a contraction.
struct Parts<'k> {
    number: usize,
    statement: &'k Statement,
    /// The other parallel axes.
    batch: Vec<Axis>,
    /// The unrolled axis; `None` for a product of a matrix and a vector.
    rows: Option<Axis>,
    columns: Axis,
    reduced: Vec<Axis>,
    /// The read that has the axis of the columns.
    right: usize,
}

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let parts = parts(cx)?;
    let Parts { statement, columns, right, ref reduced, .. } = parts;
    let access = &statement.reads[right];
    let contiguous = cx.is_contiguous(statement, &access.map.results, access.element, columns);
    if let (Some(rows), &[along]) = (parts.rows, &reduced[..])
        && !contiguous
        && cx.extent(rows) < FEW_ROWS
        && cx.check_lanes(parts.number, along).is_ok()
    {
        return Ok(dot(cx, &parts, rows, along));
    }
    let (height, width) = tile(cx, &parts);
    let name = cx.name(columns);
    let mut strip = Vec::new();
    if !contiguous || is_worth_packing(cx, &parts) {
        strip.push(pack(cx, &parts)?);
    }
    let epilogue = |height: i64| {
        let others = cx.leaves().filter(|&(number, _)| number != parts.number);
        others.map(move |(_, statement)| {
            let mut dims = Vec::new();
            if let Some(rows) = parts.rows.filter(|&rows| statement.has_axis(rows) && height > 1) {
                dims.push(unrolled(&cx.name(rows), height));
            }
            if statement.has_axis(columns) {
                dims.push(vector(&cx.name(columns), width));
            }
            leaf(statement, dims)
        })
    };
    let mut dims = Vec::new();
    if let Some(rows) = parts.rows.filter(|_| height > 1) {
        dims.push(unrolled(&cx.name(rows), height));
    }
    dims.push(vector(&name, width));
    let mut nodes = vec![leaf(statement, dims)];
    for &axis in reduced.iter().rev() {
        nodes = vec![counted(&cx.name(axis), 1, nodes)];
    }
    nodes.extend(epilogue(height));
    if let Some(rows) = parts.rows {
        let rows_name = cx.name(rows);
        nodes = match height {
            1 => vec![counted(&rows_name, 1, nodes)],
            _ => vec![shifted(&rows_name, height, row_tail(&parts), nodes)],
        };
    }
    strip.append(&mut nodes);
    let mut nodes = vec![if parts.batch.is_empty() {
        parallel(&name, width, strip)
    } else {
        counted(&name, width, strip)
    }];
    for (at, &axis) in parts.batch.iter().enumerate().rev() {
        let name = cx.name(axis);
        nodes = vec![if at == 0 { parallel(&name, 1, nodes) } else { counted(&name, 1, nodes) }];
    }
    Ok(Plan { nodes })
}

/// The treatment of the last rows: they are computed again, unless they continue from what is in memory.
fn row_tail(parts: &Parts<'_>) -> Tail {
    match parts.statement.init {
        Source::Argument(_) => Tail::Scalar,
        _ => Tail::Shift,
    }
}

fn parts<'k>(cx: &'k Chooser<'_>) -> Result<Parts<'k>, String> {
    let mut reductions = cx.leaves().filter(|(_, statement)| statement.reduction.is_some());
    let (number, statement) = reductions.next().ok_or("nothing is reduced")?;
    if reductions.next().is_some() {
        return Err("there are several reductions".to_owned());
    }
    if !statement.reorders() {
        return Err(format!("'{}' combines elements in order", statement.name));
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
    let right = with_columns.next().ok_or("no factor has the last axis")?;
    if with_columns.next().is_some() {
        return Err("two factors have the last axis".to_owned());
    }
    let rows = written.iter().rev().copied().find(|&axis| axis != columns && !has(right, axis));
    let reduced: Vec<Axis> =
        cx.unit_free(&statement.axes).into_iter().filter(|&axis| statement.reduces(axis)).collect();
    let shares = factors.iter().any(|&read| read != right && reduced.iter().any(|&axis| has(read, axis)));
    if reduced.is_empty() || !shares {
        return Err("no two factors are reduced together".to_owned());
    }
    let all = cx.unit_free(&statement.axes);
    let batch: Vec<Axis> =
        written.iter().copied().filter(|&axis| axis != columns && Some(axis) != rows).collect();
    for (other, consumer) in cx.leaves().filter(|&(other, _)| other != number) {
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
    Ok(Parts { number, statement, batch, rows, columns, reduced, right })
}

/// The height and width of the register tile: fits the registers and minimizes the time of all tiles.
fn tile(cx: &Chooser<'_>, parts: &Parts<'_>) -> (i64, i64) {
    let lanes = cx.lanes();
    let registers = i64::from(cx.machine.registers);
    let columns = cx.extent(parts.columns);
    let rows = parts.rows.map_or(1, |rows| cx.extent(rows));
    let mut best = (f64::INFINITY, (1, lanes));
    for vectors in 1..=6i64 {
        for height in 1..=16i64.min(rows) {
            let used = height * vectors + vectors + 2;
            if used > registers && (height, vectors) != (1, 1) {
                continue;
            }
            let products = (height * vectors) as f64;
            let loads = (height + vectors) as f64 / cx.machine.loads.max(0.5);
            // Few accumulators wait for each other.
            let chain = f64::from(cx.machine.latency);
            let cycles = (products / cx.machine.fma.max(0.5)).max(loads).max(chain);
            let strips = columns.unsigned_abs().div_ceil((vectors * lanes).unsigned_abs()) as f64;
            let panels = rows.unsigned_abs().div_ceil(height.unsigned_abs()) as f64;
            // Among equals, the tile with fewer loads.
            let time = cycles * strips * panels * (1.0 + 0.5 * loads / products);
            if time < best.0 {
                best = (time, (height, vectors * lanes));
            }
        }
    }
    best.1
}

/// Whether a copy of the factor with the columns pays, although it is contiguous: its rows fall into few sets of the
/// cache, or a strip of it leaves the second level.
fn is_worth_packing(cx: &Chooser<'_>, parts: &Parts<'_>) -> bool {
    let rows = parts.rows.map_or(1, |rows| cx.extent(rows));
    let access = &parts.statement.reads[parts.right];
    let bytes = i64::from(super::bits(cx.body.context(), access.element) / 8);
    let stride = cx.extent(parts.columns) * bytes;
    let depth: i64 = parts.reduced.iter().map(|&axis| cx.extent(axis)).product();
    let aliases = cx.kernel.known_extent(parts.columns).is_some() && stride % 4096 == 0;
    let is_plain = pack(cx, parts).is_ok() && parts.batch.is_empty();
    let strip = depth.saturating_mul(64 * bytes);
    is_plain && rows >= MANY_ROWS && (aliases || strip > cx.machine.cache_bytes(2) as i64)
}

/// The copy of the factor with the columns, in the order of the computation.
fn pack(cx: &Chooser<'_>, parts: &Parts<'_>) -> Result<Node, String> {
    let access = &parts.statement.reads[parts.right];
    if !matches!(access.source, Source::Argument(_)) {
        return Err("a factor that is computed is not contiguous".to_owned());
    }
    let axes: Option<Vec<Axis>> =
        access.map.results.iter().map(|expr| parts.statement.axis_of(expr)).collect();
    let mut axes = axes.ok_or("a factor is read at computed indices")?;
    axes.retain(|&axis| axis != parts.columns);
    axes.push(parts.columns);
    let axes = axes.into_iter().map(|axis| cx.name(axis)).collect();
    Ok(Node::Pack(Pack { statement: parts.statement.name.clone(), operand: parts.right, axes }))
}

/// Lanes along the reduction axis: a tile of sums, each of a vector of partial sums.
fn dot(cx: &Chooser<'_>, parts: &Parts<'_>, rows: Axis, along: Axis) -> Plan {
    let lanes = cx.lanes();
    let (height, width) = (4.min(cx.extent(rows)), 6.min(cx.extent(parts.columns)));
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
    let tail = row_tail(parts);
    nodes = vec![if height > 1 {
        shifted(&rows_name, height, tail, nodes)
    } else {
        counted(&rows_name, 1, nodes)
    }];
    let mut nodes = vec![if width > 1 {
        shifted(&columns_name, width, tail, nodes)
    } else {
        counted(&columns_name, 1, nodes)
    }];
    for &axis in parts.batch.iter().rev() {
        nodes = vec![counted(&cx.name(axis), 1, nodes)];
    }
    Plan { nodes }
}
