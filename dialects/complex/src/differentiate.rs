//! Derivatives of complex numbers.
//!
//! The tangent of a complex number is one, and a derivative is a linear map of the real and imaginary parts. Its transpose is taken
//! with respect to the inner product `re(a) re(b) + im(a) im(b)`, so that of a multiplication by `c` is a multiplication by
//! `conj(c)`, and the cotangent of a real function is `df/dre + i df/dim`.

use crate::*;
use minoan_arith::{
    CmpFPredicate, CmpIPredicate, andi, cmpf, cmpi, constant_float, constant_int, divf, extsi, mulf,
    on_selected, select, sitofp, subi, zero_without_cause,
};
use minoan_ir::{Builder, DialectBuilder, OpDef, OpRef, Type, Value};
use minoan_services::{DerivativeRule, Differentiate, TangentCx, TransposeCx, constant_of, is_constant_zero};
use std::sync::Arc;

type Outcome = Result<(), String>;

/// Registers the rules of functions of one operand: the tangent from the operand, the result and the tangent of the operand.
macro_rules! unary {
    ($dialect:ident, $singular:expr, $($op:ident |$b:ident, $x:pat_param, $y:pat_param, $dx:ident| $tangent:expr;)*) => {$(
        rule::<$op>($dialect, DerivativeRule::new(|cx| {
            if let Some($dx) = cx.d(0) {
                let ($x, $y) = (cx.primal(0), cx.result(0));
                let $b = &mut *cx.b;
                let tangent = $tangent;
                cx.set(0, tangent);
            }
            Ok(())
        }).singular(|_| $singular));
    )*};
}

/// Registers the rules of linear functions of one operand: the tangent from that of the operand, and its transpose.
macro_rules! linear {
    ($dialect:ident, $($op:ident |$b:ident, $dx:ident| $tangent:expr, |$c:ident, $ct:ident| $cotangent:expr;)*) => {$(
        rule::<$op>($dialect, DerivativeRule::linear(
            |cx| {
                if let Some($dx) = cx.d(0) {
                    let $b = &mut *cx.b;
                    let tangent = $tangent;
                    cx.set(0, tangent);
                }
                Ok(())
            },
            |cx| {
                if let Some(ct) = cx.ct(0) {
                    let ct = on_selected(cx.b, ct, |$c, $ct| $cotangent);
                    cx.add(0, ct);
                }
                Ok(())
            },
        ));
    )*};
}

fn rule<O: OpDef>(dialect: &mut DialectBuilder<'_>, rule: DerivativeRule) {
    dialect.op_service::<O, dyn Differentiate>(Arc::new(rule));
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    linear! { dialect,
        Conj |b, dx| conj(b, dx), |b, ct| conj(b, ct);
        Neg |b, dx| neg(b, dx), |b, ct| neg(b, ct);
        Re |b, dx| re(b, dx), |b, ct| with_zero(b, ct, false);
        Im |b, dx| im(b, dx), |b, ct| with_zero(b, ct, true);
    }
    unary! { dialect, false,
        // The slope at zero is zero, a subgradient.
        Abs |b, x, _, dx| {
            let sign = sign(b, x);
            let sign = conj(b, sign);
            let product = mul(b, dx, sign);
            re(b, product)
        };
        Cos |b, x, _, dx| { let sine = sin(b, x); let slope = neg(b, sine); mul(b, dx, slope) };
        Exp |b, _, y, dx| mul(b, dx, y);
        ExpM1 |b, _, y, dx| { let slope = plus(b, y, 1.0); mul(b, dx, slope) };
        Sin |b, x, _, dx| { let cosine = cos(b, x); mul(b, dx, cosine) };
        Tan |b, _, y, dx| { let square = mul(b, y, y); let slope = plus(b, square, 1.0); mul(b, dx, slope) };
        Tanh |b, _, y, dx| {
            let square = mul(b, y, y);
            let one = like(b, 1.0, y);
            let slope = sub(b, one, square);
            mul(b, dx, slope)
        };
    }
    unary! { dialect, true,
        Angle |b, x, _, dx| { let ratio = div(b, dx, x); im(b, ratio) };
        Log |b, x, _, dx| div(b, dx, x);
        Log1p |b, x, _, dx| { let sum = plus(b, x, 1.0); div(b, dx, sum) };
        Rsqrt |b, x, y, dx| {
            let ratio = div(b, y, x);
            let half = like(b, -0.5, y);
            let slope = mul(b, ratio, half);
            mul(b, dx, slope)
        };
        // The number turns by the component of its tangent across it.
        Sign |b, x, y, dx| {
            let back = conj(b, y);
            let along = mul(b, dx, back);
            let across = im(b, along);
            let size = abs(b, x);
            let turn = divf(b, across, size);
            let turn = with_zero(b, turn, true);
            mul(b, turn, y)
        };
        Sqrt |b, _, y, dx| { let twice = add(b, y, y); div(b, dx, twice) };
    }
    rule::<Create>(dialect, DerivativeRule::linear(create_tangent, create_transpose));
    rule::<Add>(dialect, DerivativeRule::linear(add_tangent, add_transpose));
    rule::<Sub>(dialect, DerivativeRule::linear(sub_tangent, sub_transpose));
    rule::<Mul>(dialect, DerivativeRule::linear(mul_tangent, mul_transpose));
    rule::<Div>(dialect, DerivativeRule::linear(div_tangent, div_transpose).singular(may_divide_by_zero));
    rule::<Atan2>(dialect, DerivativeRule::new(atan2_tangent).singular(|_| true));
    rule::<Pow>(dialect, DerivativeRule::new(pow_tangent).singular(|_| true));
    rule::<PowI>(dialect, DerivativeRule::new(powi_tangent).singular(may_have_pole));
}

