//! Derivatives of mathematical functions.

use crate::{
    AbsF, Acos, Acosh, Asin, Asinh, Atan, Atanh, Cbrt, Ceil, Cos, Cosh, Erf, Erfc, Exp, Exp2, ExpM1, Floor,
    Log, Log1p, Log2, Log10, Round, RoundEven, Rsqrt, Sin, Sinh, Sqrt, Tan, Tanh, Trunc, copysign, cos, cosh,
    exp, fpowi, log, powf, sin, sinh, sqrt,
};
use minoan_arith::{
    CmpFPredicate, CmpIPredicate, addf, andi, cmpf, cmpi, constant_float, constant_int, divf, extsi,
    index_cast, mulf, negf, select, sitofp, subf, subi, zero_without_cause,
};
use minoan_ir::{Builder, DialectBuilder, OpRef, Type, Value};
use minoan_services::{DerivativeRule, Differentiate, TangentCx, constant_of};
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};
use std::sync::Arc;

type Outcome = Result<(), String>;

/// Registers the rules of functions of one operand: the tangent from the operand, the result and the tangent of the operand.
macro_rules! unary {
    ($dialect:ident, $singular:expr, $($op:ident |$b:ident, $x:pat_param, $y:pat_param, $dx:ident| $tangent:expr;)*) => {$(
        $dialect.op_service::<$op, dyn Differentiate>(Arc::new(DerivativeRule::new(|cx| {
            if let Some($dx) = cx.d(0) {
                let ($x, $y) = (cx.primal(0), cx.result(0));
                let $b = &mut *cx.b;
                let tangent = $tangent;
                cx.set(0, tangent);
            }
            Ok(())
        }).singular(|_| $singular)));
    )*};
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    unary! { dialect, false,
        // The subgradient at zero is -1, as the derivative of "if x > 0 then x else -x".
        AbsF |b, x, _, dx| {
            let zero = like(b, 0.0, x);
            let positive = cmpf(b, CmpFPredicate::Ogt, x, zero);
            let minus = negf(b, dx);
            select(b, positive, dx, minus)
        };
        Atan |b, x, _, dx| { let square = mulf(b, x, x); let sum = plus(b, square, 1.0); divf(b, dx, sum) };
        Asinh |b, x, _, dx| {
            let square = mulf(b, x, x);
            let sum = plus(b, square, 1.0);
            let root = sqrt(b, sum);
            divf(b, dx, root)
        };
        Cos |b, x, _, dx| { let sine = sin(b, x); let minus = negf(b, sine); mulf(b, dx, minus) };
        Cosh |b, x, _, dx| { let sine = sinh(b, x); mulf(b, dx, sine) };
        Erf |b, x, _, dx| { let slope = slope_of_erf(b, x, FRAC_2_SQRT_PI); mulf(b, dx, slope) };
        Erfc |b, x, _, dx| { let slope = slope_of_erf(b, x, -FRAC_2_SQRT_PI); mulf(b, dx, slope) };
        Exp |b, _, y, dx| mulf(b, dx, y);
        Exp2 |b, _, y, dx| { let slope = times(b, y, LN_2); mulf(b, dx, slope) };
        ExpM1 |b, _, y, dx| { let slope = plus(b, y, 1.0); mulf(b, dx, slope) };
        Sin |b, x, _, dx| { let cosine = cos(b, x); mulf(b, dx, cosine) };
        Sinh |b, x, _, dx| { let cosine = cosh(b, x); mulf(b, dx, cosine) };
        Tan |b, _, y, dx| { let square = mulf(b, y, y); let slope = plus(b, square, 1.0); mulf(b, dx, slope) };
        Tanh |b, _, y, dx| {
            let square = mulf(b, y, y);
            let one = like(b, 1.0, y);
            let slope = subf(b, one, square);
            mulf(b, dx, slope)
        };
    }
    unary! { dialect, true,
        Acos |b, x, _, dx| { let root = root_of_one_minus_square(b, x); let minus = negf(b, dx); divf(b, minus, root) };
        Asin |b, x, _, dx| { let root = root_of_one_minus_square(b, x); divf(b, dx, root) };
        Acosh |b, x, _, dx| {
            let (below, above) = (plus(b, x, -1.0), plus(b, x, 1.0));
            let (below, above) = (sqrt(b, below), sqrt(b, above));
            let root = mulf(b, below, above);
            divf(b, dx, root)
        };
        Atanh |b, x, _, dx| {
            let square = mulf(b, x, x);
            let one = like(b, 1.0, x);
            let difference = subf(b, one, square);
            divf(b, dx, difference)
        };
        Cbrt |b, _, y, dx| { let square = mulf(b, y, y); let triple = times(b, square, 3.0); divf(b, dx, triple) };
        Log |b, x, _, dx| divf(b, dx, x);
        Log10 |b, x, _, dx| { let scaled = times(b, x, LN_10); divf(b, dx, scaled) };
        Log1p |b, x, _, dx| { let sum = plus(b, x, 1.0); divf(b, dx, sum) };
        Log2 |b, x, _, dx| { let scaled = times(b, x, LN_2); divf(b, dx, scaled) };
        Rsqrt |b, x, y, dx| {
            let ratio = divf(b, y, x);
            let slope = times(b, ratio, -0.5);
            mulf(b, dx, slope)
        };
        Sqrt |b, _, y, dx| { let twice = addf(b, y, y); divf(b, dx, twice) };
    }
    dialect
        .op_service::<Ceil, dyn Differentiate>(Arc::new(DerivativeRule::zero()))
        .op_service::<Floor, dyn Differentiate>(Arc::new(DerivativeRule::zero()))
        .op_service::<Round, dyn Differentiate>(Arc::new(DerivativeRule::zero()))
        .op_service::<RoundEven, dyn Differentiate>(Arc::new(DerivativeRule::zero()))
        .op_service::<Trunc, dyn Differentiate>(Arc::new(DerivativeRule::zero()));
}

