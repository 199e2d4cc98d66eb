//! The register tile of a contraction.

use super::contraction::Parts;
use super::copies::element_bytes;
use super::{Best, Chooser};
use crate::kernel::{Axis, Statement};
use minoan_services::CacheLevel;
use std::fmt;

/// A register tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The number of rows.
    pub(super) height: i64,
    /// The number of groups of lanes.
    pub(super) groups: i64,
    /// The number of lanes of a group.
    pub(super) width: i64,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Shape { height, groups: 1, width } => write!(f, "{height} x {width} lanes"),
            Shape { height, groups, width } => write!(f, "{height} x {groups} groups of {width} lanes"),
        }
    }
}

/// Relative time of windows if tiles are narrower than a pair of cache lines; applied twice if they are narrower than a line.
/// Measured with depthwise convolutions on processors with AVX-512 and with AVX2.
const PARTIAL_LINE_FACTOR: f64 = 1.25;

/// The register tile that fits the registers and minimizes the time of all tiles.
pub(super) fn tile(cx: &Chooser<'_>, parts: &Parts<'_>, stride: i64) -> Shape {
    tiles(cx, parts, stride).choose(cx)
}

/// The two best register tiles, by the cycles of an index of the reduction for all rows, columns and groups.
pub(super) fn tiles(cx: &Chooser<'_>, parts: &Parts<'_>, stride: i64) -> Best<Shape> {
    let lanes = cx.lanes();
    let registers = i64::from(cx.machine.registers);
    let columns = cx.extent(parts.columns);
    let rows = parts.rows.map_or(1, |rows| cx.extent(rows));
    let outer = parts.groups.map_or(1, |axis| cx.extent(axis));
    let up = |of: i64, by: i64| of.unsigned_abs().div_ceil(by.unsigned_abs()) as f64;
    let own = parts.statement.axes_of_read(parts.right);
    let has_rows = parts.rows.is_some_and(|rows| own.contains(&rows));
    let bytes = element_bytes(cx, parts);
    let line = cx.machine.caches.first().map_or(64, |cache| cache.line.max(1) as i64);
    // The bytes per column of the factor that each tile of a strip of columns reads again. If there are too many, a product of
    // matrices is computed by panels.
    let along = parts.reduced.iter().filter(|axis| own.contains(axis)).map(|&axis| cx.extent(axis));
    let is_read_again = parts.reduced.len() > 1 && !has_rows;
    let strip = if is_read_again { along.fold(bytes, i64::saturating_mul) } else { 0 };
    let mut best = Best::new(Shape { height: 1, groups: 1, width: lanes });
    for (groups, width) in widths(cx, parts, lanes) {
        let vectors = (groups * width + lanes - 1) / lanes;
        for height in 1..=16i64.min(rows) {
            let used = height * vectors + vectors + 2;
            if used > registers && (height, vectors) != (1, 1) {
                continue;
            }
            let parts_loaded = groups as f64 * up(width, lanes) * stride as f64;
            // Vectors that are loaded in parts have to be joined.
            let moves = if groups > 1 || stride > 1 { 0.25 * parts_loaded } else { 0.0 };
            let strips = up(columns, width) * up(outer, groups);
            // The rows of a window share no vectors.
            let loads = match has_rows {
                true => height as f64 * parts_loaded + vectors as f64,
                false => height as f64 + parts_loaded,
            };
            let cycles =
                cycles(cx, height, vectors, loads).max(fetch(cx, vectors, strip * groups * width)) + moves;
            // Caches fetch pairs of lines.
            let is_less = |than: i64| has_rows && columns > width && width * bytes < than;
            let halves = i32::from(is_less(2 * line)) + i32::from(is_less(line));
            let time = cycles * strips * up(rows, height) * PARTIAL_LINE_FACTOR.powi(halves);
            best.add(time, Shape { height, groups, width });
        }
    }
    best
}

/// The cycles that it takes to load `vectors` vectors from the first cache level that holds a strip of `strip` bytes. A quarter
/// of a level is left to other data.
pub(super) fn fetch(cx: &Chooser<'_>, vectors: i64, strip: i64) -> f64 {
    let has_room = |cache: &&CacheLevel| cache.bytes / 4 * 3 >= strip.unsigned_abs();
    let caches = &cx.machine.caches;
    let cache = caches.iter().find(has_room).or(caches.last());
    let bytes = vectors * i64::from(cx.machine.vector_bytes);
    cache.map_or(0.0, |cache| bytes as f64 / cache.per_cycle.max(1.0))
}

