//! Constants of float formats that programs are not run with (`f80`, `f128`, `tf32`, 8 bits and fewer): folded on their bits.

use super::{Folding, integer_attr, rule};
use crate::*;
use minoan_ir::{
    Attr, AttrData, DialectBuilder, FloatArithmetic, FloatKind, Type, compare_floats, convert_float,
    float_arithmetic, float_from_big, float_to_big, float_to_f64,
};
use minoan_services::{FoldResult, Scalar};
use num_bigint::BigInt;
use num_traits::One;

/// The format and the bits of a float constant, or of the element of a splat.
fn constant(f: Folding<'_>, index: usize) -> Option<(FloatKind, u128)> {
    let ctx = f.ctx();
    match f.known[index]?.data(ctx) {
        AttrData::Float { bits, ty } => Some((ty.float_kind(ctx)?, *bits)),
        AttrData::DenseElements { ty, data, splat: true } => {
            let mut wide = [0; 16];
            wide.get_mut(..data.len())?.copy_from_slice(data);
            Some((ty.element_or_self(ctx).float_kind(ctx)?, u128::from_le_bytes(wide)))
        }
        _ => None,
    }
}

/// Whether an evaluation takes the type.
fn is_evaluated(f: Folding<'_>, ty: Type) -> bool {
    Scalar::of(f.ctx(), ty).is_ok()
}

/// A float constant of the type of the result. A NaN is left to the program: its bits are not defined.
fn result(f: Folding<'_>, bits: u128) -> Option<FoldResult> {
    let (ctx, ty) = (f.ctx(), f.ty(f.op.result(0)));
    let kind = ty.element_or_self(ctx).float_kind(ctx)?;
    // One without a sign keeps it beside its bits.
    if kind == FloatKind::F8E8M0FNU || float_to_f64(kind, bits).is_nan() {
        return None;
    }
    if ty.element(ctx).is_none() {
        return Some(Attr::float_bits(ctx, bits, ty).into());
    }
    let is_open = ty.shape(ctx)?.iter().any(|&extent| extent < 0);
    let data = bits.to_le_bytes()[..kind.width().div_ceil(8) as usize].into();
    (!is_open).then(|| ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true }).into())
}

/// An operation on two constants.
pub(super) fn arithmetic(f: Folding<'_>, operation: FloatArithmetic) -> Option<FoldResult> {
    if is_evaluated(f, f.ty(f.operand(0))) {
        return None;
    }
    let ((kind, a), (_, b)) = (constant(f, 0)?, constant(f, 1)?);
    result(f, float_arithmetic(kind, operation, a, b))
}

/// A constant with the other sign.
fn negated(f: Folding<'_>) -> Option<FoldResult> {
    if is_evaluated(f, f.ty(f.operand(0))) {
        return None;
    }
    let (kind, bits) = constant(f, 0)?;
    let negated = bits ^ 1 << (kind.width() - 1);
    // Formats without a negative zero have NaN there.
    result(f, negated)
}

/// The order of two constants; the outer `None` where they are not known.
pub(super) fn order(f: Folding<'_>) -> Option<Option<std::cmp::Ordering>> {
    if is_evaluated(f, f.ty(f.operand(0))) {
        return None;
    }
    let ((kind, a), (_, b)) = (constant(f, 0)?, constant(f, 1)?);
    Some(compare_floats(kind, a, b))
}

/// Converts a constant to another format, if the value is the same there: the rounding mode is the choice of the program.
pub(super) fn converted(f: Folding<'_>) -> Option<FoldResult> {
    let (ctx, ty) = (f.ctx(), f.ty(f.op.result(0)));
    if is_evaluated(f, f.ty(f.operand(0))) && is_evaluated(f, ty) {
        return None;
    }
    let (kind, bits) = constant(f, 0)?;
    let to = ty.element_or_self(ctx).float_kind(ctx)?;
    let (bits, same) = convert_float(kind, to, bits);
    if same { result(f, bits) } else { None }
}

/// Whether a wider format represents all values of a narrower one. Those of 16 bits and more do; the values of smaller formats are
/// converted, since `f8E8M0FNU` has more exponents than `f16`, and neither signs nor mantissas.
pub(super) fn is_lossless(from: FloatKind, to: FloatKind) -> bool {
    let is_small = from.width() <= 8;
    !is_small
        || (0..1 << from.width()).all(|bits| {
            float_to_f64(from, bits).is_nan() || {
                let (converted, same) = convert_float(from, to, bits);
                same && convert_float(to, from, converted) == (bits, true)
            }
        })
}

fn from_integer(f: Folding<'_>, signed: bool) -> Option<FoldResult> {
    let (ctx, ty) = (f.ctx(), f.ty(f.op.result(0)));
    if is_evaluated(f, ty) {
        return None;
    }
    let integer = f.integer(0)?;
    let value = if signed { integer.number() } else { integer.magnitude() };
    result(f, float_from_big(ty.element_or_self(ctx).float_kind(ctx)?, &value))
}

fn to_integer(f: Folding<'_>, signed: bool) -> Option<FoldResult> {
    let (ctx, ty) = (f.ctx(), f.ty(f.op.result(0)));
    if is_evaluated(f, f.ty(f.operand(0))) {
        return None;
    }
    let width = Scalar::of(ctx, ty).ok()?.width().ok()?;
    let (kind, bits) = constant(f, 0)?;
    let value = float_to_big(kind, bits)?;
    let power = |exponent: u32| BigInt::one() << exponent;
    let range = if signed { -power(width - 1)..power(width - 1) } else { BigInt::ZERO..power(width) };
    if !range.contains(&value) {
        return None;
    }
    integer_attr(ctx, value, ty).map(FoldResult::Constant)
}

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    rule::<NegF>(dialect, |f| negated(f).into());
    rule::<RemF>(dialect, |f| arithmetic(f, FloatArithmetic::Rem).into());
    rule::<SIToFP>(dialect, |f| from_integer(f, true).into());
    rule::<UIToFP>(dialect, |f| from_integer(f, false).into());
    rule::<FPToSI>(dialect, |f| to_integer(f, true).into());
    rule::<FPToUI>(dialect, |f| to_integer(f, false).into());
}
