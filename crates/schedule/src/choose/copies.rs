//! Cache blocking of a contraction: copies of the factor that has the columns, and loops around the register tile.

use super::contraction::Parts;
use super::tile::{Shape, cycles};
use super::{Chooser, bits};
use crate::kernel::{Axis, Source};
use crate::plan::{Node, Pack, Prefetch};

/// With at least this many rows, a copy of a strip of columns pays for itself even if its rows are short.
const MANY_ROWS: i64 = 256;

/// The number of bytes that the L1 dTLB maps.
const L1_TLB_BYTES: i64 = 64 * 4096;

/// The additional cycles per row of a strip for each tile that reads it, if the factor spans more pages than the L1 dTLB maps.
/// Measured with products of matrices on processors with AVX2 and AVX-512.
const TLB_MISS_CYCLES: f64 = 1.5;

/// The cycles per copied cache line.
const COPY_CYCLES_PER_LINE: f64 = 5.0;

/// Whether a copy of the factor with the columns pays, although it is contiguous: a strip of it spans many pages, or exceeds
/// the L2 cache, and there are enough tiles that read it.
pub(super) fn is_worth_packing(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape) -> bool {
    let Some(rows) = parts.rows.filter(|_| pack(cx, parts).is_ok()) else { return false };
    if is_constant(cx, parts) {
        return true;
    }
    if !parts.batch.is_empty() {
        return false;
    }
    let (depth, bytes) = (depth(cx, parts), element_bytes(cx, parts));
    let span = depth.saturating_mul(cx.extent(parts.columns) * bytes);
    let strip = depth.saturating_mul(shape.width * bytes);
    if span <= L1_TLB_BYTES && strip <= cx.machine.cache_bytes(2) as i64 {
        return false;
    }
    let line = cx.machine.caches.first().map_or(64, |cache| cache.line.max(1) as i64);
    let lines = (shape.width * bytes + line - 1) / line;
    let tiles = (cx.extent(rows) as f64 / shape.height as f64).ceil();
    tiles * TLB_MISS_CYCLES > lines as f64 * COPY_CYCLES_PER_LINE
}

/// Whether the factor with the columns is a constant, which is packed at compile time.
pub(super) fn is_constant(cx: &Chooser<'_>, parts: &Parts<'_>) -> bool {
    matches!(parts.statement.reads[parts.right].source, Source::Argument(argument) if (cx.is_constant)(argument))
}

/// The size of an element of the factor with the columns.
pub(super) fn element_bytes(cx: &Chooser<'_>, parts: &Parts<'_>) -> i64 {
    let element = parts.statement.reads[parts.right].element;
    i64::from(bits(cx.body.context(), element) / 8)
}

/// The number of products of an element of the result.
pub(super) fn depth(cx: &Chooser<'_>, parts: &Parts<'_>) -> i64 {
    parts.reduced.iter().fold(1, |depth, &axis| depth.saturating_mul(cx.extent(axis)))
}

/// A part of the factor with the columns that stays in the L2 cache for all rows: `depth` indices of the reduction axis
/// of `columns` columns. Partial results are in memory between the parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    pub(super) along: Axis,
    pub(super) depth: i64,
    pub(super) columns: i64,
    /// The number of rows of a register tile; the rest of the rows are computed one by one.
    pub(super) height: i64,
}

/// The bytes of a row of a strip below which a copy of the strip is dominated by TLB misses.
const SHORT_ROW_BYTES: i64 = 256;

/// With at least this many rows, such a copy pays for itself if the L2 TLB maps the whole factor.
const SOME_ROWS: i64 = 64;

/// The number of bytes that the L2 TLB maps.
const L2_TLB_BYTES: i64 = 1024 * 4096;

/// The indices of the reduction axis of a panel.
const PANEL: i64 = 256;

