//! Folds of conversions.

use super::apfloat::{converted, is_lossless};
use super::{Folding, rule};
use crate::constraints::overflow_of;
use crate::*;
use minoan_ir::{Attr, AttrData, DialectBuilder, OpDef, OpRef, Type, TypeData, Value};
use minoan_services::{Change, FoldResult, Folded, Scalar};

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    rule::<ExtUI>(dialect, |f| through::<ExtUI>(f).map_or(Folded::Unchanged, Folded::Changed));
    rule::<ExtSI>(dialect, extend_signed);
    rule::<TruncI>(dialect, truncate);
    rule::<ExtF>(dialect, |f| match through::<ExtF>(f).filter(|_| lossless_extension(f).is_some()) {
        Some(change) => change.into(),
        None => converted(f).into(),
    });
    rule::<TruncF>(dialect, truncate_float);
    rule::<IndexCast>(dialect, |f| back::<IndexCast>(f).into());
    rule::<IndexCastUI>(dialect, |f| back::<IndexCastUI>(f).into());
    rule::<Bitcast>(dialect, |f| bitcast(f).into());
}

/// Composes two equal conversions.
fn through<O: OpDef>(f: Folding<'_>) -> Option<Change> {
    let (_, inner) = f.def::<O>(0)?;
    (inner.props() == f.op.props()).then(|| Change::new().operands([inner.operand(0)]))
}

fn width(f: Folding<'_>, value: Value) -> Option<u32> {
    f.ty(value).element_or_self(f.ctx()).integer_width(f.ctx())
}

fn extend_signed(f: Folding<'_>) -> Folded {
    if let Some(change) = through::<ExtSI>(f) {
        return change.into();
    }
    // A zero-extended value is not negative.
    let unsigned = f
        .def::<ExtUI>(0)
        .map(|(_, inner)| Change::new().kind(f.ctx().kind_of::<ExtUI>()).operands([inner.operand(0)]));
    unsigned.map_or(Folded::Unchanged, Folded::Changed)
}

/// Folds a truncation of an extension, whose low bits are those of the source.
fn extended(f: Folding<'_>) -> Option<OpRef<'_>> {
    let signed = f.def::<ExtSI>(0).map(|(_, inner)| inner);
    signed.or_else(|| f.def::<ExtUI>(0).map(|(_, inner)| inner))
}

fn truncate(f: Folding<'_>) -> Folded {
    let result = f.op.result(0);
    if let Some(inner) = extended(f) {
        let source = inner.operand(0);
        if f.ty(source) == f.ty(result) {
            return Folded::one(source);
        }
        return match (width(f, source), width(f, result)) {
            // The flags make the same claim about the source: the extension preserves its value in their interpretation, or they
            // are violated.
            (Some(from), Some(to)) if from > to => Change::new().operands([source]).into(),
            (Some(_), Some(_)) => {
                Change::new().kind(inner.kind()).operands([source]).props(Attr::EMPTY).into()
            }
            _ => Folded::Unchanged,
        };
    }
    match f.def::<TruncI>(0) {
        Some((_, inner)) => Change::new().operands([inner.operand(0)]).props(common_flags(f, inner)).into(),
        None => Folded::Unchanged,
    }
}

/// The attributes of a truncation of a truncation: the flags that both have.
fn common_flags(f: Folding<'_>, inner: OpRef<'_>) -> Attr {
    let implies = |op: OpRef<'_>, other: OpRef<'_>| {
        let (flags, others) = (overflow_of(op), overflow_of(other));
        flags.intersection(others) == others
    };
    if implies(inner, f.op) {
        f.op.props()
    } else if implies(f.op, inner) {
        inner.props()
    } else {
        minoan_ir::generated::props::<TruncI>(f.ctx(), &[])
    }
}

/// The extension that defines the operand, if its type represents all values of that of the source: `f16` does not represent
/// 2^127, which is an `f8E8M0FNU`.
fn lossless_extension(f: Folding<'_>) -> Option<OpRef<'_>> {
    let (_, inner) = f.def::<ExtF>(0)?;
    let kind = |value: Value| f.ty(value).element_or_self(f.ctx()).float_kind(f.ctx());
    is_lossless(kind(inner.operand(0))?, kind(f.operand(0))?).then_some(inner)
}

/// Truncates the source of a lossless extension.
fn truncate_float(f: Folding<'_>) -> Folded {
    let Some(inner) = lossless_extension(f) else { return converted(f).into() };
    let (source, result) = (inner.operand(0), f.ty(f.op.result(0)));
    if f.ty(source) == result {
        return Folded::one(source);
    }
    let width = |ty: Type| Some(ty.element_or_self(f.ctx()).float_kind(f.ctx())?.width());
    match width(f.ty(source)) > width(result) {
        true => Change::new().operands([source]).into(),
        false => converted(f).into(),
    }
}

/// Folds a conversion of the inverse conversion, if that is lossless.
fn back<O: OpDef>(f: Folding<'_>) -> Option<FoldResult> {
    let (_, inner) = f.def::<O>(0)?;
    let source = inner.operand(0);
    let bits = |ty: Type| Scalar::of(f.ctx(), ty).ok()?.width().ok();
    let (outer, middle) = (bits(f.ty(source))?, bits(f.ty(f.operand(0)))?);
    (f.ty(source) == f.ty(f.op.result(0)) && outer <= middle).then_some(source.into())
}

fn bitcast(f: Folding<'_>) -> Option<FoldResult> {
    let (ctx, ty) = (f.ctx(), f.ty(f.op.result(0)));
    if let Some((_, inner)) = f.def::<Bitcast>(0)
        && f.ty(inner.operand(0)) == ty
    {
        return Some(inner.operand(0).into());
    }
    if f.ty(f.operand(0)) == ty {
        return f.keep(0);
    }
    // Bit patterns are preserved, since evaluation may not preserve those of NaNs.
    let (bits, width) = match f.known[0]?.data(ctx) {
        AttrData::Float { bits, ty } => (*bits, ty.float_kind(ctx)?.width()),
        AttrData::Integer { value, ty } => {
            (u128::from_le_bytes(value.to_le_bytes(16).try_into().ok()?), ty.integer_width(ctx)?)
        }
        _ => return None,
    };
    let bits = if width < 128 { bits & ((1 << width) - 1) } else { bits };
    match *ty.data(ctx) {
        TypeData::Float(_) => Some(Attr::float_bits(ctx, bits, ty).into()),
        TypeData::Integer { width, .. } if width <= 128 => {
            super::integer_attr(ctx, bits as i128, ty).map(FoldResult::Constant)
        }
        _ => None,
    }
}
