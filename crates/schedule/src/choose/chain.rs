//! Chains: a contraction whose factor is computed by rows, such as attention.
//!
//! ```text
//! par i {
//!   pack sum.1[i, l, k]
//!   for j/6 tail(shift) {
//!     for k/64 { for l { sum[j:6u, k:64v] } }
//!     for j { for k/64 { max[k:64v] } for k/64 { exp[k:64v] sum_1[k:64v] } for k/64 { divf[k:64v] } }
//!     for m/64 { for k { sum_2[j:6u, m:64v] } }
//!   }
//! }
//! ```
//!
//! A few rows at a time are computed completely, possibly by another contraction, and then contracted, so that they stay in the
//! L1 cache. The other factors of the contractions are read again for each group of rows, so they must fit the L2 cache.

use super::{Chooser, counted, is_contraction, leaf, nest, nest_parallel, rows, shifted, unrolled, vector};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::{Node, Pack, Plan, Tail, TileDim};

/// A contraction of a chain.
struct Link<'k> {
    number: usize,
    statement: &'k Statement,
    /// The axis of the lanes.
    columns: Axis,
    reduced: Vec<Axis>,
    /// The read that has the columns.
    right: usize,
}

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let links: Vec<(usize, &Statement)> =
        cx.leaves().filter(|(_, statement)| is_contraction(statement)).collect();
    let outer = rows::outer_axes(cx);
    let (first, last) = match links[..] {
        [last] => (None, last),
        [first, last] => (Some(first), last),
        _ => return Err("there is no contraction, or there are more than two".to_owned()),
    };
    let last = link(cx, last, &outer)?;
    let first = first.map(|first| link(cx, first, &outer)).transpose()?;
    let &[inner] = &last.reduced[..] else {
        return Err("the last contraction reduces several axes".to_owned());
    };
    if first.as_ref().is_some_and(|first| first.columns != inner) {
        return Err("the first contraction does not compute the rows".to_owned());
    }
    let from = first.as_ref().map_or(0, |first| first.number + 1);
    let is_between = |number: usize| (from..last.number).contains(&number);
    check_rows(cx, &outer, from, (&last, inner))?;
    let all: Vec<&Link<'_>> = first.iter().chain([&last]).collect();
    // The factors that are not computed are the same for all rows of a group.
    let has_factor =
        |axis: Axis| all.iter().any(|link| link.statement.axes_of_read(link.right).contains(&axis));
    let mut of_rows = outer.iter().rev().copied();
    let rows_axis = of_rows.find(|&axis| !has_factor(axis)).ok_or("no two rows share a factor")?;
    let batch = outer.iter().copied().filter(|&axis| axis != rows_axis);
    let batch: Vec<Axis> = batch.collect();
    check_size(cx, &all, is_between)?;
    let (height, width) = tile(cx, &all, rows_axis);

    let rows_name = cx.name(rows_axis);
    let contraction = |link: &Link<'_>, consumers: &dyn Fn(usize) -> bool| {
        let columns = cx.name(link.columns);
        let mut dims = vec![vector(&columns, width)];
        if height > 1 {
            dims.insert(0, unrolled(&rows_name, height));
        }
        let mut nodes = nest(cx.kernel, &link.reduced, vec![leaf(link.statement, dims.clone())]);
        for (_, statement) in cx.leaves().filter(|&(number, _)| consumers(number)) {
            let has = |dim: &TileDim| cx.kernel.axis(&dim.axis).is_some_and(|axis| statement.has_axis(axis));
            nodes.push(leaf(statement, dims.iter().filter(|dim| has(dim)).cloned().collect()));
        }
        counted(&columns, width, nodes)
    };
    let mut body = Vec::new();
    if let Some(first) = &first {
        body.push(contraction(first, &|_| false));
    }
    let passes = rows::passes(cx, &outer, Some(inner), is_between);
    if height > 1 {
        body.push(counted(&rows_name, 1, passes));
    } else {
        body.extend(passes);
    }
    body.push(contraction(&last, &|number| number > last.number));
    let mut nodes = Vec::new();
    for link in &all {
        nodes.extend(pack(cx, link)?);
    }
    nodes.push(match height {
        1 => counted(&rows_name, 1, body),
        _ => shifted(&rows_name, height, Tail::Shift, body),
    });
    Ok(Plan { nodes: nest_parallel(cx.kernel, &batch, nodes) })
}

fn link<'k>(
    cx: &'k Chooser<'_>,
    (number, statement): (usize, &'k Statement),
    outer: &[Axis],
) -> Result<Link<'k>, String> {
    let name = &statement.name;
    if !statement.reorders() {
        return Err(format!("'{name}' combines elements in order"));
    }
    cx.check_vector_form(statement)?;
    let axes = cx.unit_free(&statement.axes);
    let mut columns = axes.iter().copied().filter(|&axis| !statement.reduces(axis) && !outer.contains(&axis));
    let (Some(columns), None) = (columns.next(), columns.next()) else {
        return Err(format!("expected '{name}' to have exactly one parallel axis besides the shared axes"));
    };
    let last = statement.write.results.last().and_then(|expr| statement.axis_of(expr));
    if last != Some(columns) {
        return Err(format!("the result of '{name}' is not contiguous"));
    }
    let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
    let mut factors = (0..statement.reads.len())
        .filter(|&read| Some(read) != accumulator && statement.axes_of_read(read).contains(&columns));
    let (Some(right), None) = (factors.next(), factors.next()) else {
        return Err(format!("not one factor of '{name}' has its last axis"));
    };
    if !matches!(statement.reads[right].source, Source::Argument(_))
        || statement.reads[right].outside.is_some()
    {
        return Err(format!("both factors of '{name}' are computed"));
    }
    let reduced = axes.into_iter().filter(|&axis| statement.reduces(axis)).collect();
    Ok(Link { number, statement, columns, reduced, right })
}