/// The panel of a product of matrices, if it saves time: a strip of columns of all rows would exceed the L2 cache, or is copied
/// for few rows, so that its short rows are read from many pages. `None` also if the results of a panel leave that level.
pub(super) fn panel(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape, is_copied: bool) -> Option<Panel> {
    let &[along] = &parts.reduced[..] else { return None };
    let known = |axis: Axis| cx.kernel.known_extent(axis);
    let (rows, columns, depth) = (known(parts.rows?)?, known(parts.columns)?, known(along)?);
    let is_plain = parts.batch.is_empty() && parts.paddings.is_empty() && shape.groups == 1;
    let bytes = element_bytes(cx, parts).max(1);
    let part = cx.machine.cache_bytes(2) as i64 / 4;
    let strip = depth.saturating_mul(shape.width * bytes);
    let span = depth.saturating_mul(columns.saturating_mul(bytes));
    let enough = if span < L2_TLB_BYTES { SOME_ROWS } else { MANY_ROWS };
    let is_short = is_copied && rows < enough && shape.width * bytes < SHORT_ROW_BYTES;
    if !is_plain || depth <= PANEL || !(strip > part || is_short) {
        return None;
    }
    let fits = part / (PANEL * bytes) / shape.width;
    // Each core has a panel.
    let shared = columns / i64::from(cx.machine.cores.max(1)) / shape.width;
    let wide = fits.min(shared).max(1) * shape.width;
    if wide == shape.width || rows.saturating_mul(wide * bytes) > part {
        return None;
    }
    let height = height_of_tiles(cx, rows, shape.width)?;
    (height > 1).then_some(Panel { along, depth: PANEL, columns: wide, height })
}

/// The height of register tiles with the least estimated time if the remaining rows are computed one at a time.
fn height_of_tiles(cx: &Chooser<'_>, rows: i64, width: i64) -> Option<i64> {
    let vectors = (width / cx.lanes()).max(1);
    let time = |height: i64| {
        let of_tile = |height: i64| cycles(cx, height, vectors, (height + vectors) as f64);
        (rows / height) as f64 * of_tile(height) + (rows % height) as f64 * of_tile(1)
    };
    let registers = i64::from(cx.machine.registers);
    let heights = (1..=rows.min(16)).filter(|height| height * vectors + vectors + 2 <= registers);
    heights.min_by(|&a, &b| time(a).total_cmp(&time(b)))
}

/// The number of rows of the factor with the columns that are read side by side. The L1 cache has at least this many ways, and
/// the hardware prefetcher follows this many streams.
const STREAMS: i64 = 8;

/// The bytes of each row of the factor that are read before the next rows: a page.
const STREAM: i64 = 4096;

/// The most rows of a product that is computed by streams. With more, copied strips are as fast.
const MOST_STREAMED: i64 = 8;

/// The streams of the product of a vector, or of few rows, with a matrix that exceeds the L1 cache and is read once.
/// A strip of its columns would touch a page for each index of the reduction axis, and if the stride of its rows is a large
/// power of two, a single set of the cache.
pub(super) fn streams(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape) -> Option<Panel> {
    let &[along] = &parts.reduced[..] else { return None };
    let known = |axis: Axis| cx.kernel.known_extent(axis);
    let rows = parts.rows.map_or(Some(1), known)?;
    let (columns, depth) = (known(parts.columns)?, known(along)?);
    let is_plain = parts.batch.is_empty() && parts.paddings.is_empty() && shape.groups == 1;
    let is_packed = parts.rows.is_some() && is_constant(cx, parts);
    if !is_plain || is_packed || rows > MOST_STREAMED || columns <= shape.width || depth <= STREAMS {
        return None;
    }
    let bytes = element_bytes(cx, parts).max(1);
    if depth.saturating_mul(columns * bytes) <= cx.machine.cache_bytes(1) as i64 {
        return None;
    }
    let up = |of: i64, by: i64| of.unsigned_abs().div_ceil(by.unsigned_abs()) as i64;
    let shared = up(up(columns, i64::from(cx.machine.cores.max(1))), shape.width);
    let wide = (STREAM / bytes / shape.width).min(shared).max(1) * shape.width;
    let height = height_of_tiles(cx, rows, shape.width)?;
    Some(Panel { along, depth: STREAMS, columns: wide, height })
}

