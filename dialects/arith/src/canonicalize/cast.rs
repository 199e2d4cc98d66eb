//! Canonicalization of conversions.

use crate::constraints::Overflow;
use crate::fold::Integer;
use crate::*;
use minoan_ir::{OpDef, Type};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter, pattern};

/// Applies the same conversion to the operand of an extension.
macro_rules! of_extended {
    ($patterns:ident $($op:ident $ext:ident => $new:ident $name:literal)*) => {$(
        $patterns.add(pattern!($name:
            root @ $op($ext(x)) => $new(x, { rw.ty(root.out(rw.body())) })));
    )*};
}

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    of_extended! { patterns
        IndexCast ExtSI => IndexCast "arith-index-cast-extsi"
        IndexCastUI ExtUI => IndexCastUI "arith-index-castui-extui"
        SIToFP ExtSI => SIToFP "arith-sitofp-extsi"
        SIToFP ExtUI => UIToFP "arith-sitofp-extui"
        UIToFP ExtUI => UIToFP "arith-uitofp-extui"
        Bitcast Bitcast => Bitcast "arith-bitcast-bitcast"
    }
    patterns.on("arith-trunci-shrsi", truncated_shift);
}

/// Replaces an arithmetic shift by a logical one if the shifted-in sign bits are truncated.
///
/// `nsw` without `nuw` is dropped: it no longer holds once zeros are shifted in instead of sign bits. `nuw` implies that the sign
/// bits are zeros, so both shifts yield the same value and all flags stay.
fn truncated_shift(op: TruncI, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let shift = body.defining_op(op.r#in(body)).and_then(|def| ShRSI::cast(body, def));
    let shift = shift.ok_or(NoMatch::because("the operand is not a shift"))?;
    if shift.exact(body) {
        return Err(NoMatch::because("the shift is exact"));
    }
    let [value, by] = shift.operand_values(body);
    let amount = rewriter.constant_of(by).and_then(|by| Integer::of(ctx, by)?.signed.as_i64());
    let width = |ty: Type| ty.element_or_self(ctx).integer_width(ctx).map(i64::from);
    let (from, to) = (width(body.ty(value)), width(body.ty(op.out(body))));
    let cut = amount.zip(from.zip(to)).is_some_and(|(by, (from, to))| (0..=from - to).contains(&by));
    if !cut {
        return Err(NoMatch::because("some sign bits remain"));
    }
    let shifted = ShRUI::build(&mut rewriter.builder(), value, by);
    let shifted = shifted.result(rewriter.body());
    rewriter.set_operand(op.op(), 0, shifted);
    if !op.overflow(rewriter.body()).contains(Overflow::NoUnsignedWrap) {
        let none = minoan_ir::generated::props::<TruncI>(rewriter.context(), &[]);
        rewriter.modify(op.op(), |body, op| body.set_props(op, none));
    }
    Ok(Matched)
}
