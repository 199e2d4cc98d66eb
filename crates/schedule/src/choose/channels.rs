//! Convolutions with lanes along their channels, whose weights are copied so that those of a tile are consecutive:
//!
//! ```text
//! par m { for n { for o/32 { pad[o:32v] } } }
//! par j/16 { pack sum.1[m, p, q, j] for k { for l/6 tail(shift) { for m { for p { for q { sum[l:6u, j:16v] } } } } } }
//! ```
//!
//! The elements of the image are broadcast to all lanes, and the results are stored lane by lane. A
//! [`contraction`](super::contraction) with lanes along the rows of the image, `l`, loads these elements as vectors, which
//! takes more time for a stride other than 1, or if the last vector of a row has many empty lanes.

use super::contraction::{Parts, parts, register_tile, row_tail};
use super::copies::{depth, element_bytes, is_constant, pack};
use super::paddings::padding;
use super::tile::{Shape, cycles, fetch, tiles};
use super::{Best, Chooser, counted, nest, parallel, shifted};
use crate::kernel::Axis;
use crate::plan::{Node, Plan};

/// The number of vectors of a tile along the channels.
const VECTORS: i64 = 2;

/// The fraction of the lanes along the image that are in use from which on these are preferred.
const MIN_LANES_IN_USE: f64 = 0.9;

/// Upper bound on the bytes of a channel of the image: each tile reads all channels, and larger ones are on separate pages.
const MAX_CHANNEL_BYTES: i64 = 16 << 10;

/// The cycles per copied weight.
const COPY_CYCLES_PER_WEIGHT: f64 = 1.5;

/// The weight of the estimate for lanes along the channels relative to that for lanes along the image, which does not model
/// vectors that cross cache lines. Measured with convolutions of 7 x 7 to 56 x 56 on a processor with AVX2.
const UNALIGNED_WEIGHT: f64 = 0.8;

/// The parts of a convolution in their roles.
struct Convolution<'k> {
    /// The contraction whose columns are the channels, and whose rows are the columns of the image.
    turned: Parts<'k>,
    /// The lanes of a tile of columns of the image by channels.
    shape: Shape,
}

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let Convolution { turned, shape } = convolution(cx)?;
    let image = turned.rows.ok_or("there are no rows")?;
    let nodes = register_tile(cx, &turned, shape);
    let name = cx.name(image);
    let row = match shape.height {
        1 => counted(&name, 1, nodes),
        height => shifted(&name, height, row_tail(turned.statement), nodes),
    };
    let mut strip = vec![pack(cx, &turned)?];
    strip.extend(nest(cx.kernel, &turned.batch, vec![row]));
    let paddings = turned.paddings.iter().map(|&number| padding(cx, number, &[], None));
    let mut nodes: Vec<Node> = paddings.collect();
    nodes.push(parallel(&cx.name(turned.columns), shape.width, strip));
    Ok(Plan { nodes })
}

fn convolution<'k>(cx: &'k Chooser<'_>) -> Result<Convolution<'k>, String> {
    let parts = parts(cx)?;
    let statement = parts.statement;
    let channels = parts.rows.ok_or("the result has no channels")?;
    let known = |axis: Axis| cx.kernel.known_extent(axis).ok_or("an extent is unknown");
    let (columns, count) = (known(parts.columns)?, known(channels)?);
    let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
    let has = |read: usize, axis: Axis| statement.axes_of_read(read).contains(&axis);
    let is_factor = |&read: &usize| Some(read) != accumulator && !statement.axes_of_read(read).is_empty();
    let factors: Vec<usize> = (0..statement.reads.len()).filter(is_factor).collect();
    let &[first, second] = &factors[..] else { return Err("there are not two factors".to_owned()) };
    let weights = if first == parts.right { second } else { first };
    let window = cx.window_axes(statement, parts.right);
    let is_dense = parts.reduced.iter().all(|&axis| has(weights, axis))
        && parts.batch.iter().all(|&axis| !has(weights, axis))
        && has(weights, channels)
        && !has(parts.right, channels);
    if window.is_empty() || !is_dense {
        return Err("the weights vary over the image".to_owned());
    }
    cx.check_vector_form(statement)?;
    let bytes = element_bytes(cx, &parts);
    let height = parts.batch.last().map_or(1, |&axis| cx.extent(axis));
    if columns.saturating_mul(height * bytes) > MAX_CHANNEL_BYTES {
        return Err("the channels of the image are on too many pages".to_owned());
    }
    // Each strip of channels reads the image again.
    let second = cx.machine.cache_bytes(2) as i64;
    let inputs = parts.reduced.iter().filter(|axis| !window.contains(axis));
    let read = inputs.chain(&parts.batch).fold(columns, |size, &axis| size.saturating_mul(cx.extent(axis)));
    let strip = depth(cx, &parts).saturating_mul(VECTORS * cx.lanes() * bytes);
    if read.saturating_mul(bytes) > 2 * second || strip > second / 4 {
        return Err("the image or the weights of a strip of channels exceed the L2 cache".to_owned());
    }
    let access = &statement.reads[parts.right];
    let stride = cx.stride_of_lanes(statement, &access.map.results, parts.columns, cx.lanes());
    let along = tiles(cx, &parts, stride.unwrap_or(1));
    let width = along.best().width;
    let is_full = columns as f64
        >= MIN_LANES_IN_USE * (columns + width - 1).div_euclid(width).max(1) as f64 * width as f64;
    if stride == Some(1) && is_full {
        return Err("lanes along the image are full".to_owned());
    }
    let along = along.time();
    let outer = parts.groups.map_or(1, |axis| cx.extent(axis)) as f64;
    let others = parts.batch.iter().map(|&axis| cx.extent(axis) as f64).product::<f64>();
    let turned =
        Parts { rows: Some(parts.columns), columns: channels, right: weights, groups: None, ..parts };
    let best = best_tile(cx, (columns, count), strip).ok_or("the channels do not fill vectors")?;
    let copy = if is_constant(cx, &turned) { 0.0 } else { COPY_CYCLES_PER_WEIGHT * count as f64 / others };
    if UNALIGNED_WEIGHT * (best.time() + copy) >= along / outer {
        return Err("lanes along the image take less time by the model".to_owned());
    }
    Ok(Convolution { turned, shape: best.choose(cx) })
}

/// The best tile of columns of an image by channels; `strip` is the number of bytes of weights that it reads.
fn best_tile(cx: &Chooser<'_>, (columns, channels): (i64, i64), strip: i64) -> Option<Best<Shape>> {
    let registers = i64::from(cx.machine.registers);
    let width = VECTORS * cx.lanes();
    if channels % width != 0 || channels / width < i64::from(cx.machine.cores) {
        return None;
    }
    let up = |of: i64, by: i64| of.unsigned_abs().div_ceil(by.unsigned_abs()) as f64;
    let mut best = Best::new(Shape { height: 1, groups: 1, width });
    let heights = (1..=columns.min(16)).filter(|height| height * VECTORS + VECTORS + 2 <= registers);
    for height in heights {
        let step = cycles(cx, height, VECTORS, (height + VECTORS) as f64) + fetch(cx, VECTORS, strip);
        best.add(step * up(columns, height) * up(channels, width), Shape { height, groups: 1, width });
    }
    Some(best)
}