/// The number of rows of a window whose part of the other factor is kept in the L2 cache for all columns, a multiple
/// of `height`. `None` if all rows fit there, or the factor with the columns does not and would be read again for each block.
pub(super) fn rows_of_block(cx: &Chooser<'_>, parts: &Parts<'_>, height: i64) -> Option<i64> {
    let rows = parts.rows?;
    // MobileNet's products without windows take 2 % longer in blocks.
    if cx.window_axes(parts.statement, parts.right).is_empty() {
        return None;
    }
    let cache = cx.machine.cache_bytes(2) as i64 / 2;
    let size = |read: usize| {
        let access = &parts.statement.reads[read];
        let extents: Vec<i64> = match access.source {
            Source::Argument(argument) => {
                let ty = cx.body.ty(cx.kernel.args[argument]);
                ty.shape(cx.body.context())?.to_vec()
            }
            Source::Statement(producer) => {
                let axes = cx.kernel.statements[producer].written_axes();
                axes.into_iter()
                    .map(|axis| axis.map_or(Some(1), |axis| cx.kernel.known_extent(axis)))
                    .collect::<Option<_>>()?
            }
            _ => return None,
        };
        let bytes = i64::from(bits(cx.body.context(), access.element) / 8);
        let is_known = extents.iter().all(|&extent| extent >= 0);
        is_known.then(|| extents.iter().fold(bytes, |size, &extent| size.saturating_mul(extent)))
    };
    let reads = 0..parts.statement.reads.len();
    let accumulator = parts.statement.reduction.map(|reduction| reduction.accumulator);
    let mut others = reads
        .filter(|&read| read != parts.right && Some(read) != accumulator)
        .filter(|&read| parts.statement.axes_of_read(read).contains(&rows));
    let (other, None) = (others.next()?, others.next()) else { return None };
    let whole = size(other)?;
    if whole <= cache || size(parts.right)? > cache {
        return None;
    }
    let extent = cx.kernel.known_extent(rows)?;
    let mut block = cache / (whole / extent.max(1)).max(1) / height * height;
    if block <= height {
        // Only an inner loop shifts its last step.
        block = if extent % height == 0 { height } else { 2 * height };
    }
    Some(block).filter(|&block| block < extent)
}

/// The number of blocks of rows for each core: with several, cores that finish early wait less for the last one.
const BLOCKS_PER_CORE: i64 = 4;

/// The minimum number of tiles of a block.
const MIN_TILES_PER_BLOCK: i64 = 8;

/// The number of rows of a block, a multiple of the height of a tile, if no other loop has an iteration for each core: the
/// blocks are computed in parallel.
pub(super) fn rows_of_thread(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape) -> Option<i64> {
    let known = |axis: Axis| cx.kernel.known_extent(axis);
    let (rows, columns) = (known(parts.rows?)?, known(parts.columns)?);
    let cores = i64::from(cx.machine.cores);
    if !parts.batch.is_empty() || !parts.paddings.is_empty() || columns > shape.width * (cores - 1) {
        return None;
    }
    let tiles = rows / shape.height / (BLOCKS_PER_CORE * cores).max(1);
    if tiles < MIN_TILES_PER_BLOCK {
        return None;
    }
    // The last step of the inner loop moves back within its block.
    let is_whole = |block: &i64| rows % block == 0 || rows % block >= shape.height;
    (tiles..2 * tiles).map(|tiles| tiles * shape.height).find(is_whole)
}

