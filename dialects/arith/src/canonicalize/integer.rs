//! Canonicalization of integer operations: reassociation of constants.

use super::{add, is_all_ones, is_one, mul, sub};
use crate::fold::integer_attr;
use crate::*;
use minoan_ir::{Attr, Context, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter, pattern};

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .add(pattern!("arith-add-add-constant":
            AddI(AddI(x, constant(a)), constant(b))
            if let Some(sum) = add(ctx, a, b)
            => AddI(x, constant(sum))))
        .add(pattern!("arith-add-sub-constant-right":
            AddI(SubI(x, constant(a)), constant(b))
            if let Some(difference) = sub(ctx, b, a)
            => AddI(x, constant(difference))))
        .add(pattern!("arith-add-sub-constant-left":
            AddI(SubI(constant(a), x), constant(b))
            if let Some(sum) = add(ctx, a, b)
            => SubI(constant(sum), x)))
        .add(pattern!("arith-add-negative-right":
            AddI(x, MulI(y, constant(m))) if is_all_ones(ctx, m) => SubI(x, y)))
        .add(pattern!("arith-add-negative-left":
            AddI(MulI(x, constant(m)), y) if is_all_ones(ctx, m) => SubI(y, x)))
        .add(pattern!("arith-sub-add-constant-right":
            SubI(AddI(x, constant(a)), constant(b))
            if let Some(difference) = sub(ctx, a, b)
            => AddI(x, constant(difference))))
        .add(pattern!("arith-sub-add-constant-left":
            SubI(constant(b), AddI(x, constant(a)))
            if let Some(difference) = sub(ctx, b, a)
            => SubI(constant(difference), x)))
        .add(pattern!("arith-sub-sub-constants-right":
            SubI(SubI(x, constant(a)), constant(b))
            if let Some(sum) = add(ctx, a, b)
            => SubI(x, constant(sum))))
        .add(pattern!("arith-sub-sub-constants-outside":
            SubI(SubI(constant(a), x), constant(b))
            if let Some(difference) = sub(ctx, a, b)
            => SubI(constant(difference), x)))
        .add(pattern!("arith-sub-sub-constants-inside":
            SubI(constant(b), SubI(x, constant(a)))
            if let Some(sum) = add(ctx, a, b)
            => SubI(constant(sum), x)))
        .add(pattern!("arith-sub-sub-constants-left":
            SubI(constant(b), SubI(constant(a), x))
            if let Some(difference) = sub(ctx, b, a)
            => AddI(x, constant(difference))))
        .add(pattern!("arith-sub-sub-same":
            SubI(SubI(x, y), x)
            if let Some(zero) = zero_of(ctx, body.ty(x))
            => SubI(constant(zero), y)))
        .add(pattern!("arith-mul-mul-constant":
            MulI(MulI(x, constant(a)), constant(b))
            if let Some(product) = mul(ctx, a, b)
            => MulI(x, constant(product))))
        .on("arith-addui-extended-to-addi", add_without_overflow)
        .on("arith-mulsi-extended-to-muli", |op: MulSIExtended, rewriter| {
            let (low, high) = (op.low(rewriter.body()), op.high(rewriter.body()));
            low_half(op, low, high, rewriter)
        })
        .on("arith-mului-extended-to-muli", |op: MulUIExtended, rewriter| {
            let (low, high) = (op.low(rewriter.body()), op.high(rewriter.body()));
            low_half(op, low, high, rewriter)
        })
        .on("arith-mulsi-extended-by-one", |op: MulSIExtended, rewriter| {
            let (low, high) = (op.low(rewriter.body()), op.high(rewriter.body()));
            by_one(op, [low, high], true, rewriter)
        })
        .on("arith-mului-extended-by-one", |op: MulUIExtended, rewriter| {
            let (low, high) = (op.low(rewriter.body()), op.high(rewriter.body()));
            by_one(op, [low, high], false, rewriter)
        });
    bits(patterns);
}

fn zero_of(ctx: &Context, ty: Type) -> Option<Attr> {
    integer_attr(ctx, 0, ty)
}

/// Applies an operation before equal extensions instead of after them.
macro_rules! of_extended {
    ($patterns:ident $($op:ident $ext:ident $name:literal)*) => {$(
        $patterns.add(pattern!($name:
            $op(a @ $ext(x), $ext(y))
            if body.ty(x) == body.ty(y)
            => $ext($op(x, y), { rw.ty(a.out(rw.body())) })));
    )*};
}

fn bits(patterns: &mut PatternSet) {
    of_extended! { patterns
        AndI ExtUI "arith-and-extui"
        AndI ExtSI "arith-and-extsi"
        OrI ExtUI "arith-or-extui"
        OrI ExtSI "arith-or-extsi"
        XOrI ExtUI "arith-xor-extui"
        XOrI ExtSI "arith-xor-extsi"
    }
}

/// Replaces an extended addition whose overflow is unused by an addition.
fn add_without_overflow(op: AddUIExtended, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if body.is_used(op.overflow(body)) {
        return Err(NoMatch::because("the overflow is used"));
    }
    let ([lhs, rhs], sum) = (op.operand_values(body), op.sum(body));
    let new = AddI::build(&mut rewriter.builder(), lhs, rhs);
    let new = new.result(rewriter.body());
    rewriter.replace_all_uses(sum, new);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Replaces an extended multiplication whose high half is unused by a multiplication.
fn low_half(
    op: impl OpDef,
    low: Value,
    high: Value,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    if rewriter.body().is_used(high) {
        return Err(NoMatch::because("the high half is used"));
    }
    let view = rewriter.op(op.op());
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    let new = MulI::build(&mut rewriter.builder(), lhs, rhs);
    let new = new.result(rewriter.body());
    rewriter.replace_all_uses(low, new);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Replaces an extended multiplication by one: the low half is the operand; the high half repeats its sign, or is
/// zero.
fn by_one(
    op: impl OpDef,
    [low, high]: [Value; 2],
    signed: bool,
    rewriter: &mut Rewriter<'_>,
) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context().clone());
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    if !rewriter.constant_of(rhs).is_some_and(|rhs| is_one(&ctx, rhs)) {
        return Err(NoMatch::because("the operand is not one"));
    }
    let ty = rewriter.ty(lhs);
    // The one-bit constant 1 is -1, and there is no cast that extends one bit to `index`.
    if signed && ty.element_or_self(&ctx).integer_width(&ctx).is_none_or(|width| width == 1) {
        return Err(NoMatch::because("the sign bit is the only bit"));
    }
    let zero = zero_of(&ctx, ty).ok_or(NoMatch::because("the type has no zero constant"))?;
    let zero = rewriter.constant(op.op(), zero, ty)?;
    let upper = if signed {
        let negative = CmpI::build(&mut rewriter.builder(), lhs, zero, CmpIPredicate::Slt);
        let negative = negative.result(rewriter.body());
        let sign = ExtSI::build(&mut rewriter.builder(), negative, ty);
        sign.out(rewriter.body())
    } else {
        zero
    };
    rewriter.replace_all_uses(low, lhs);
    rewriter.replace_all_uses(high, upper);
    rewriter.erase(op.op());
    Ok(Matched)
}