/// The cycles of a step of the innermost reduction loop, with this number of loads of scalars and vectors. Among otherwise equal
/// tiles, the estimate is less for the one with fewer loads.
pub(super) fn cycles(cx: &Chooser<'_>, height: i64, vectors: i64, loads: f64) -> f64 {
    let products = (height * vectors) as f64;
    let loads = loads / cx.machine.loads.max(0.5);
    // With few accumulators, additions wait for the results of earlier ones.
    let chain = f64::from(cx.machine.latency);
    (products / cx.machine.fma.max(0.5)).max(loads).max(chain) * (1.0 + 0.5 * loads / products)
}

/// The most rows or columns of a tile of sums.
pub(super) const MOST_UNROLLED: i64 = 8;

/// Whether a tile of sums with lanes along the reduction axis fits into the registers: the accumulators, a vector of each
/// column, and a vector of the current row, plus a temporary for the product without a fused multiply-add.
pub(super) fn sums_fit(cx: &Chooser<'_>, statement: &Statement, rows: i64, columns: i64) -> bool {
    let is_fused = cx.machine.has_fma && !statement.sums_narrow_integers(cx.body.context());
    let vectors = rows * columns + columns + 1 + i64::from(!is_fused);
    vectors <= i64::from(cx.machine.registers)
}

/// The tile of sums with the least estimated time for a number of rows and columns. The last tile along an axis overlaps the
/// one before it if the extent is not a multiple of its size.
pub(super) fn tile_of_sums(cx: &Chooser<'_>, statement: &Statement, rows: i64, columns: i64) -> (i64, i64) {
    let sizes = |extent: i64| 1..=extent.clamp(1, MOST_UNROLLED);
    let tiles = |extent: i64, size: i64| (extent.max(1) as u64).div_ceil(size as u64) as f64;
    let time = |&(height, width): &(i64, i64)| {
        let step = cycles(cx, height, width, (height + width) as f64);
        step * tiles(rows, height) * tiles(columns, width)
    };
    let all = sizes(rows).flat_map(|height| sizes(columns).map(move |width| (height, width)));
    let fitting = all.filter(|&(height, width)| sums_fit(cx, statement, height, width));
    fitting.min_by(|a, b| time(a).total_cmp(&time(b))).unwrap_or((1, 1))
}

/// The bytes of the smallest vectors.
const SMALLEST_VECTOR: i64 = 16;

/// The lanes that tiles may have: whole vectors along the columns, a part of one if there are fewer columns, or groups along
/// another axis if no lane is empty.
///
/// Their number is a power of two. LLVM widens other vectors to one, and moves the elements of loop-carried ones singly between
/// the two types: a product of matrices by tiles of 96 lanes takes 15 times as long as by tiles of 64.
pub(super) fn widths(cx: &Chooser<'_>, parts: &Parts<'_>, lanes: i64) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = [1, 2, 4].map(|vectors| (1, vectors * lanes)).to_vec();
    // The blocks of a packed factor may have fewer lanes.
    let access = &parts.statement.reads[parts.right];
    let stride = |width: i64| cx.stride_of_lanes(parts.statement, &access.map.results, parts.columns, width);
    all.retain(|&(_, width)| stride(width) == stride(lanes));
    let known = |axis: Axis| cx.kernel.known_extent(axis).filter(|&extent| extent > 0);
    // With no more lanes than columns, no half of a vector is empty. Processors with narrower units spend time on empty halves,
    // too.
    if let Some(columns) = known(parts.columns).filter(|_| stride(lanes) == Some(1)) {
        let narrow = columns.unsigned_abs().next_power_of_two() as i64;
        let narrow = narrow.max(SMALLEST_VECTOR / element_bytes(cx, parts).max(1));
        if narrow < lanes {
            all.insert(0, (1, narrow));
        }
    }
    if let (Some(columns), Some(outer)) = (known(parts.columns), parts.groups.and_then(known)) {
        let mut width = 4;
        while width <= 4 * lanes && columns % width == 0 {
            let fits = |&groups: &i64| {
                outer % groups == 0 && groups * width % lanes == 0 && groups * width <= 4 * lanes
            };
            all.extend([2, 4, 8].into_iter().filter(fits).map(|groups| (groups, width)));
            width *= 2;
        }
    }
    all
}