/// A real number as a number of the type of `value`.
fn like(b: &mut Builder<'_>, number: f64, value: Value) -> Value {
    let ty = b.ty(value);
    constant_number(b, [number, 0.0], ty)
}

fn plus(b: &mut Builder<'_>, x: Value, number: f64) -> Value {
    let number = like(b, number, x);
    add(b, x, number)
}

/// The complex number with a part, the imaginary one if `is_imaginary`, and zero as the other.
fn with_zero(b: &mut Builder<'_>, part: Value, is_imaginary: bool) -> Value {
    let ctx = b.context();
    let ty = b.ty(part);
    let zero = constant_float(b, 0.0, ty);
    let [real, imaginary] = if is_imaginary { [zero, part] } else { [part, zero] };
    create(b, real, imaginary, complex_type(&ctx, ty))
}

fn sum(b: &mut Builder<'_>, x: Option<Value>, y: Option<Value>) -> Option<Value> {
    match (x, y) {
        (Some(x), Some(y)) => Some(add(b, x, y)),
        (x, y) => x.or(y),
    }
}

fn create_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if cx.d(0).is_none() && cx.d(1).is_none() {
        return Ok(());
    }
    let ty = cx.b.ty(cx.primal(0));
    let zero = constant_float(cx.b, 0.0, ty);
    let [real, imaginary] = [0, 1].map(|part| cx.d(part).unwrap_or(zero));
    let ty = cx.b.ty(cx.result(0));
    let tangent = create(cx.b, real, imaginary, ty);
    cx.set(0, tangent);
    Ok(())
}

fn create_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    for (operand, part) in [(0, re as fn(&mut Builder<'_>, Value) -> Value), (1, im)] {
        if cx.is_linear(operand) {
            let ct = on_selected(cx.b, ct, part);
            cx.add(operand, ct);
        }
    }
    Ok(())
}

fn add_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y) = (cx.d(0), cx.d(1));
    let total = sum(cx.b, x, y);
    cx.set(0, total);
    Ok(())
}

fn add_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        cx.add(0, ct);
        cx.add(1, ct);
    }
    Ok(())
}

fn sub_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let difference = match (cx.d(0), cx.d(1)) {
        (Some(x), Some(y)) => Some(sub(cx.b, x, y)),
        (None, Some(y)) => Some(neg(cx.b, y)),
        (x, None) => x,
    };
    cx.set(0, difference);
    Ok(())
}

fn sub_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        cx.add(0, ct);
        if cx.is_linear(1) {
            let ct = on_selected(cx.b, ct, neg);
            cx.add(1, ct);
        }
    }
    Ok(())
}

fn mul_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y) = (cx.primal(0), cx.primal(1));
    let first = cx.d(0).map(|dx| mul(cx.b, dx, y));
    let second = cx.d(1).map(|dy| mul(cx.b, dy, x));
    let total = sum(cx.b, first, second);
    cx.set(0, total);
    Ok(())
}

fn mul_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    if cx.is_linear(0) && cx.is_linear(1) {
        return Err("is not linear in both operands together".to_owned());
    }
    let by = cx.operand(usize::from(cx.is_linear(0)));
    let by = conjugate(cx.b, by);
    let ct = on_selected(cx.b, ct, |b, ct| mul(b, ct, by));
    cx.add(0, ct);
    cx.add(1, ct);
    Ok(())
}

/// The conjugate of a number; the operand of a conjugate.
fn conjugate(b: &mut Builder<'_>, number: Value) -> Value {
    let def = b.body().defining_op(number).map(|op| b.body().op(op));
    match def.filter(|op| op.is::<Conj>()) {
        Some(op) => op.operand(0),
        None => conj(b, number),
    }
}

/// `d(x / y) = (dx - (x / y) dy) / y`.
fn div_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (y, quotient) = (cx.primal(1), cx.result(0));
    let second = cx.d(1).map(|dy| mul(cx.b, dy, quotient));
    let numerator = match (cx.d(0), second) {
        (Some(dx), Some(second)) => Some(sub(cx.b, dx, second)),
        (None, Some(second)) => Some(neg(cx.b, second)),
        (dx, None) => dx,
    };
    let tangent = numerator.map(|numerator| div(cx.b, numerator, y));
    cx.set(0, tangent);
    Ok(())
}

