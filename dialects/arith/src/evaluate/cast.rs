//! Evaluation of conversions.

use super::integer::promised;
use crate::constraints::Overflow;
use crate::*;
use minoan_ir::{DialectBuilder, OpDef, OpRef};
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBits, Machine, Scalar, Trap, WideBits, elementwise, operand_scalar,
    result_scalar,
};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, One, Zero};
use std::sync::Arc;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    for_cast::<ExtF>(dialect, |_, value, _, to| to.float(float(value)?));
    for_cast::<TruncF>(dialect, truncf);
    for_cast::<ExtSI>(dialect, |_, value, from, to| resized(value, from, to, Sign::Signed));
    for_cast::<ExtUI>(dialect, |_, value, from, to| resized(value, from, to, Sign::Unsigned));
    for_cast::<TruncI>(dialect, trunci);
    for_cast::<SIToFP>(dialect, |_, value, from, to| int_to_float(value, from, to, Sign::Signed));
    for_cast::<UIToFP>(dialect, |_, value, from, to| int_to_float(value, from, to, Sign::Unsigned));
    for_cast::<FPToSI>(dialect, |_, value, _, to| float_to_int(float(value)?, to, Sign::Signed));
    for_cast::<FPToUI>(dialect, |_, value, _, to| float_to_int(float(value)?, to, Sign::Unsigned));
    for_cast::<IndexCast>(dialect, |_, value, from, to| resized(value, from, to, Sign::Signed));
    for_cast::<IndexCastUI>(dialect, |_, value, from, to| resized(value, from, to, Sign::Unsigned));
    for_cast::<Bitcast>(dialect, |_, value, from, to| {
        Ok(to.of_bytes(&from.bytes(value).ok_or_else(|| value.is_not("a number"))?))
    });
}

/// The power of two of a scale: its exponent as an `f32`, as represented by `f8E8M0FNU`.
fn power(scale: &Datum) -> Result<f64, Trap> {
    match (float(scale)? as f32).to_bits() >> 23 & 0xff {
        0xff => Ok(f64::NAN),
        exponent => Ok(2f64.powi(exponent as i32 - 127)),
    }
}

/// Multiplication or division of a float by a scale.
pub(crate) struct Scaling {
    pub(crate) widens: bool,
}

impl Evaluate for Scaling {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (from, to) = (operand_scalar(op, 0)?, result_scalar(op)?);
        Flow::one(elementwise(to, operands, machine, |[value, scale]: [Datum; 2]| {
            let (value, scale) = (float(&value)?, power(&scale)?);
            if self.widens {
                to.float(value * float(&to.float(scale)?)?)
            } else {
                truncf(op, &from.float(value / float(&from.float(scale)?)?)?, from, to)
            }
        })?)
    }
}

/// Converts a scalar, given the scalar types of operand and result.
type Convert = fn(OpRef<'_>, &Datum, Scalar, Scalar) -> Result<Datum, Trap>;

fn for_cast<O: OpDef>(dialect: &mut DialectBuilder<'_>, convert: Convert) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(Cast(convert)));
}

struct Cast(Convert);

impl Evaluate for Cast {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (from, to) = (operand_scalar(op, 0)?, result_scalar(op)?);
        Flow::one(elementwise(to, operands, machine, |[value]: [Datum; 1]| (self.0)(op, &value, from, to))?)
    }
}

/// The interpretation of the bits of an integer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    fn number<B: IntBits>(self, bits: &B) -> B::Signed {
        match self {
            Sign::Signed => bits.signed(),
            Sign::Unsigned => bits.magnitude(),
        }
    }

    /// The least and the greatest number of a type.
    fn range(self, to: Scalar) -> Result<(BigInt, BigInt), Trap> {
        let width = to.width()?;
        let power = |exponent: u32| BigInt::one() << exponent;
        Ok(match self {
            Sign::Signed => (-power(width - 1), power(width - 1) - 1),
            Sign::Unsigned => (BigInt::zero(), power(width) - 1),
        })
    }
}

/// An integer of another width.
fn resized(value: &Datum, from: Scalar, to: Scalar, sign: Sign) -> Result<Datum, Trap> {
    match from.is_wide() {
        false => to.integer(sign.number(&Bits::of(value, from.width()?)?)),
        true => to.big_integer(sign.number(&WideBits::of(value, from.width()?)?)),
    }
}

fn int_to_float(value: &Datum, from: Scalar, to: Scalar, sign: Sign) -> Result<Datum, Trap> {
    match from.is_wide() {
        false => to.float_of_int(sign.number(&Bits::of(value, from.width()?)?)),
        true => to.float_of_big(&sign.number(&WideBits::of(value, from.width()?)?)),
    }
}

fn float(value: &Datum) -> Result<f64, Trap> {
    match value {
        Datum::F32(value) => Ok((*value).into()),
        Datum::F64(value) => Ok(*value),
        other => Err(other.is_not("a float")),
    }
}

