//! Evaluation: the [algorithms](crate::algorithms) on numbers.

use crate::algorithms::{Arithmetic, Function, Parts};
use crate::expand::{Algorithm, Compute};
use minoan_ir::{OpRef, Signedness};
use minoan_services::{Datum, Evaluate, Flow, Machine, Scalar, Trap, operand_scalar, result_scalar};
use num_bigint::BigInt;

/// Numbers of type `f32`.
pub(crate) struct Single;

/// Numbers of type `f64`.
pub(crate) struct Double;

macro_rules! numbers {
    ($($name:ident $float:ident $sinh:path, $cosh:path;)*) => {$(
        impl Arithmetic for $name {
            type Float = $float;
            type Truth = bool;

            fn float(&mut self, value: f64) -> $float {
                value as $float
            }
            fn largest(&self) -> f64 {
                $float::MAX.into()
            }
            fn smallest(&self) -> f64 {
                $float::MIN_POSITIVE.into()
            }
            fn epsilon(&self) -> f64 {
                $float::EPSILON.into()
            }
            fn add(&mut self, x: $float, y: $float) -> $float {
                x + y
            }
            fn sub(&mut self, x: $float, y: $float) -> $float {
                x - y
            }
            fn mul(&mut self, x: $float, y: $float) -> $float {
                x * y
            }
            fn div(&mut self, x: $float, y: $float) -> $float {
                x / y
            }
            fn neg(&mut self, x: $float) -> $float {
                -x
            }
            fn copysign(&mut self, x: $float, y: $float) -> $float {
                x.copysign(y)
            }
            fn atan2(&mut self, y: $float, x: $float) -> $float {
                y.atan2(x)
            }
            fn pow(&mut self, x: $float, y: $float) -> $float {
                x.powf(y)
            }
            // The functions are those of `math`'s operations.
            fn call(&mut self, function: Function, x: $float) -> $float {
                match function {
                    Function::Abs => x.abs(),
                    Function::Cos => x.cos(),
                    Function::Cosh => $cosh(x),
                    Function::Exp => x.exp(),
                    Function::ExpM1 => x.exp_m1(),
                    Function::Log => x.ln(),
                    Function::Log1p => x.ln_1p(),
                    Function::Sin => x.sin(),
                    Function::Sinh => $sinh(x),
                    Function::Sqrt => x.sqrt(),
                }
            }
            fn equal(&mut self, x: $float, y: $float) -> bool {
                x == y
            }
            fn less(&mut self, x: $float, y: $float) -> bool {
                x < y
            }
            fn unordered(&mut self, x: $float, y: $float) -> bool {
                x.is_nan() || y.is_nan()
            }
            fn and(&mut self, x: bool, y: bool) -> bool {
                x & y
            }
            fn or(&mut self, x: bool, y: bool) -> bool {
                x | y
            }
            fn not(&mut self, x: bool) -> bool {
                !x
            }
            fn select(&mut self, condition: bool, x: $float, y: $float) -> $float {
                if condition { x } else { y }
            }
        }
    )*};
}

numbers! {
    Single f32 f32::sinh, f32::cosh;
    Double f64 f64::sinh, f64::cosh;
}

fn poisoned(operands: &[Datum]) -> bool {
    operands.iter().any(|operand| matches!(operand, Datum::Poison))
}

fn wrong(operands: &[Datum]) -> Trap {
    let found: Vec<String> = operands.iter().map(Datum::describe).collect();
    Trap::new(format!("expected complex numbers of one type, found {}", found.join(", ")))
}

/// The number with these parts, each rounded to the type of the result.
fn rounded(result: Scalar, parts: [f32; 2]) -> Datum {
    match result {
        Scalar::Complex(part) => Datum::Complex32(parts.map(|value| part.scalar().round(value))),
        _ => Datum::Complex32(parts),
    }
}

