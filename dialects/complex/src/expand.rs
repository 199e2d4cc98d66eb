//! Expansion of operations into those of `arith` and `math`, by `expand-math`.

use crate::algorithms::{self, Arithmetic, Function, Parts};
use crate::evaluate::{Outcome, Power};
use crate::*;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_ir::{Builder, Context, DialectBuilder, FloatKind, Op, OpDef, Type, Value};
use minoan_math as math;
use minoan_services::{Evaluate, Expand, FloatPolicy, LoopOps, MachineModel};
use std::marker::PhantomData;
use std::sync::Arc;

/// An algorithm for numbers and for operations. An algorithm of one operand ignores the second one.
pub(crate) trait Compute: Send + Sync + 'static {
    /// Whether numbers with parts of `f32` or narrower are computed in `f64`, since errors of intermediate results grow with the
    /// operands.
    const WIDENS: bool;

    fn numbers<A: Arithmetic>(a: &mut A, operands: [Parts<A>; 2]) -> Outcome<A::Float, A::Truth>;
}

/// Evaluates and expands an operation by an algorithm.
pub(crate) struct Algorithm<C>(PhantomData<C>);

/// Creates operations on floats of one type.
struct Emit<'e, 'b> {
    b: &'e mut Builder<'b>,
    ty: Type,
    is_double: bool,
}

impl Arithmetic for Emit<'_, '_> {
    type Float = Value;
    type Truth = Value;

    fn float(&mut self, value: f64) -> Value {
        arith::constant_float(self.b, value, self.ty)
    }
    fn largest(&self) -> f64 {
        if self.is_double { f64::MAX } else { f32::MAX.into() }
    }
    fn smallest(&self) -> f64 {
        if self.is_double { f64::MIN_POSITIVE } else { f32::MIN_POSITIVE.into() }
    }
    fn epsilon(&self) -> f64 {
        if self.is_double { f64::EPSILON } else { f32::EPSILON.into() }
    }
    fn add(&mut self, x: Value, y: Value) -> Value {
        arith::addf(self.b, x, y)
    }
    fn sub(&mut self, x: Value, y: Value) -> Value {
        arith::subf(self.b, x, y)
    }
    fn mul(&mut self, x: Value, y: Value) -> Value {
        arith::mulf(self.b, x, y)
    }
    fn div(&mut self, x: Value, y: Value) -> Value {
        arith::divf(self.b, x, y)
    }
    fn neg(&mut self, x: Value) -> Value {
        arith::negf(self.b, x)
    }
    fn copysign(&mut self, x: Value, y: Value) -> Value {
        math::copysign(self.b, x, y)
    }
    fn atan2(&mut self, y: Value, x: Value) -> Value {
        math::atan2(self.b, y, x)
    }
    fn pow(&mut self, x: Value, y: Value) -> Value {
        math::powf(self.b, x, y)
    }
    fn call(&mut self, function: Function, x: Value) -> Value {
        match function {
            Function::Abs => math::absf(self.b, x),
            Function::Cos => math::cos(self.b, x),
            Function::Cosh => math::cosh(self.b, x),
            Function::Exp => math::exp(self.b, x),
            Function::ExpM1 => math::expm1(self.b, x),
            Function::Log => math::log(self.b, x),
            Function::Log1p => math::log1p(self.b, x),
            Function::Sin => math::sin(self.b, x),
            Function::Sinh => math::sinh(self.b, x),
            Function::Sqrt => math::sqrt(self.b, x),
        }
    }
    fn equal(&mut self, x: Value, y: Value) -> Value {
        arith::cmpf(self.b, CmpFPredicate::Oeq, x, y)
    }
    fn less(&mut self, x: Value, y: Value) -> Value {
        arith::cmpf(self.b, CmpFPredicate::Olt, x, y)
    }
    fn unordered(&mut self, x: Value, y: Value) -> Value {
        arith::cmpf(self.b, CmpFPredicate::Uno, x, y)
    }
    fn and(&mut self, x: Value, y: Value) -> Value {
        arith::andi(self.b, x, y)
    }
    fn or(&mut self, x: Value, y: Value) -> Value {
        arith::ori(self.b, x, y)
    }
    fn not(&mut self, x: Value) -> Value {
        let yes = arith::constant_bool(self.b, true);
        arith::xori(self.b, x, yes)
    }
    fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        arith::select(self.b, condition, x, y)
    }
}

/// The type in which numbers with parts of a type are computed; of [`Compute::WIDENS`], `f64`.
fn wide(ctx: &Context, part: Type, widens: bool) -> Option<Type> {
    match part.float_kind(ctx)? {
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 if !widens => Some(Type::F32),
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64 => Some(Type::F64),
        _ => None,
    }
}

