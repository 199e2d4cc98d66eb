//! Evaluation of the math operations.

use crate::*;
use minoan_ir::{DialectBuilder, OpDef, OpRef};
use minoan_services::{
    Bits, Datum, Evaluate, FloatTernary, FloatUnary, Flow, IntBits, MOST_NARROW, Machine, Scalar, Trap,
    UNDEFINED_POWER, WideBits, elementwise, operand_scalar, result_scalar,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::sync::Arc;

/// Registers the evaluation of all operations.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    register_unary(dialect);
    register_classes(dialect);
}

fn unary<O: OpDef>(dialect: &mut DialectBuilder<'_>, single: fn(f32) -> f32, double: fn(f64) -> f64) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(FloatUnary::new(single, double)));
}

fn register_unary(dialect: &mut DialectBuilder<'_>) {
    unary::<AbsF>(dialect, f32::abs, f64::abs);
    unary::<Acos>(dialect, f32::acos, f64::acos);
    // libm's functions return numbers for large negative arguments.
    unary::<Acosh>(
        dialect,
        |a| if a < 1.0 { f32::NAN } else { libm::acoshf(a) },
        |a| if a < 1.0 { f64::NAN } else { libm::acosh(a) },
    );
    unary::<Asin>(dialect, f32::asin, f64::asin);
    unary::<Asinh>(dialect, libm::asinhf, libm::asinh);
    unary::<Atan>(dialect, f32::atan, f64::atan);
    unary::<Atanh>(dialect, libm::atanhf, libm::atanh);
    unary::<Cbrt>(dialect, f32::cbrt, f64::cbrt);
    unary::<Ceil>(dialect, f32::ceil, f64::ceil);
    unary::<Cos>(dialect, f32::cos, f64::cos);
    unary::<Cosh>(dialect, f32::cosh, f64::cosh);
    unary::<Erf>(dialect, libm::erff, libm::erf);
    unary::<Erfc>(dialect, libm::erfcf, libm::erfc);
    unary::<Exp>(dialect, f32::exp, f64::exp);
    unary::<Exp2>(dialect, f32::exp2, f64::exp2);
    unary::<ExpM1>(dialect, f32::exp_m1, f64::exp_m1);
    unary::<Floor>(dialect, f32::floor, f64::floor);
    unary::<Log>(dialect, f32::ln, f64::ln);
    unary::<Log10>(dialect, f32::log10, f64::log10);
    unary::<Log1p>(dialect, f32::ln_1p, f64::ln_1p);
    unary::<Log2>(dialect, f32::log2, f64::log2);
    unary::<Round>(dialect, f32::round, f64::round);
    unary::<RoundEven>(dialect, f32::round_ties_even, f64::round_ties_even);
    unary::<Rsqrt>(dialect, |a| 1.0 / a.sqrt(), |a| 1.0 / a.sqrt());
    unary::<Sin>(dialect, f32::sin, f64::sin);
    unary::<Sinh>(dialect, f32::sinh, f64::sinh);
    unary::<Sqrt>(dialect, f32::sqrt, f64::sqrt);
    unary::<Tan>(dialect, f32::tan, f64::tan);
    unary::<Tanh>(dialect, f32::tanh, f64::tanh);
    unary::<Trunc>(dialect, f32::trunc, f64::trunc);
}

/// The maximum of the lower bound and the minimum of value and upper bound; NaN if one of them is NaN.
macro_rules! clamp {
    ($value:ident, $min:ident, $max:ident) => {{
        let capped = if $value > $max { $max } else { $value };
        if $value.is_nan() || $min.is_nan() || $max.is_nan() {
            $value + $min + $max
        } else if capped < $min {
            $min
        } else {
            capped
        }
    }};
}

pub(crate) fn clamp() -> FloatTernary {
    FloatTernary::new(|value, min, max| clamp!(value, min, max), |value, min, max| clamp!(value, min, max))
}

pub(crate) struct IntegerPower;

/// Square-and-multiply, in the order of the compiler's runtime library.
macro_rules! power {
    ($base:expr, $exponent:expr) => {{
        let (mut base, mut rest, mut result) = ($base, $exponent.unsigned_abs(), 1.0);
        loop {
            if rest & 1 == 1 {
                result *= base;
            }
            rest /= 2;
            if rest == 0 {
                break;
            }
            base *= base;
        }
        if $exponent < 0 { 1.0 / result } else { result }
    }};
}

/// An exponent; one of more than 128 bits is the largest or the smallest with its parity, whose powers are the same floats.
fn clamped(exponent: &Datum, width: u32) -> Result<i128, Trap> {
    if width <= MOST_NARROW {
        return Ok(Bits::of(exponent, width)?.signed());
    }
    let exponent = WideBits::of(exponent, width)?.signed();
    let odd = i128::from(exponent.is_odd());
    Ok(match i128::try_from(&exponent) {
        Ok(exponent) => exponent,
        Err(_) if exponent < BigInt::ZERO => i128::MIN + odd,
        Err(_) => i128::MAX - 1 + odd,
    })
}