/// A prefetch of the next strip of columns during the computation of one, if all strips leave a part of the L2 cache to
/// others, but two of them fit, and each is read several times: those are the weights of a network.
pub(super) fn prefetch(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape, inside: &[Axis]) -> Option<Node> {
    let known = |axis: Axis| cx.kernel.known_extent(axis);
    let access = &parts.statement.reads[parts.right];
    let own = parts.statement.axes_of_read(parts.right);
    let &along = parts.reduced.last().filter(|axis| own.contains(axis))?;
    if !matches!(access.source, Source::Argument(_)) || shape.groups > 1 || access.outside.is_some() {
        return None;
    }
    let mut depth: i64 = 1;
    for &axis in &parts.reduced {
        depth = depth.checked_mul(if own.contains(&axis) { known(axis)? } else { return None })?;
    }
    let strip = depth.checked_mul(shape.width * element_bytes(cx, parts))?;
    let strips = known(parts.columns)? / shape.width;
    let cache = cx.machine.cache_bytes(2) as i64;
    let is_far = strips >= 2 && strip.saturating_mul(strips) > cache / 4 && 2 * strip <= cache;
    let mut passes = inside.iter().try_fold(1i64, |all, &axis| all.checked_mul(known(axis)?))?;
    let rows = parts.rows.map_or(Some(1), known)?;
    passes = passes.saturating_mul(rows.unsigned_abs().div_ceil(shape.height.unsigned_abs()) as i64);
    // Loops around the strips read all of them again.
    let lacks = |axis: &Axis| !own.contains(axis);
    let is_used = inside.iter().chain(&parts.rows).all(lacks)
        && !parts.batch.iter().any(|axis| lacks(axis) && !inside.contains(axis));
    (is_far && is_used && passes >= 2 && passes <= known(along)?)
        .then(|| Node::Prefetch(Prefetch { statement: parts.statement.name.clone(), operand: parts.right }))
}

/// Fewer strips than this leave threads without work.
const MIN_STRIPS: i64 = 4;

/// The batch axes whose loops are inside of a strip of columns: those that the factor with the columns lacks, if it exceeds the
/// L2 cache, or if the strip is a copy. It is then read from the cache, or copied once, for all their indices.
pub(super) fn inside_strips(cx: &Chooser<'_>, parts: &Parts<'_>, width: i64, is_copied: bool) -> Vec<Axis> {
    let own = parts.statement.axes_of_read(parts.right);
    let lacks = |axis: &&Axis| !own.contains(axis);
    if is_copied && pack(cx, parts).is_ok() {
        return parts.batch.iter().filter(lacks).copied().collect();
    }
    let (inside, outside): (Vec<Axis>, Vec<Axis>) = parts.batch.iter().partition(lacks);
    let repeated = own.iter().filter(|axis| !outside.contains(axis));
    let size = repeated.fold(element_bytes(cx, parts), |size, &axis| size.saturating_mul(cx.extent(axis)));
    let strips = cx.extent(parts.columns) / width;
    if size <= cx.machine.cache_bytes(2) as i64 / 2 || strips < MIN_STRIPS {
        return Vec::new();
    }
    inside
}

/// The copy of the factor with the columns, in the order of the computation.
pub(super) fn pack(cx: &Chooser<'_>, parts: &Parts<'_>) -> Result<Node, String> {
    let access = &parts.statement.reads[parts.right];
    if !matches!(access.source, Source::Argument(_)) {
        return Err("a factor that is computed is not contiguous".to_owned());
    }
    let mut axes =
        parts.statement.distinct_axes_of_read(parts.right).ok_or("a factor is read at computed indices")?;
    // In the order of the loops, so that each step of a reduction reads where the previous one ended.
    let depth = |axis: Axis| parts.reduced.iter().position(|&other| other == axis);
    axes.sort_by_key(|&axis| (axis == parts.columns, depth(axis)));
    let axes = axes.into_iter().map(|axis| cx.name(axis)).collect();
    Ok(Node::Pack(Pack { statement: parts.statement.name.clone(), operand: parts.right, axes }))
}