fn like(b: &mut Builder<'_>, number: f64, value: Value) -> Value {
    let ty = b.ty(value);
    constant_float(b, number, ty)
}

fn plus(b: &mut Builder<'_>, x: Value, number: f64) -> Value {
    let number = like(b, number, x);
    addf(b, x, number)
}

fn times(b: &mut Builder<'_>, x: Value, number: f64) -> Value {
    let number = like(b, number, x);
    mulf(b, x, number)
}

fn sum(b: &mut Builder<'_>, parts: &[Option<Value>]) -> Option<Value> {
    parts.iter().flatten().copied().reduce(|x, y| addf(b, x, y))
}

/// `sqrt((1 - x) (1 + x))`, accurate near 1.
fn root_of_one_minus_square(b: &mut Builder<'_>, x: Value) -> Value {
    let one = like(b, 1.0, x);
    let (below, above) = (subf(b, one, x), addf(b, one, x));
    let product = mulf(b, below, above);
    sqrt(b, product)
}

fn slope_of_erf(b: &mut Builder<'_>, x: Value, factor: f64) -> Value {
    let square = mulf(b, x, x);
    let minus = negf(b, square);
    let bell = exp(b, minus);
    times(b, bell, factor)
}

/// `d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)`.
pub(crate) fn atan2_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (y, x) = (cx.primal(0), cx.primal(1));
    let b = &mut *cx.b;
    let (squares, other) = (mulf(b, x, x), mulf(b, y, y));
    let norm = addf(b, squares, other);
    let first = cx.d(0).map(|dy| {
        let slope = divf(cx.b, x, norm);
        mulf(cx.b, dy, slope)
    });
    let second = cx.d(1).map(|dx| {
        let slope = divf(cx.b, y, norm);
        let slope = negf(cx.b, slope);
        mulf(cx.b, dx, slope)
    });
    let total = sum(cx.b, &[first, second]);
    cx.set(0, total);
    Ok(())
}

pub(crate) fn clamp(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if [0, 1, 2].into_iter().all(|operand| cx.d(operand).is_none()) {
        return Ok(());
    }
    let [x, low, high] = [0, 1, 2].map(|operand| cx.primal(operand));
    let zero = like(cx.b, 0.0, x);
    let [dx, dlow, dhigh] = [0, 1, 2].map(|operand| cx.d(operand).unwrap_or(zero));
    let is_low = cmpf(cx.b, CmpFPredicate::Olt, x, low);
    let is_high = cmpf(cx.b, CmpFPredicate::Ogt, x, high);
    let rest = select(cx.b, is_high, dhigh, dx);
    let tangent = select(cx.b, is_low, dlow, rest);
    cx.set(0, tangent);
    Ok(())
}

/// The sign of the first operand is replaced, so the tangent is negated if the signs differ.
pub(crate) fn copysign_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if let Some(dx) = cx.d(0) {
        let (x, sign) = (cx.primal(0), cx.primal(1));
        let one = like(cx.b, 1.0, x);
        let (own, wanted) = (copysign(cx.b, one, x), copysign(cx.b, one, sign));
        let factor = mulf(cx.b, own, wanted);
        let tangent = mulf(cx.b, dx, factor);
        cx.set(0, tangent);
    }
    Ok(())
}

