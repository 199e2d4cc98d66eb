//! Reshapes of paddings as paddings of reshapes.
//!
//! The channels of a grouped convolution are split by groups. Padding its images afterwards lets the padding join the computation:
//!
//! ```text
//! %p = tensor.pad %x low[0, 1] high[0, 1] .. : tensor<8x9xf32> to tensor<8x11xf32>
//! %y = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 4, 11] : tensor<8x11xf32> into tensor<2x4x11xf32>
//!
//! %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 4, 9] : tensor<8x9xf32> into tensor<2x4x9xf32>
//! %y = tensor.pad %s low[0, 0, 1] high[0, 0, 1] .. : tensor<2x4x9xf32> to tensor<2x4x11xf32>
//! ```

use crate::push_slices::fill_value;
use crate::{ExpandShape, Pad, makers};
use minoan_ir::{DYNAMIC, OpDef, Type};
use minoan_memref::slices;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("tensor-expand-of-pad", expand_of_pad);
}

/// Replaces the expansion of a padded tensor that has no other uses by a padding of an expansion, if no dimension is both padded
/// and expanded.
fn expand_of_pad(op: ExpandShape, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let padded = view.operand(0);
    let pad = body.defining_op(padded).and_then(|def| Pad::cast(body, def));
    let pad = pad.ok_or(NoMatch::because("it expands no padding"))?;
    let value = fill_value(body, pad).ok_or(NoMatch::because("the padding depends on the indices"))?;
    if body.only_use(padded).is_none() || pad.nofold(body) {
        return Err(NoMatch::because("the padding is used otherwise"));
    }
    let groups = view.attr_named("reassociation").and_then(|attr| slices::reassociation(&ctx, attr));
    let groups = groups.ok_or(NoMatch::because("the groups are not known"))?;
    let pad = body.op(pad.op());
    let (low, high) = (slices::numbers(pad, "static_low"), slices::numbers(pad, "static_high"));
    let source = pad.operand(0);
    let (ty, result) = (body.ty(source), body.ty(view.result(0)));
    let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let mut extents = result.shape(&ctx).unwrap_or(&[]).to_vec();
    if [&low, &high, &shape, &extents].iter().any(|list| list.contains(&DYNAMIC)) {
        return Err(NoMatch::because("the padding is not static"));
    }
    let (mut before, mut after) = (vec![0; extents.len()], vec![0; extents.len()]);
    for (dim, group) in groups.iter().enumerate() {
        match group[..] {
            [own] => {
                let own = own as usize;
                (before[own], after[own], extents[own]) = (low[dim], high[dim], shape[dim]);
            }
            _ if (low[dim], high[dim]) == (0, 0) => {}
            _ => return Err(NoMatch::because("a padded dimension is expanded")),
        }
    }
    let expanded = Type::tensor(&ctx, &extents, ty.element_or_self(&ctx));
    let groups = makers::reassociation(&groups);
    let mut b = rewriter.builder();
    let expanded = ExpandShape::build(&mut b, source, &[], groups, extents, expanded).result(b.body());
    let new = Pad::with(&mut b, expanded, &before, &after, value, result).result(b.body());
    rewriter.replace(op.op(), &[new]);
    Ok(Matched)
}