fn div_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    if cx.is_linear(1) {
        return Err("is not linear in its divisor".to_owned());
    }
    let divisor = cx.operand(1);
    let divisor = conjugate(cx.b, divisor);
    let ct = on_selected(cx.b, ct, |b, ct| div(b, ct, divisor));
    cx.add(0, ct);
    Ok(())
}

/// Whether the divisor is not known to differ from zero.
fn may_divide_by_zero(op: OpRef<'_>) -> bool {
    let divisor = op.operand(1);
    constant_of(op.body(), divisor).is_none() || is_constant_zero(op.body(), divisor)
}

/// `d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)`.
fn atan2_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (y, x) = (cx.primal(0), cx.primal(1));
    let b = &mut *cx.b;
    let (first, second) = (mul(b, x, x), mul(b, y, y));
    let norm = add(b, first, second);
    let first = cx.d(0).map(|dy| {
        let slope = div(cx.b, x, norm);
        mul(cx.b, dy, slope)
    });
    let second = cx.d(1).map(|dx| {
        let slope = div(cx.b, y, norm);
        let slope = neg(cx.b, slope);
        mul(cx.b, dx, slope)
    });
    let total = sum(cx.b, first, second);
    cx.set(0, total);
    Ok(())
}

/// `d x^y = y x^(y-1) dx + x^y log(x) dy`. The first factor is zero for `y = 0`, also where it is not a number; the second one is
/// zero for `x = 0` and `re(y) >= 0`.
fn pow_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y, power) = (cx.primal(0), cx.primal(1), cx.result(0));
    let zero = like(cx.b, 0.0, x);
    let first = cx.d(0).map(|dx| {
        let less = plus(cx.b, y, -1.0);
        let lower = pow(cx.b, x, less);
        let slope = mul(cx.b, y, lower);
        let is_constant = eq(cx.b, y, zero);
        let is_undefined = neq(cx.b, slope, slope);
        let is_replaced = andi(cx.b, is_constant, is_undefined);
        let slope = select(cx.b, is_replaced, zero, slope);
        along(cx, dx, slope)
    });
    let second = cx.d(1).map(|dy| {
        let logarithm = log(cx.b, x);
        let slope = mul(cx.b, power, logarithm);
        let is_zero = eq(cx.b, x, zero);
        let exponent = re(cx.b, y);
        let ty = cx.b.ty(exponent);
        let least = constant_float(cx.b, 0.0, ty);
        let is_positive = cmpf(cx.b, CmpFPredicate::Oge, exponent, least);
        let is_constant = andi(cx.b, is_zero, is_positive);
        let slope = select(cx.b, is_constant, zero, slope);
        along(cx, dy, slope)
    });
    let total = sum(cx.b, first, second);
    cx.set(0, total);
    Ok(())
}

/// The product of a tangent and a slope. In a direction in which the operand does not change, it is zero even if the slope is
/// infinite or not a number, so that it does not hide the other term.
fn along(cx: &mut TangentCx<'_, '_>, tangent: Value, slope: Value) -> Value {
    let product = mul(cx.b, tangent, slope);
    match cx.is_transposed() {
        true => product,
        false => zero_without_cause(cx.b, &[tangent], product),
    }
}

/// `d x^n = n x^(n-1) dx`; zero for `n = 0`, also where `x^-1` is infinite.
fn powi_tangent(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let Some(dx) = cx.d(0) else { return Ok(()) };
    let (x, n) = (cx.primal(0), cx.primal(1));
    let ctx = cx.b.context();
    // One less than the least number of a narrow type is not in it.
    let is_narrow = cx.b.ty(n).integer_width(&ctx).is_some_and(|width| width < 32);
    let n = if is_narrow { extsi(cx.b, n, Type::I32) } else { n };
    let ty = cx.b.ty(n);
    let (one, none) = (constant_int(cx.b, 1, ty), constant_int(cx.b, 0, ty));
    let less = subi(cx.b, n, one);
    let power = powi(cx.b, x, less);
    let [real, imaginary] = [re(cx.b, power), im(cx.b, power)];
    let part = cx.b.ty(real);
    let factor = sitofp(cx.b, n, part);
    let [real, imaginary] = [real, imaginary].map(|part| mulf(cx.b, part, factor));
    let ty = cx.b.ty(x);
    let slope = create(cx.b, real, imaginary, ty);
    let is_constant = cmpi(cx.b, CmpIPredicate::Eq, n, none);
    let zero = like(cx.b, 0.0, x);
    let slope = select(cx.b, is_constant, zero, slope);
    let tangent = mul(cx.b, dx, slope);
    cx.set(0, tangent);
    Ok(())
}

/// Whether a power with an integer exponent may be infinite at zero.
fn may_have_pole(op: OpRef<'_>) -> bool {
    let exponent = constant_of(op.body(), op.operand(1)).and_then(|attr| attr.as_i64(op.context()));
    exponent.is_none_or(|exponent| exponent < 0)
}
