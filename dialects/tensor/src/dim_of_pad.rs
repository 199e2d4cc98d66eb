//! Extents of padded tensors in terms of those of their sources, so that a padding has no user but its readers.

use crate::move_buffers::Mixed;
use crate::{Dim, Pad};
use minoan_ir::OpDef;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("tensor-dim-of-pad", dim_of_pad);
}

/// Replaces the extent of a padded tensor by the extent of its source plus the widths of the padding.
fn dim_of_pad(op: Dim, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let view = body.op(op.op());
    let pad = body.defining_op(view.operand(0)).and_then(|def| Pad::cast(body, def));
    let pad = pad.ok_or(NoMatch::because("it reads no extent of a padding"))?;
    let at = constant_of(body, view.operand(1)).and_then(|attr| attr.as_i64(ctx));
    let at =
        at.and_then(|at| usize::try_from(at).ok()).ok_or(NoMatch::because("the dimension is not known"))?;
    let (source, dim) = (body.op(pad.op()).operand(0), view.operand(1));
    let mut b = rewriter.builder();
    let (low, high) =
        (Mixed::list(&b, pad.op(), "static_low", 1), Mixed::list(&b, pad.op(), "static_high", 2));
    let (Some(&low), Some(&high)) = (low.get(at), high.get(at)) else {
        return Err(NoMatch::because("the dimension is out of range"));
    };
    let extent = Dim::build(&mut b, source, dim).result(b.body());
    let extent = low.plus(&mut b, extent);
    let extent = high.plus(&mut b, extent);
    rewriter.replace(op.op(), &[extent]);
    Ok(Matched)
}