impl Evaluate for IntegerPower {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        let width = operand_scalar(op, 1)?.width()?;
        Flow::one(elementwise(result, operands, machine, |[base, exponent]: [Datum; 2]| {
            let exponent = clamped(&exponent, width)?;
            match base {
                Datum::F32(base) => Ok(result.round(power!(base, exponent)).into()),
                Datum::F64(base) => Ok(power!(base, exponent).into()),
                other => Err(other.is_not("a float")),
            }
        })?)
    }
}

pub(crate) struct Ldexp;

impl Evaluate for Ldexp {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let result = result_scalar(op)?;
        Flow::one(elementwise(result, operands, machine, |[number, exponent]: [Datum; 2]| {
            let exponent = Bits { value: exponent.int()?, width: 32 }.signed() as i32;
            match number {
                Datum::F32(number) => Ok(libm::ldexpf(number, exponent).into()),
                Datum::F64(number) => Ok(libm::ldexp(number, exponent).into()),
                other => Err(other.is_not("a float")),
            }
        })?)
    }
}

pub(crate) struct SineAndCosine;

impl Evaluate for SineAndCosine {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (sin, cos) = (FloatUnary::new(f32::sin, f64::sin), FloatUnary::new(f32::cos, f64::cos));
        let mut results = Vec::with_capacity(2);
        for function in [sin, cos] {
            if let Flow::Next(one) = function.evaluate(op, operands, machine)? {
                results.extend(one);
            }
        }
        Ok(Flow::Next(results))
    }
}

pub(crate) fn ipowi<B: IntBits>(base: &B, exponent: &B) -> Result<B::Signed, Trap> {
    let (one, zero, width) = (B::Signed::one(), B::Signed::zero(), base.width());
    let (mut power, mut rest) = (base.signed(), exponent.signed());
    if rest < zero {
        return match power {
            base if base == zero => Err(Trap::undefined(UNDEFINED_POWER)),
            base if base == one => Ok(one),
            base if base == -one.clone() => Ok(if rest.is_even() { one } else { -one }),
            _ => Ok(zero),
        };
    }
    let product = |a: &B::Signed, b: &B::Signed| B::wrapped(a.clone() * b.clone(), width).signed();
    let two = one.clone() + one.clone();
    let mut result = one;
    while rest > zero {
        if rest.is_odd() {
            result = product(&result, &power);
        }
        power = product(&power, &power);
        rest = rest / two.clone();
    }
    Ok(result)
}

/// A classification of floats.
struct Class {
    narrow: fn(f32, Scalar) -> bool,
    double: fn(f64) -> bool,
}

fn register_classes(dialect: &mut DialectBuilder<'_>) {
    class::<IsFinite>(dialect, |a, _| a.is_finite(), f64::is_finite);
    class::<IsInf>(dialect, |a, _| a.is_infinite(), f64::is_infinite);
    class::<IsNaN>(dialect, |a, _| a.is_nan(), f64::is_nan);
    class::<IsNormal>(
        dialect,
        |a, format| match format {
            // The smallest normal `f16` is 2^-14; `bf16` has the exponent range of `f32`.
            Scalar::F16 => a.is_finite() && a.abs() >= 1.0 / 16384.0,
            _ => a.is_normal(),
        },
        f64::is_normal,
    );
}

fn class<O: OpDef>(
    dialect: &mut DialectBuilder<'_>,
    narrow: fn(f32, Scalar) -> bool,
    double: fn(f64) -> bool,
) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(Class { narrow, double }));
}

impl Evaluate for Class {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let format = operand_scalar(op, 0)?;
        Flow::one(elementwise(Scalar::Int { width: 1 }, operands, machine, |[a]: [Datum; 1]| match a {
            Datum::F32(a) => Ok((self.narrow)(a, format).into()),
            Datum::F64(a) => Ok((self.double)(a).into()),
            other => Err(Trap::new(format!("expected a float, found {}", other.describe()))),
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: i64, width: u32) -> Bits {
        Bits { value, width }
    }

    #[test]
    fn integer_powers_wrap() {
        assert_eq!(ipowi(&bits(3, 32), &bits(4, 32)), Ok(81));
        assert_eq!(ipowi(&bits(-1, 32), &bits(-3, 32)), Ok(-1));
        assert_eq!(ipowi(&bits(2, 32), &bits(-1, 32)), Ok(0));
        assert!(ipowi(&bits(0, 32), &bits(-1, 32)).is_err());
        assert_eq!(ipowi(&bits(0, 32), &bits(0, 32)), Ok(1));
        let big = ipowi(&bits(3, 64), &bits(81, 64)).expect("it wraps");
        assert_eq!(minoan_services::wrap(big, 64), 3i64.wrapping_pow(81));
    }

    #[test]
    fn float_powers_square_and_multiply() {
        assert_eq!(power!(2.0f32, 10i128), 1024.0);
        assert_eq!(power!(2.0f64, -2i128), 0.25);
        assert_eq!(power!(0.0f64, 0i128), 1.0);
    }
}