impl<C: Compute> Evaluate for Algorithm<C> {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        if poisoned(operands) {
            return Flow::one(Datum::Poison);
        }
        let result = result_scalar(op)?;
        let (zero, zeros) = ([0.0; 2], [0.0; 2]);
        let wide = |parts: [f32; 2]| parts.map(f64::from);
        Flow::one(match *operands {
            [Datum::Complex32(x), Datum::Complex32(y)] if C::WIDENS => {
                C::numbers(&mut Double, [wide(x), wide(y)]).narrowed().of_single(result)
            }
            [Datum::Complex32(x)] => C::numbers(&mut Single, [x, zero]).of_single(result),
            [Datum::Complex32(x), Datum::Complex32(y)] => C::numbers(&mut Single, [x, y]).of_single(result),
            [Datum::Complex64(x)] => C::numbers(&mut Double, [x, zeros]).of_double(),
            [Datum::Complex64(x), Datum::Complex64(y)] => C::numbers(&mut Double, [x, y]).of_double(),
            _ => return Err(wrong(operands)),
        })
    }
}

/// The result of an algorithm.
pub(crate) enum Outcome<F, T> {
    Complex([F; 2]),
    Real(F),
    Truth(T),
}

impl Outcome<f32, bool> {
    fn of_single(self, result: Scalar) -> Datum {
        match self {
            Outcome::Complex(parts) => rounded(result, parts),
            Outcome::Real(value) => Datum::F32(result.round(value)),
            Outcome::Truth(value) => value.into(),
        }
    }
}

impl Outcome<f64, bool> {
    fn narrowed(self) -> Outcome<f32, bool> {
        match self {
            Outcome::Complex(parts) => Outcome::Complex(parts.map(|part| part as f32)),
            Outcome::Real(value) => Outcome::Real(value as f32),
            Outcome::Truth(value) => Outcome::Truth(value),
        }
    }

    fn of_double(self) -> Datum {
        match self {
            Outcome::Complex(parts) => Datum::Complex64(parts),
            Outcome::Real(value) => value.into(),
            Outcome::Truth(value) => value.into(),
        }
    }
}

/// Square-and-multiply, in the order of the expansion.
pub(crate) struct Power;

fn power<A: Arithmetic>(a: &mut A, base: Parts<A>, exponent: &BigInt) -> Parts<A> {
    let (mut square, mut result) = (base, [a.float(1.0), a.float(0.0)]);
    let rest = exponent.magnitude();
    for at in 0..rest.bits() {
        if rest.bit(at) {
            result = crate::algorithms::mul(a, result, square);
        }
        square = crate::algorithms::mul(a, square, square);
    }
    if *exponent < BigInt::ZERO {
        let one = [a.float(1.0), a.float(0.0)];
        result = crate::algorithms::div(a, one, result);
    }
    result
}

impl Evaluate for Power {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        if poisoned(operands) {
            return Flow::one(Datum::Poison);
        }
        let [base, exponent] = operands else { return Err(wrong(operands)) };
        let (result, width) = (result_scalar(op)?, operand_scalar(op, 1)?.width()?);
        let exponent = exponent.wide()?.wrapped(width, Signedness::Signed).to_big();
        Flow::one(match *base {
            Datum::Complex32(base) => rounded(result, power(&mut Single, base, &exponent)),
            Datum::Complex64(base) => Datum::Complex64(power(&mut Double, base, &exponent)),
            _ => return Err(wrong(operands)),
        })
    }
}

pub(crate) struct Create;

impl Evaluate for Create {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(match *operands {
            _ if poisoned(operands) => Datum::Poison,
            [Datum::F32(re), Datum::F32(im)] => Datum::Complex32([re, im]),
            [Datum::F64(re), Datum::F64(im)] => Datum::Complex64([re, im]),
            _ => return Err(Trap::new("expected two floats of one type")),
        })
    }
}

pub(crate) struct TakePart(pub usize);

impl Evaluate for TakePart {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(match *operands {
            [Datum::Poison] => Datum::Poison,
            [Datum::Complex32(parts)] => parts[self.0].into(),
            [Datum::Complex64(parts)] => parts[self.0].into(),
            _ => return Err(wrong(operands)),
        })
    }
}

pub(crate) struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}

pub(crate) struct Bits;

impl Evaluate for Bits {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        if poisoned(operands) {
            return Flow::one(Datum::Poison);
        }
        // Between equal types of any kind it is the identity.
        if op.operand_types().eq(op.result_types()) {
            return Flow::one(operands[0].clone());
        }
        let (from, to) = (operand_scalar(op, 0)?, result_scalar(op)?);
        let bytes = from.bytes(&operands[0]).ok_or_else(|| wrong(operands))?;
        Flow::one(to.of_bytes(&bytes))
    }
}
