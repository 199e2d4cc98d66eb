//! Paddings before the windows of a contraction: where they are computed, if at all.

use super::contraction::Parts;
use super::copies::element_bytes;
use super::tile::Shape;
use super::{Chooser, leaf, loop_over, vector};
use crate::kernel::{Access, Axis, Kernel, Source, Statement};
use crate::plan::Node;

/// The place where the paddings of a contraction are computed.
pub(super) enum Paddings {
    /// Before the statement that reads it, or inside of loops that they share.
    Before,
    /// For each strip of columns, inside of loops over these axes.
    InStrips(Vec<Axis>),
    /// Not materialized: each read selects between the data and the padding value.
    Through,
}

/// The number of reads per element from which on a copy of the data pays.
const MIN_READS_OF_COPY: i64 = 4;

/// The minimum fraction of tiles inside of the padded tensor for which the data is read without a copy on a processor without
/// masks. Measured with the depthwise convolutions of MobileNet on a processor with AVX2.
const MIN_INTERIOR: f64 = 0.65;

/// Upper bound on the number of tiles along an axis that are examined; with more, the edges do not matter.
const MAX_EXAMINED_TILES: i64 = 1 << 10;

impl Paddings {
    /// Windows of one channel each, with lanes along the channels, read the data without a copy, unless that fits the L1 cache
    /// and is read often, or many tiles cross an edge. A strip of channels then contains its paddings, if each core has a strip.
    pub(super) fn of(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape) -> Paddings {
        let paddings = || parts.paddings.iter().map(|&number| &cx.kernel.statements[number]);
        let is_shared = |&axis: &Axis| paddings().all(|padding| padding.has_axis(axis));
        if parts.paddings.is_empty() || shape.groups > 1 || !is_shared(&parts.columns) {
            return Paddings::Before;
        }
        let size = |statement: &Statement| -> Option<i64> {
            let axes = statement.axes.iter().filter(|&&axis| axis != parts.columns);
            axes.copied().try_fold(1i64, |all, axis| all.checked_mul(cx.kernel.known_extent(axis)?))
        };
        let padded = paddings().map(size).try_fold(1i64, |most, size| Some(most.max(size?)));
        let reads = size(parts.statement);
        let is_once =
            padded.zip(reads).is_some_and(|(padded, reads)| reads < padded.saturating_mul(MIN_READS_OF_COPY));
        let is_far = padded.is_some_and(|padded| {
            padded.saturating_mul(shape.width * element_bytes(cx, parts)) > cx.machine.cache_bytes(1) as i64
        });
        let reads = parts.statement.reads.iter().enumerate().filter(|(_, access)| {
            parts.paddings.iter().any(|&number| access.source == Source::Statement(number))
        });
        let can_read = |access: Option<Access>| {
            access.is_some_and(|access| {
                cx.machine.masks
                    || interior(cx, parts, shape, &access).is_some_and(|part| part >= MIN_INTERIOR)
            })
        };
        if (is_once || is_far)
            && reads.into_iter().all(|(read, _)| can_read(cx.kernel.through_padding(parts.number, read)))
        {
            return Paddings::Through;
        }
        let around: Vec<Axis> = parts.batch.iter().copied().take_while(is_shared).collect();
        let strips = cx.kernel.known_extent(parts.columns).map_or(0, |extent| extent / shape.width);
        match strips >= i64::from(cx.machine.cores.max(1)) || !around.is_empty() {
            true => Paddings::InStrips(around),
            false => Paddings::Before,
        }
    }
}

/// The fraction of the tiles whose windows are inside of the padded tensor, which `access` reads; `None` if it is unknown.
fn interior(cx: &Chooser<'_>, parts: &Parts<'_>, shape: Shape, access: &Access) -> Option<f64> {
    let statement = parts.statement;
    let Source::Argument(argument) = access.source else { return None };
    let sizes = cx.body.ty(cx.kernel.args[argument]).shape(cx.body.context())?;
    let mut part = 1.0;
    for (dim, expr) in access.edges() {
        // The indices of the window of the first result.
        let first = expr.evaluate(&vec![0; statement.axes.len()], &[])?;
        let mut last = first;
        let mut along = None;
        let mut axes = Vec::new();
        statement.axes_in(expr, &mut axes);
        for axis in axes {
            let stride = statement.stride(expr, axis).filter(|&stride| stride > 0)?;
            if statement.reduces(axis) {
                last = last.checked_add(stride.checked_mul(cx.kernel.known_extent(axis)? - 1)?)?;
            } else if along.replace((axis, stride)).is_some() {
                return None;
            }
        }
        let (axis, stride) = along?;
        let count = cx.kernel.known_extent(axis).filter(|&count| count > 0)?;
        let height = if parts.rows == Some(axis) { shape.height.min(count) } else { 1 };
        let index = |first: i64, at: i64| i128::from(first) + i128::from(stride) * i128::from(at);
        let is_inside =
            |at: i64| index(first, at) >= 0 && index(last, at + height - 1) < i128::from(sizes[dim]);
        let tiles = (count as u64).div_ceil(height as u64) as i64;
        let outside =
            (0..tiles.min(MAX_EXAMINED_TILES)).filter(|tile| !is_inside((tile * height).min(count - height)));
        part *= 1.0 - outside.count() as f64 / tiles.min(MAX_EXAMINED_TILES) as f64;
    }
    Some(part)
}

/// The number of outermost loops that the paddings are inside of: those over channels that a window does not reduce, as those of
/// poolings and depthwise convolutions. An image is then computed while its padded copy is in a near cache.
pub(super) fn shared_with_paddings(
    cx: &Chooser<'_>,
    parts: &Parts<'_>,
    outside: &[Axis],
    grouped: Option<Axis>,
) -> usize {
    let has_axis = |&number: &usize, axis: Axis| cx.kernel.statements[number].has_axis(axis);
    let is_shared =
        |&&axis: &&Axis| Some(axis) != grouped && parts.paddings.iter().all(|number| has_axis(number, axis));
    outside.iter().take_while(is_shared).count()
}

/// The loops of a padding inside of those over the axes `around`, and over a strip of columns.
pub(super) fn padding(cx: &Chooser<'_>, number: usize, around: &[Axis], strip: Option<(Axis, i64)>) -> Node {
    let statement = &cx.kernel.statements[number];
    let mut axes = cx.unit_free(&statement.axes);
    axes.retain(|&axis| !around.contains(&axis) && strip.is_none_or(|(columns, _)| axis != columns));
    let last = axes.last().copied().filter(|&axis| cx.check_lanes(number, axis).is_ok());
    let lanes = strip.or(last.map(|axis| (axis, 4 * cx.lanes())));
    let dims = lanes.map(|(axis, wide)| vector(&cx.name(axis), wide));
    let mut node = leaf(statement, dims.into_iter().collect());
    for (at, &axis) in axes.iter().enumerate().rev() {
        let step = lanes.filter(|&(other, _)| other == axis).map_or(1, |(_, wide)| wide);
        let name = cx.name(axis);
        let is_outermost = at == 0 && around.is_empty() && strip.is_none();
        node = loop_over(is_outermost, &name, step, vec![node]);
    }
    node
}

/// Whether a statement is a padding that only a reduction reads.
pub(super) fn is_padding(kernel: &Kernel, number: usize, reduction: usize) -> bool {
    let statement = &kernel.statements[number];
    statement.pads()
        && statement.reduction.is_none()
        && kernel.output_of(number).is_none()
        && kernel.readers(number).all(|(reader, _)| reader == reduction)
}
