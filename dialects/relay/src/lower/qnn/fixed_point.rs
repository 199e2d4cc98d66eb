//! Multiplication of integers by real numbers in fixed-point arithmetic: by a multiplier below 1 with 31 binary places and
//! by a power of two.

use crate::lower::pointwise::each;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, from_front, undefined_for};
use crate::lower::{Lowered, Rule};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Type, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "fixed_point_multiply" => |site, b| site.fixed_point_multiply(b),
        "fixed_point_multiply_per_axis" => |site, b| site.fixed_point_multiply_per_axis(b),
        _ => return None,
    })
}

/// The direction in which a number halfway between two integers is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    /// Up.
    Up,
    /// Away from zero.
    Away,
}

const WIDE: DType = DType::I64;

fn number(b: &mut Builder<'_>, value: i64) -> Value {
    scalar::integer(b, value, WIDE)
}

/// The multiplier and the exponent of a positive `f64`, as `i64`: `multiplier * 2^(exponent - 31)`, where the multiplier is
/// rounded to 31 bits.
pub(super) fn decomposed(b: &mut Builder<'_>, value: Value) -> (Value, Value) {
    let bits = arith::bitcast(b, value, Type::I64);
    let (places, field, bias) = (number(b, 52), number(b, 0x7ff), number(b, 1022));
    let exponent = arith::shrui(b, bits, places);
    let exponent = arith::andi(b, exponent, field);
    let exponent = arith::subi(b, exponent, bias);
    let (mantissa, hidden) = (number(b, (1 << 52) - 1), number(b, 1 << 52));
    let fraction = arith::andi(b, bits, mantissa);
    let fraction = arith::ori(b, fraction, hidden);
    let (half, dropped) = (number(b, 1 << 21), number(b, 22));
    let rounded = arith::addi(b, fraction, half);
    let multiplier = arith::shrui(b, rounded, dropped);
    // A fraction that is rounded to 1.
    let (full, less, one, zero) = (number(b, 1 << 31), number(b, 1 << 30), number(b, 1), number(b, 0));
    let is_full = arith::cmpi(b, arith::CmpIPredicate::Eq, multiplier, full);
    let multiplier = arith::select(b, is_full, less, multiplier);
    let more = arith::addi(b, exponent, one);
    let exponent = arith::select(b, is_full, more, exponent);
    let nothing = scalar::zero(b, DType::Float(64));
    let is_zero = scalar::compare(b, Compare::Eq, value, nothing, DType::Float(64));
    (arith::select(b, is_zero, zero, multiplier), arith::select(b, is_zero, zero, exponent))
}

/// The product of an `i64` and a number in fixed-point arithmetic, modulo 2^64 before it is rounded.
pub(super) fn multiplied(
    b: &mut Builder<'_>,
    value: Value,
    (multiplier, exponent): (Value, Value),
    half: Half,
) -> Value {
    let (zero, places) = (number(b, 0), number(b, 31));
    let left = arith::maxsi(b, exponent, zero);
    let right = arith::minsi(b, exponent, zero);
    let right = arith::subi(b, places, right);
    shifted(b, value, multiplier, left, right, half)
}

/// `(value << left) * multiplier`, shifted to the right by `right` of at least 1 and rounded.
fn shifted(
    b: &mut Builder<'_>,
    value: Value,
    multiplier: Value,
    left: Value,
    right: Value,
    half: Half,
) -> Value {
    let value = scalar::left_shift(b, value, left, WIDE);
    let product = arith::muli(b, value, multiplier);
    let one = number(b, 1);
    let below = arith::subi(b, right, one);
    let rounder = scalar::left_shift(b, one, below, WIDE);
    let rounder = match half {
        Half::Up => rounder,
        Half::Away => {
            let less = arith::subi(b, rounder, one);
            let zero = number(b, 0);
            let negative = arith::cmpi(b, arith::CmpIPredicate::Slt, value, zero);
            arith::select(b, negative, less, rounder)
        }
    };
    let rounded = arith::addi(b, product, rounder);
    let done = scalar::right_shift(b, rounded, right, WIDE);
    // A product has at most 62 bits, which a longer shift leaves none of.
    let (most, zero) = (number(b, 62), number(b, 0));
    let far = arith::cmpi(b, arith::CmpIPredicate::Sgt, right, most);
    arith::select(b, far, zero, done)
}

impl Site {
    fn fixed_point_multiply(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        integral(dtype)?;
        let by = |name: &str| self.attrs.int(name).unwrap_or(0);
        let (multiplier, shift) = (by("multiplier"), by("shift"));
        Ok(vec![each(b, data, dtype, |b, value| {
            let value = scalar::cast(b, value, dtype, WIDE);
            let factor = (number(b, multiplier), number(b, shift));
            let done = multiplied(b, value, factor, Half::Up);
            scalar::cast(b, done, WIDE, dtype)
        })])
    }

    fn fixed_point_multiply_per_axis(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        integral(dtype)?;
        let axis = match self.attrs.ints("axes").as_deref() {
            Some(&[axis]) => from_front(axis, data.rank()),
            _ => return Err("it must have exactly one axis".to_owned()),
        };
        let params = [self.arg(1), self.arg(2), self.arg(3)];
        let types = params.map(|param| param.dtype());
        let [lefts, rights] = ["is_lshift_required", "is_rshift_required"].map(|name| self.attrs.flag(name));
        Ok(vec![self.with_params(b, data, axis, &params, dtype, |b, value, params| {
            let value = scalar::cast(b, value, dtype, WIDE);
            let [multiplier, left, right] =
                [0, 1, 2].map(|index| scalar::cast(b, params[index], types[index], WIDE));
            let (zero, places) = (number(b, 0), number(b, 31));
            let left = if lefts { left } else { zero };
            let right = if rights { arith::addi(b, places, right) } else { places };
            let done = shifted(b, value, multiplier, left, right, Half::Up);
            scalar::cast(b, done, WIDE, dtype)
        })])
    }
}

fn integral(dtype: DType) -> Result<(), String> {
    if dtype.is_float() { Err(undefined_for(dtype)) } else { Ok(()) }
}