/// The parts of a number, extended to a type.
fn parts(b: &mut Builder<'_>, number: Value, ty: Type) -> [Value; 2] {
    [re(b, number), im(b, number)].map(|part| if b.ty(part) == ty { part } else { arith::extf(b, part, ty) })
}

/// A float rounded to a type; from `f64` to 16 bits by way of `f32`, as in evaluation.
fn rounded(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    let mut value = value;
    if b.ty(value) == Type::F64 && ty != Type::F64 {
        value = arith::truncf(b, value, Type::F32);
    }
    if b.ty(value) == ty { value } else { arith::truncf(b, value, ty) }
}

/// The number with these parts, rounded to the type of the result.
fn number(b: &mut Builder<'_>, value: [Value; 2], ty: Type) -> Option<Value> {
    let part = part_type(&b.context(), ty)?;
    let [re, im] = value.map(|value| rounded(b, value, part));
    Some(create(b, re, im, ty))
}

impl<C: Compute> Expand for Algorithm<C> {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let (ctx, view) = (b.context(), b.body().op(op));
        let (operands, result): (Vec<Value>, Type) = (view.operands().collect(), view.result_types().next()?);
        let ty = wide(&ctx, part_type(&ctx, view.operand_types().next()?)?, C::WIDENS)?;
        let (&first, &last) = (operands.first()?, operands.last()?);
        let x = parts(b, first, ty);
        let y = if operands.len() > 1 { parts(b, last, ty) } else { x };
        let outcome = C::numbers(&mut Emit { b: &mut *b, ty, is_double: ty == Type::F64 }, [x, y]);
        Some(vec![match outcome {
            Outcome::Complex(value) => number(b, value, result)?,
            Outcome::Real(value) => rounded(b, value, result),
            Outcome::Truth(value) => value,
        }])
    }
}

impl Expand for Power {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let (ctx, view) = (b.context(), b.body().op(op));
        let (base, exponent) = (view.operand(0), view.operand(1));
        let result = view.result_types().next()?;
        let ty = wide(&ctx, part_type(&ctx, result)?, false)?;
        let (integer, width) = (b.ty(exponent), b.ty(exponent).integer_width(&ctx)?);
        let loops = <dyn LoopOps>::any(&ctx)?;
        let square = parts(b, base, ty);
        let [zero, one] = [0, 1].map(|value| arith::constant_int(b, value, integer));
        let negative = arith::cmpi(b, CmpIPredicate::Slt, exponent, zero);
        // The magnitude of the least integer is that integer, taken as unsigned.
        let opposite = arith::subi(b, zero, exponent);
        let magnitude = arith::select(b, negative, opposite, exponent);
        let range = [0, i64::from(width), 1].map(|bound| arith::constant_index(b, bound));
        let init = [arith::constant_float(b, 1.0, ty), arith::constant_float(b, 0.0, ty)];
        let init = [init[0], init[1], square[0], square[1], magnitude];
        let is_double = ty == Type::F64;
        let carried = loops.repeat(b, range, &init, &mut |b, _, carried| {
            let &[re, im, square_re, square_im, rest] = carried else {
                unreachable!("as many values as before")
            };
            let low = arith::andi(b, rest, one);
            let is_odd = arith::cmpi(b, CmpIPredicate::Ne, low, zero);
            let (result, square) = ([re, im], [square_re, square_im]);
            let mut a = Emit { b: &mut *b, ty, is_double };
            let product = algorithms::mul(&mut a, result, square);
            let next = [0, 1].map(|part| a.select(is_odd, product[part], result[part]));
            let square = algorithms::mul(&mut a, square, square);
            // A shift by one is undefined for integers of one bit, which have no further bits.
            let rest = if width > 1 { arith::shrui(b, rest, one) } else { zero };
            vec![next[0], next[1], square[0], square[1], rest]
        });
        let mut a = Emit { b: &mut *b, ty, is_double };
        let (unit, power) = ([a.float(1.0), a.float(0.0)], [carried[0], carried[1]]);
        let reciprocal = algorithms::div(&mut a, unit, power);
        let value = [0, 1].map(|part| a.select(negative, reciprocal[part], power[part]));
        Some(vec![number(b, value, result)?])
    }
}

/// Expands a bitcast into shifts of the bits of the parts.
struct Bits;

impl Bits {
    /// The number as an integer of type `whole`, from parts whose bits are of type `half`.
    fn joined(b: &mut Builder<'_>, number: Value, half: Type, whole: Type) -> Value {
        let width = half.integer_width(&b.context()).unwrap_or(0);
        let [low, high] = [re(b, number), im(b, number)].map(|part| {
            let bits = arith::bitcast(b, part, half);
            arith::extui(b, bits, whole)
        });
        let shift = arith::constant_int(b, width.into(), whole);
        let high = arith::shli(b, high, shift);
        arith::ori(b, low, high)
    }

