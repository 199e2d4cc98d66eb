//! Lowering of layout transformations.

use super::extent::Extent;
use super::site::Tensor;
use super::slice::padded_by;
use super::tensors::{dim, extents, linear, moved, sum};
use super::{Rule, scalar};
use crate::layout::Layout;
use minoan_ir::Builder;
use minoan_ir::affine::{AffineExpr, AffineOp};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "layout_transform" => |site, b| {
            let layout = |name: &str| {
                let text = site.attrs.text(name).unwrap_or_default();
                Layout::parse(text).ok_or_else(|| format!("its layout is {text:?}"))
            };
            Ok(vec![relayout(b, site.arg(0), &layout("src_layout")?, &layout("dst_layout")?)])
        },
        _ => return None,
    })
}

/// Rearranges the elements of a tensor from one layout to another one with the same axes. An axis that is split in the
/// result but is not a multiple of its inner part is padded with zeros.
pub(super) fn relayout(b: &mut Builder<'_>, data: &Tensor, from: &Layout, to: &Layout) -> Tensor {
    if from == to {
        return data.clone();
    }
    let old = extents(b, data);
    // The extents of whole axes; those that are split in the result are multiples of its inner part.
    let mut whole: Vec<(char, Extent)> = Vec::new();
    let mut widths = vec![Extent::Known(0); data.rank()];
    for (axis, (letter, inner)) in from.axes().enumerate() {
        if let Some(inner) = inner {
            old[axis].expect(b, Extent::Known(inner), || {
                format!("axis {axis} has extent {{}}, but its layout has {inner}")
            });
            continue;
        }
        let mut extent = old[axis];
        if let Some(factor) = from.factor(letter) {
            extent = extent.times(b, Extent::Known(factor));
        }
        if let Some(factor) = to.factor(letter)
            && from.factor(letter) != Some(factor)
        {
            let more = extent.plus(b, Extent::Known(factor - 1)).divided_by(b, Extent::Known(factor));
            let padded = more.times(b, Extent::Known(factor));
            let missing = padded.minus(b, extent);
            // The padding of a split axis is a multiple of its inner part too.
            let own = Extent::Known(from.factor(letter).unwrap_or(1));
            let up = missing.plus(b, own).plus(b, Extent::Known(-1));
            widths[axis] = up.divided_by(b, own);
            extent = padded;
        }
        whole.push((letter, extent));
    }
    let data = if widths.iter().all(|&width| width == Extent::Known(0)) {
        data.clone()
    } else {
        let zero = scalar::zero(b, data.dtype());
        padded_by(b, data, &widths, zero)
    };
    let position = |letter: char, inner: bool| {
        to.axes().position(|(other, part)| other == letter && part.is_some() == inner)
    };
    let outer = |letter: char| position(letter, false).map_or(AffineExpr::Constant(0), dim);
    let mut exprs = Vec::with_capacity(data.rank());
    for (letter, inner) in from.axes() {
        let (own, other) = (from.factor(letter), to.factor(letter));
        let inner_of = || position(letter, true).map_or(AffineExpr::Constant(0), dim);
        if own == other {
            exprs.push(if inner.is_some() { inner_of() } else { outer(letter) });
            continue;
        }
        let index = match other {
            Some(factor) => sum(linear(outer(letter), factor, 0), inner_of()),
            None => outer(letter),
        };
        exprs.push(match (own, inner) {
            (None, _) => index,
            (Some(factor), None) => {
                AffineExpr::binary(AffineOp::FloorDiv, index, AffineExpr::Constant(factor))
            }
            (Some(factor), Some(_)) => AffineExpr::binary(AffineOp::Mod, index, AffineExpr::Constant(factor)),
        });
    }
    let mut wanted = Vec::with_capacity(to.rank());
    for (letter, inner) in to.axes() {
        let extent = whole.iter().find(|(other, _)| *other == letter);
        let extent = extent.map_or(Extent::Known(1), |(_, extent)| *extent);
        wanted.push(match (inner, to.factor(letter)) {
            (Some(inner), _) => Extent::Known(inner),
            (None, Some(factor)) => extent.divided_by(b, Extent::Known(factor)),
            (None, None) => extent,
        });
    }
    moved(b, &data, exprs, &wanted)
}