/// Checks that the factors that are read for each group of rows fit half of the L2 cache, and the rows a quarter.
fn check_size(
    cx: &Chooser<'_>,
    links: &[&Link<'_>],
    is_between: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let bytes =
        |statement: &Statement| i64::from(super::bits(cx.body.context(), statement.element) / 8).max(1);
    let cache = cx.machine.cache_bytes(2) as i64;
    let mut factors = 0i64;
    for link in links {
        let axes = link.reduced.iter().chain([&link.columns]);
        let extents = axes.map(|&axis| cx.extent(axis)).fold(bytes(link.statement), i64::saturating_mul);
        factors = factors.saturating_add(extents);
    }
    if factors > cache / 2 {
        return Err("the other factors exceed the L2 cache".to_owned());
    }
    let row =
        links.last().map_or(1, |last| last.reduced.iter().map(|&axis| cx.extent(axis)).product::<i64>());
    let count = cx.leaves().filter(|&(number, _)| is_between(number)).count() as i64 + 1;
    let bytes = links.first().map_or(4, |link| bytes(link.statement));
    if row.saturating_mul(count * bytes * MAX_HEIGHT) > cache / 4 {
        return Err("the rows exceed the cache".to_owned());
    }
    Ok(())
}

/// The largest number of rows that are computed together.
const MAX_HEIGHT: i64 = 14;

/// The height and width of the register tiles of all contractions.
fn tile(cx: &Chooser<'_>, links: &[&Link<'_>], rows: Axis) -> (i64, i64) {
    let (lanes, registers) = (cx.lanes(), i64::from(cx.machine.registers));
    let up = |of: i64, by: i64| of.unsigned_abs().div_ceil(by.unsigned_abs()) as f64;
    let mut best = (f64::INFINITY, (1, lanes));
    for vectors in 1..=6i64 {
        for height in 1..=MAX_HEIGHT.min(cx.extent(rows)) {
            if height * vectors + vectors + 2 > registers && (height, vectors) != (1, 1) {
                continue;
            }
            let products = (height * vectors) as f64;
            let loads = (height + vectors) as f64 / cx.machine.loads.max(0.5);
            let chain = f64::from(cx.machine.latency);
            let cycles = (products / cx.machine.fma.max(0.5)).max(loads).max(chain);
            let strip = |link: &&Link<'_>| {
                let depth: i64 = link.reduced.iter().map(|&axis| cx.extent(axis)).product();
                up(cx.extent(link.columns), vectors * lanes) * depth as f64
            };
            let strips: f64 = links.iter().map(strip).sum();
            let time = cycles * strips * up(cx.extent(rows), height) * (1.0 + 0.5 * loads / products);
            if time < best.0 {
                best = (time, (height, vectors * lanes));
            }
        }
    }
    best.1
}

/// Checks that the statements from number `from` on up to the last contraction compute rows along the axis `inner` that are a
/// factor of this contraction, and that the statements after it are pointwise in its result.
fn check_rows(
    cx: &Chooser<'_>,
    outer: &[Axis],
    from: usize,
    (last, inner): (&Link<'_>, Axis),
) -> Result<(), String> {
    let before = cx.leaves().find(|&(number, _)| number < from.saturating_sub(1));
    if let Some((_, statement)) = before {
        return Err(format!("'{}' is computed before the first contraction", statement.name));
    }
    let is_between = |number: usize| (from..last.number).contains(&number);
    let mut reduces = false;
    for (number, statement) in cx.leaves() {
        if is_between(number) {
            reduces |= statement.reduction.is_some();
            cx.check_lanes(number, inner)?;
            let axes = cx.unit_free(&statement.axes);
            if axes.iter().any(|axis| *axis != inner && !outer.contains(axis)) {
                return Err(format!("'{}' is not computed by rows", statement.name));
            }
        } else if number > last.number {
            cx.check_lanes(number, last.columns)?;
            let axes = cx.unit_free(&statement.axes);
            let expected = axes.iter().all(|axis| *axis == last.columns || outer.contains(axis));
            if statement.reduction.is_some() || !expected {
                return Err(format!("'{}' is not pointwise in the result", statement.name));
            }
        }
    }
    if !reduces {
        return Err("no row is reduced".to_owned());
    }
    let left = (0..last.statement.reads.len()).filter(|&read| read != last.right);
    let mut left = left.map(|read| last.statement.reads[read].source);
    if !left.any(|source| matches!(source, Source::Statement(number) if is_between(number))) {
        return Err("the rows are not a factor of the last contraction".to_owned());
    }
    Ok(())
}

/// The copy of a factor that is not contiguous along the columns.
fn pack(cx: &Chooser<'_>, link: &Link<'_>) -> Result<Option<Node>, String> {
    let access = &link.statement.reads[link.right];
    if cx.is_contiguous(link.statement, &access.map.results, link.columns) {
        return Ok(None);
    }
    let mut axes =
        link.statement.distinct_axes_of_read(link.right).ok_or("a factor is read at computed indices")?;
    axes.retain(|&axis| axis != link.columns);
    axes.push(link.columns);
    let axes = axes.into_iter().map(|axis| cx.name(axis)).collect();
    Ok(Some(Node::Pack(Pack { statement: link.statement.name.clone(), operand: link.right, axes })))
}