    /// The parts of type `part`, whose bits are of type `half`, of an integer.
    fn split(b: &mut Builder<'_>, bits: Value, half: Type, part: Type) -> [Value; 2] {
        let width = half.integer_width(&b.context()).unwrap_or(0);
        let shift = arith::constant_int(b, width.into(), b.ty(bits));
        let high = arith::shrui(b, bits, shift);
        [bits, high].map(|bits| {
            let bits = arith::trunci(b, bits, half);
            arith::bitcast(b, bits, part)
        })
    }
}

impl Expand for Bits {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let (ctx, view) = (b.context(), b.body().op(op));
        let (operand, result) = (view.operand(0), view.result_types().next()?);
        if b.ty(operand) == result {
            return Some(vec![operand]);
        }
        let number = part_type(&ctx, b.ty(operand)).or_else(|| part_type(&ctx, result))?;
        // There are no operations on the parts of complex numbers of integers.
        let width = number.float_kind(&ctx)?.width();
        let (half, whole) = (Type::integer(&ctx, width), Type::integer(&ctx, 2 * width));
        let cast = |b: &mut Builder<'_>, value: Value, ty: Type| {
            if b.ty(value) == ty { value } else { arith::bitcast(b, value, ty) }
        };
        if part_type(&ctx, b.ty(operand)).is_some() {
            let bits = Self::joined(b, operand, half, whole);
            return Some(vec![cast(b, bits, result)]);
        }
        let bits = cast(b, operand, whole);
        let [real, imaginary] = Self::split(b, bits, half, number);
        Some(vec![create(b, real, imaginary, result)])
    }
}

/// Registers evaluation and expansion by an algorithm.
fn algorithm<O: OpDef, C: Compute>(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(Algorithm::<C>(PhantomData)));
    dialect.op_service::<O, dyn Expand>(Arc::new(Algorithm::<C>(PhantomData)));
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    macro_rules! algorithms {
        ($($op:ident $($widens:literal)? |$a:ident, $x:ident, $y:ident| $outcome:ident($value:expr);)*) => {$({
            struct Of;
            impl Compute for Of {
                const WIDENS: bool = [$($widens,)? false][0];

                fn numbers<A: Arithmetic>($a: &mut A, [$x, $y]: [Parts<A>; 2]) -> Outcome<A::Float, A::Truth> {
                    Outcome::$outcome($value)
                }
            }
            algorithm::<$op, Of>(dialect);
        })*};
    }
    algorithms! {
        Abs |a, x, _y| Real(algorithms::abs(a, x));
        Add |a, x, y| Complex(algorithms::add(a, x, y));
        Angle |a, x, _y| Real(algorithms::angle(a, x));
        Atan2 |a, y, x| Complex(algorithms::atan2(a, y, x));
        Conj |a, x, _y| Complex(algorithms::conj(a, x));
        Cos |a, x, _y| Complex(algorithms::cos(a, x));
        Div |a, x, y| Complex(algorithms::div(a, x, y));
        Eq |a, x, y| Truth(algorithms::equal(a, x, y));
        Exp |a, x, _y| Complex(algorithms::exp(a, x));
        ExpM1 |a, x, _y| Complex(algorithms::expm1(a, x));
        Log |a, x, _y| Complex(algorithms::log(a, x));
        Log1p |a, x, _y| Complex(algorithms::log1p(a, x));
        Mul |a, x, y| Complex(algorithms::mul(a, x, y));
        Neg |a, x, _y| Complex(algorithms::neg(a, x));
        Neq |a, x, y| Truth({ let same = algorithms::equal(a, x, y); a.not(same) });
        Pow true |a, x, y| Complex(algorithms::pow(a, x, y));
        Rsqrt |a, x, _y| Complex(algorithms::rsqrt(a, x));
        Sign |a, x, _y| Complex(algorithms::sign(a, x));
        Sin |a, x, _y| Complex(algorithms::sin(a, x));
        Sqrt |a, x, _y| Complex(algorithms::sqrt(a, x));
        Sub |a, x, y| Complex(algorithms::sub(a, x, y));
        Tan |a, x, _y| Complex(algorithms::tan(a, x));
        Tanh |a, x, _y| Complex(algorithms::tanh(a, x));
    }
    dialect.op_service::<PowI, dyn Evaluate>(Arc::new(Power));
    dialect.op_service::<PowI, dyn Expand>(Arc::new(Power));
    dialect.op_service::<Bitcast, dyn Expand>(Arc::new(Bits));
    canonicalize::register(dialect);
}