fn float_to_int(value: f64, to: Scalar, sign: Sign) -> Result<Datum, Trap> {
    let width = to.width()?;
    if to.is_wide() {
        let (least, greatest) = sign.range(to)?;
        let whole = BigInt::from_f64(value).filter(|whole| (least..=greatest).contains(whole));
        return whole.map_or(Ok(Datum::Poison), |whole| to.big_integer(whole));
    }
    let (least, greatest) = match sign {
        Sign::Signed => (-(1i128 << (width - 1)), (1 << (width - 1)) - 1),
        Sign::Unsigned => (0, (1 << width) - 1),
    };
    // The conversion to `i128` saturates, far outside of the bounds.
    let whole = value.trunc() as i128;
    if value.is_nan() || whole < least || whole > greatest {
        return Ok(Datum::Poison);
    }
    to.integer(whole)
}

fn trunci(op: OpRef<'_>, value: &Datum, from: Scalar, to: Scalar) -> Result<Datum, Trap> {
    let result = resized(value, from, to, Sign::Signed)?;
    let loses = |sign| Ok::<_, Trap>(resized(&result, to, from, sign)? != *value);
    if loses(Sign::Signed)? && promised(op, Overflow::NoSignedWrap) {
        return Ok(Datum::Poison);
    }
    if loses(Sign::Unsigned)? && promised(op, Overflow::NoUnsignedWrap) {
        return Ok(Datum::Poison);
    }
    Ok(result)
}

fn truncf(op: OpRef<'_>, value: &Datum, _: Scalar, to: Scalar) -> Result<Datum, Trap> {
    let exact = float(value)?;
    let nearest = to.float(exact)?;
    let mode = op.attr_named("roundingmode").and_then(|attr| attr.as_i64(op.context())).unwrap_or(0);
    if mode == 0 || exact.is_nan() || float(&nearest)? == exact {
        return Ok(nearest);
    }
    let is_below = float(&nearest)? < exact;
    let (below, above) = match is_below {
        true => (nearest.clone(), neighbor(&nearest, to, true)),
        false => (neighbor(&nearest, to, false), nearest.clone()),
    };
    Ok(match mode {
        1 => below,
        2 => above,
        3 if exact > 0.0 => below,
        3 => above,
        // "Away from zero" only differs for ties, which `nearest` rounds to even.
        _ if exact - float(&below)? == float(&above)? - exact => {
            if exact > 0.0 {
                above
            } else {
                below
            }
        }
        _ => nearest,
    })
}

/// The adjacent value of a format.
fn neighbor(value: &Datum, format: Scalar, above: bool) -> Datum {
    let Datum::F32(value) = *value else { return value.clone() };
    // The bit patterns of a narrow format are ordered within a sign; for `bf16` they are the leading bits.
    let pattern = |next: u128| format.of_bits(next);
    let bits = to_bits(&Datum::F32(value), format).unwrap_or(0);
    let sign = match format {
        Scalar::F32 => 1 << 31,
        _ => 1 << 15,
    };
    match (above, bits & sign != 0, bits & !sign == 0) {
        (true, _, true) => pattern(1),
        (false, _, true) => pattern(sign | 1),
        (true, false, _) | (false, true, _) => pattern(bits + 1),
        (true, true, _) | (false, false, _) => pattern(bits - 1),
    }
}

fn to_bits(value: &Datum, from: Scalar) -> Result<u128, Trap> {
    from.bits(value).ok_or_else(|| Trap::new(format!("expected a number, found {}", value.describe())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_cross_zero_and_reach_infinity() {
        let up = |value: f32, format| neighbor(&Datum::F32(value), format, true);
        assert_eq!(up(0.0, Scalar::F32), Datum::F32(f32::from_bits(1)));
        assert_eq!(up(-1.0, Scalar::F32), Datum::F32((-1.0f32).next_up()));
        assert_eq!(up(65504.0, Scalar::F16), Datum::F32(f32::INFINITY));
        assert_eq!(up(1.0, Scalar::BF16), Datum::F32(1.0 + 1.0 / 128.0));
        let down = neighbor(&Datum::F32(-0.0), Scalar::F32, false);
        assert_eq!(down, Datum::F32(-f32::from_bits(1)));
    }

    #[test]
    fn floats_that_do_not_fit_are_poison() {
        let to = Scalar::Int { width: 8 };
        assert_eq!(float_to_int(127.9, to, Sign::Signed), Ok(Datum::Int(127)));
        assert_eq!(float_to_int(-128.9, to, Sign::Signed), Ok(Datum::Int(-128)));
        assert_eq!(float_to_int(128.0, to, Sign::Signed), Ok(Datum::Poison));
        assert_eq!(float_to_int(f64::NAN, to, Sign::Signed), Ok(Datum::Poison));
        assert_eq!(float_to_int(f64::INFINITY, to, Sign::Signed), Ok(Datum::Poison));
        assert_eq!(float_to_int(255.0, to, Sign::Unsigned), Ok(Datum::Int(-1)));
        let wide = Scalar::Int { width: 65 };
        let [fits, not] = [2f64.powi(64), 2f64.powi(65)];
        assert_eq!(float_to_int(fits, wide, Sign::Signed), Ok(Datum::Poison));
        assert_eq!(float_to_int(-fits, wide, Sign::Signed), wide.integer(-1 << 64));
        assert_eq!(float_to_int(fits, wide, Sign::Unsigned), wide.integer(1 << 64));
        assert_eq!(float_to_int(not, wide, Sign::Unsigned), Ok(Datum::Poison));
        assert_eq!(float_to_int(-0.9, wide, Sign::Unsigned), wide.integer(0));
        assert_eq!(float_to_int(f64::NAN, wide, Sign::Signed), Ok(Datum::Poison));
    }
}
