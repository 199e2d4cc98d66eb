//! Slices of paddings as paddings of slices.

use crate::{ExtractSlice, Pad};
use minoan_ir::{Body, DYNAMIC, OpDef, OpRef, Type};
use minoan_memref::slices::numbers;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("tensor-slice-of-pad", slice_of_pad);
}

/// The offsets and sizes of a slice of consecutive elements that has the rank of its source; `None` if one of them is not
/// static.
pub fn static_slice(op: OpRef<'_>) -> Option<(Vec<i64>, Vec<i64>)> {
    let [offsets, sizes, strides] =
        ["static_offsets", "static_sizes", "static_strides"].map(|name| numbers(op, name));
    let shape = op.result_types().next()?.shape(op.context())?;
    let is_static = !offsets.contains(&DYNAMIC) && !sizes.contains(&DYNAMIC);
    let is_whole = strides.iter().all(|&stride| stride == 1) && shape == sizes;
    (op.is::<ExtractSlice>() && is_static && is_whole).then_some((offsets, sizes))
}

/// Replaces a slice of a padded tensor that has no other uses by a padding of a slice.
fn slice_of_pad(op: ExtractSlice, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let (offsets, sizes) = static_slice(view).ok_or(NoMatch::because("the slice is not static"))?;
    let padded = view.operand(0);
    let pad = body.defining_op(padded).and_then(|def| Pad::cast(body, def));
    let pad = pad.ok_or(NoMatch::because("it is a part of no padding"))?;
    let value = fill_value(body, pad).ok_or(NoMatch::because("the padding depends on the indices"))?;
    if body.only_use(padded).is_none() || pad.nofold(body) {
        return Err(NoMatch::because("the padding is used otherwise"));
    }
    let pad = body.op(pad.op());
    let (low, high) = (numbers(pad, "static_low"), numbers(pad, "static_high"));
    let source = pad.operand(0);
    let ty = body.ty(source);
    let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    if [&low, &high, &shape].iter().any(|list| list.contains(&DYNAMIC)) {
        return Err(NoMatch::because("the padding is not static"));
    }
    let (mut starts, mut extents, mut before, mut after) = (vec![], vec![], vec![], vec![]);
    for (dim, &extent) in shape.iter().enumerate() {
        // The part of the source that is in the slice.
        let (start, end) = (offsets[dim] - low[dim], offsets[dim] + sizes[dim] - low[dim]);
        let (first, last) = (start.clamp(0, extent), end.clamp(0, extent));
        if first >= last {
            return Err(NoMatch::because("no element of the source is in the slice"));
        }
        starts.push(first);
        extents.push(last - first);
        before.push(first - start);
        after.push(end - last);
    }
    let mut part = source;
    let result = rewriter.ty(view.result(0));
    let mut b = rewriter.builder();
    if extents != shape {
        let ty = Type::tensor(&ctx, &extents, ty.element_or_self(&ctx));
        let strides = vec![1; starts.len()];
        part =
            ExtractSlice::build(&mut b, source, &[], &[], &[], starts, extents, strides, ty).result(b.body());
    }
    let new = Pad::with(&mut b, part, &before, &after, value, result).result(b.body());
    rewriter.replace(op.op(), &[new]);
    Ok(Matched)
}

/// The value of all elements of a padding, if it is defined outside of its region.
pub(crate) fn fill_value(body: &Body, pad: Pad) -> Option<minoan_ir::Value> {
    let block = body.region(pad.region(body)).entry()?;
    let value = body.op(body.block(block).last()?).operand(0);
    (body.block_of(value) != Some(block)).then_some(value)
}