pub(crate) fn fma_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y) = (cx.primal(0), cx.primal(1));
    let first = cx.d(0).map(|dx| mulf(cx.b, dx, y));
    let second = cx.d(1).map(|dy| mulf(cx.b, dy, x));
    let third = cx.d(2);
    let total = sum(cx.b, &[first, second, third]);
    cx.set(0, total);
    Ok(())
}

/// `d x^n = n x^(n-1) dx`; zero for `n = 0`, also where `x^-1` is infinite.
pub(crate) fn fpowi_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if let Some(dx) = cx.d(0) {
        let (x, n) = (cx.primal(0), cx.primal(1));
        let (ctx, ty, float) = (cx.b.context(), cx.b.ty(n), cx.b.ty(x));
        let element = ty.element_or_self(&ctx);
        let with = |new: Type| if ty == element { Some(new) } else { ty.with_element(&ctx, new) };
        // One less than the least number of a narrow type is not in it. Only integers convert to floats.
        let is_narrow = element.integer_width(&ctx).is_some_and(|width| width < 32);
        let (n, ty) = match (with(Type::I32), with(Type::I64)) {
            (Some(wide), _) if is_narrow => (extsi(cx.b, n, wide), wide),
            (_, Some(wide)) if element == Type::INDEX => (index_cast(cx.b, n, wide), wide),
            _ => (n, ty),
        };
        let (one, zero) = (constant_int(cx.b, 1, ty), constant_int(cx.b, 0, ty));
        let less = subi(cx.b, n, one);
        let power = fpowi(cx.b, x, less);
        let factor = sitofp(cx.b, n, float);
        let slope = mulf(cx.b, factor, power);
        let is_constant = cmpi(cx.b, CmpIPredicate::Eq, n, zero);
        let none = like(cx.b, 0.0, x);
        let slope = select(cx.b, is_constant, none, slope);
        let tangent = mulf(cx.b, dx, slope);
        cx.set(0, tangent);
    }
    Ok(())
}

/// Whether a power with an integer exponent may be infinite at zero.
pub(crate) fn may_have_pole(op: OpRef<'_>) -> bool {
    let exponent = constant_of(op.body(), op.operand(1)).and_then(|attr| attr.as_i64(op.context()));
    exponent.is_none_or(|exponent| exponent < 0)
}

/// `d x^y = y x^(y-1) dx + x^y log(x) dy`. The first factor is zero for `y = 0`, the second one for `x = 0` and `y >= 0`, where
/// the power does not depend on `y`; at a negative `y` it is the limit. The first one is only replaced where it is not a
/// number, since its derivative with respect to `y` is not zero.
pub(crate) fn powf_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y, power) = (cx.primal(0), cx.primal(1), cx.result(0));
    let zero = like(cx.b, 0.0, x);
    let first = cx.d(0).map(|dx| {
        let less = plus(cx.b, y, -1.0);
        let lower = powf(cx.b, x, less);
        let slope = mulf(cx.b, y, lower);
        let is_constant = cmpf(cx.b, CmpFPredicate::Oeq, y, zero);
        let is_undefined = cmpf(cx.b, CmpFPredicate::Uno, slope, slope);
        let is_replaced = andi(cx.b, is_constant, is_undefined);
        let slope = select(cx.b, is_replaced, zero, slope);
        along(cx, dx, slope)
    });
    let second = cx.d(1).map(|dy| {
        let logarithm = log(cx.b, x);
        let slope = mulf(cx.b, power, logarithm);
        let is_zero = cmpf(cx.b, CmpFPredicate::Oeq, x, zero);
        let is_positive = cmpf(cx.b, CmpFPredicate::Oge, y, zero);
        let is_constant = andi(cx.b, is_zero, is_positive);
        let slope = select(cx.b, is_constant, zero, slope);
        along(cx, dy, slope)
    });
    let total = sum(cx.b, &[first, second]);
    cx.set(0, total);
    Ok(())
}

/// The product of a tangent and a slope. In a direction in which the operand does not change, it is zero even if the slope is
/// infinite or not a number, so that it does not hide the other terms.
fn along(cx: &mut TangentCx<'_, '_>, tangent: Value, slope: Value) -> Value {
    let product = mulf(cx.b, tangent, slope);
    match cx.is_transposed() {
        true => product,
        false => zero_without_cause(cx.b, &[tangent], product),
    }
}

pub(crate) fn sincos(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if let Some(dx) = cx.d(0) {
        let (sine, cosine) = (cx.result(0), cx.result(1));
        let first = mulf(cx.b, dx, cosine);
        let minus = negf(cx.b, sine);
        let second = mulf(cx.b, dx, minus);
        cx.set(0, first);
        cx.set(1, second);
    }
    Ok(())
}
