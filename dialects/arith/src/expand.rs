//! Expansion of the maximum and the minimum of vectors into comparisons that machines have, and of operations on wide integers
//! that MLIR or LLVM would compile wrongly.

use crate::fold::integer_attr;
use crate::{
    CmpFPredicate, CmpIPredicate, FastMath, andi, bitcast, cmpf, cmpi, constant, constant_float,
    constant_int, divsi, extsi, extui, has_fastmath_flag, index_cast, index_castui, maxsi, minsi, minui,
    muli, select, sitofp, subi, trunci, uitofp, xori,
};
use minoan_ir::{Builder, FloatKind, Op, Traits, Type, Value};
use minoan_services::{Expand, FloatPolicy, MOST_NARROW, MachineModel};
use num_bigint::BigInt;

/// The operand for which the predicate holds, or NaN. In a reduction the first operand is the accumulator: only one of the two
/// selects depends on it, which keeps a NaN and is one instruction on x86, and only the second operand is tested for NaN. The
/// result for that is a constant: MLIR's canonicalization would merge the conditions of two selects of the same operand, which
/// then are not that instruction.
///
/// Equal operands have the same bits, or are zeros: the positive one is the maximum, whose sign is the conjunction of the two.
/// The flag `nsz` permits either. A constant operand is left to MLIR's expansion, which then needs no test.
pub(crate) struct Extremum {
    pub(crate) beats: CmpFPredicate,
    /// The bits of the result if the operands are equal.
    pub(crate) of_equals: fn(&mut Builder<'_>, Value, Value) -> Value,
}

impl Expand for Extremum {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (lhs, rhs) = (view.operand(0), view.operand(1));
        let is_constant = |value: Value| {
            let from = b.body().defining_op(value);
            from.is_some_and(|from| b.body().op(from).has_trait(Traits::CONSTANT_LIKE))
        };
        let ty = b.ty(lhs);
        if !ty.is_vector(&ctx) || is_constant(rhs) || has_fastmath_flag(view, FastMath::NoNaN) {
            return None;
        }
        let signs_matter = !has_fastmath_flag(view, FastMath::NoSignedZero);
        let width = ty.element_or_self(&ctx).float_kind(&ctx)?.width();
        let beats = cmpf(b, self.beats, rhs, lhs);
        let mut chosen = select(b, beats, rhs, lhs);
        let is_nan = cmpf(b, CmpFPredicate::Uno, rhs, rhs);
        // Some formats of fewer bits have no NaN.
        let nan = if width >= 16 { constant_float(b, f64::NAN, ty) } else { rhs };
        chosen = select(b, is_nan, nan, chosen);
        if signs_matter {
            let bits = Type::vector(&ctx, ty.shape(&ctx)?, Type::integer(&ctx, width));
            let [left, right] = [lhs, rhs].map(|value| bitcast(b, value, bits));
            let both = (self.of_equals)(b, left, right);
            let both = bitcast(b, both, ty);
            let equal = cmpf(b, CmpFPredicate::Oeq, rhs, lhs);
            chosen = select(b, equal, both, chosen);
        }
        Some(vec![chosen])
    }
}

/// The division of integers of more than 64 bits, rounded down. MLIR's expansion adds a constant -1 with 64 bits set.
pub(crate) struct WideFloorDivision;

impl Expand for WideFloorDivision {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let view = b.body().op(op);
        let (lhs, rhs) = (view.operand(0), view.operand(1));
        let ty = b.ty(lhs);
        ty.element_or_self(&b.context()).integer_width(&b.context()).filter(|&width| width > MOST_NARROW)?;
        let quotient = divsi(b, lhs, rhs);
        let product = muli(b, quotient, rhs);
        let is_inexact = cmpi(b, CmpIPredicate::Ne, product, lhs);
        let signs = xori(b, lhs, rhs);
        let zero = constant_int(b, 0, ty);
        let is_negative = cmpi(b, CmpIPredicate::Slt, signs, zero);
        let is_rounded_up = andi(b, is_inexact, is_negative);
        let one_less = extui(b, is_rounded_up, ty);
        Some(vec![subi(b, quotient, one_less)])
    }
}

/// The conversion of an integer that may be larger than all floats of a format: it is limited to the power of two that becomes
/// infinite, because LLVM's expansion lets the exponent of a larger one overflow into the sign.
pub(crate) struct LimitedConversion {
    pub(crate) signed: bool,
}

impl Expand for LimitedConversion {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (value, result) = (view.operand(0), view.result(0));
        let (from, to) = (b.ty(value), b.ty(result));
        let exponent = match to.element_or_self(&ctx).float_kind(&ctx)? {
            FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 => 128,
            FloatKind::F64 => 1024,
            _ => 16384,
        };
        let magnitude = from.element_or_self(&ctx).integer_width(&ctx)? - u32::from(self.signed);
        if magnitude <= exponent {
            return None;
        }
        let infinite = BigInt::from(1) << exponent;
        let most = constant(b, integer_attr(&ctx, infinite.clone(), from)?);
        if !self.signed {
            let limited = minui(b, value, most);
            return Some(vec![uitofp(b, limited, to)]);
        }
        let least = constant(b, integer_attr(&ctx, -infinite, from)?);
        let limited = minsi(b, value, most);
        let limited = maxsi(b, limited, least);
        Some(vec![sitofp(b, limited, to)])
    }
}

/// The conversion between an index and an integer of more than 64 bits, by one of 64 bits: MLIR removes a conversion to an
/// index and back without regard to the bits that are lost.
pub(crate) struct WideIndexCast {
    pub(crate) signed: bool,
}

impl Expand for WideIndexCast {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (value, result) = (view.operand(0), view.result(0));
        let (from, to) = (b.ty(value), b.ty(result));
        let is_wide = |ty: Type| {
            let width = ty.element_or_self(&ctx).integer_width(&ctx);
            width.is_some_and(|width| width > MOST_NARROW) && !ty.is_memref(&ctx)
        };
        let word = from.with_element(&ctx, Type::I64).unwrap_or(Type::I64);
        let cast = |b: &mut Builder<'_>, value: Value, ty: Type| {
            if self.signed { index_cast(b, value, ty) } else { index_castui(b, value, ty) }
        };
        if is_wide(from) {
            let low = trunci(b, value, word);
            return Some(vec![cast(b, low, to)]);
        }
        if !is_wide(to) {
            return None;
        }
        let low = cast(b, value, word);
        Some(vec![if self.signed { extsi(b, low, to) } else { extui(b, low, to) }])
    }
}
