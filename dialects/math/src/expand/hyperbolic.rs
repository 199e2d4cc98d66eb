//! The hyperbolic functions and their inverses.

use super::arithmetic::{Arithmetic, at_most, plus_odd, polynomial, power_of_two, with_sign};
use super::exp::{exp_normal, exp_parts, reduced};
use super::log::{natural, one_plus, split_normal};

/// The hyperbolic tangent: a polynomial up to 5/8, `1 - 2 / (e^2x + 1)` above.
#[inline(always)]
pub fn tanh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let (one, magnitude, square) = (a.float(1.0), a.abs(x), a.mul(x, x));
    let small = a.fma(a.mul(magnitude, square), polynomial(a, square, format.tanh_poly), magnitude);
    let double = at_most(a, a.add(magnitude, magnitude), format.tanh_high);
    let power = exp_normal(a, double);
    let large = a.sub(one, a.div(a.float(2.0), a.add(power, one)));
    with_sign(a, a.select(a.less(magnitude, a.float(0.625)), small, large), x)
}

/// A quarter of `e^x` as an unevaluated sum, which does not overflow, and a quarter of `e^-x`, for `x >= 0`.
#[inline(always)]
fn quarters<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float, A::Float) {
    let (high, low, exponent) = reduced(a, at_most(a, x, a.format().sinh_high));
    let quarter = power_of_two(a, a.sub_int(exponent, a.int(2)));
    let (sum, rest) = exp_parts(a, high, low);
    let (sum, rest) = (a.mul(quarter, sum), a.mul(quarter, rest));
    (sum, rest, a.div(a.float(0.0625), a.add(sum, rest)))
}

/// The hyperbolic sine: a polynomial up to 1, half of the difference of `e^x` and its reciprocal above.
#[inline(always)]
pub fn sinh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (magnitude, square) = (a.abs(x), a.mul(x, x));
    let small = a.fma(a.mul(x, square), polynomial(a, square, a.format().sinh_poly), x);
    let (sum, rest, other) = quarters(a, magnitude);
    let half = a.add(sum, a.sub(rest, other));
    let large = a.copysign(a.add(half, half), x);
    a.select(a.less(magnitude, a.float(1.0)), small, large)
}

/// The hyperbolic cosine: the mean of `e^x` and its reciprocal.
#[inline(always)]
pub fn cosh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (sum, rest, other) = quarters(a, a.abs(x));
    let half = a.add(sum, a.add(rest, other));
    a.add(half, half)
}

/// The natural logarithm of `1 + u + low`, but of `2 x` where `x` is large, for `x >= 0`. `divide` returns the correction of the
/// logarithm from the rounded `1 + u` and the rest.
#[inline(always)]
fn area<A: Arithmetic>(
    a: &A,
    x: A::Float,
    u: A::Float,
    low: A::Float,
    divide: impl FnOnce(A::Float, A::Float) -> A::Float,
) -> A::Float {
    let format = a.format();
    let (zero, one) = (a.float(0.0), a.float(1.0));
    // The square is infinite at most where the argument is large.
    let is_large = a.less(a.float(f64::from(format.mantissa / 2 + 1).exp2()), x);
    let (sum, error) = one_plus(a, u);
    let correction = divide(sum, a.add(error, low));
    let (exponent, f) = split_normal(a, a.select(is_large, x, sum));
    let exponent = a.add(exponent, a.select(is_large, one, zero));
    let result = natural(a, exponent, f, a.select(is_large, zero, correction));
    a.select(a.less(x, a.float(f64::INFINITY)), result, x)
}

/// The inverse hyperbolic sine: the logarithm of `1 + x + x^2 / (1 + sqrt(1 + x^2))`.
#[inline(always)]
pub fn asinh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (one, magnitude) = (a.float(1.0), a.abs(x));
    let root = a.sqrt(a.fma(x, x, one));
    let v = a.div(a.mul(x, x), a.add(one, root));
    let u = a.add(magnitude, v);
    let low = a.add(a.sub(magnitude, u), v);
    a.copysign(area(a, magnitude, u, low, |sum, rest| a.div(rest, sum)), x)
}

/// The inverse hyperbolic cosine: the logarithm of `1 + t + sqrt(t^2 + 2 t)` with `t = x - 1`.
#[inline(always)]
pub fn acosh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let t = a.sub(x, one);
    let double = a.add(t, t);
    let square = a.fma(t, t, double);
    let square_low = a.fma(t, t, a.sub(double, square));
    // The error of the root is that of the square, divided by twice the root.
    let root = a.sqrt(square);
    let error = a.add(a.fma(a.neg(root), root, square), square_low);
    let u = a.add(root, t);
    let low = a.add(a.sub(root, u), t);
    let result = area(a, x, u, low, |sum, rest| {
        let twice = a.add(root, root);
        a.div(a.fma(rest, twice, error), a.mul(sum, twice))
    });
    let special = a.select(a.equal(x, one), zero, a.float(f64::NAN));
    a.select(a.less(one, x), result, special)
}

/// The inverse hyperbolic tangent: with `(1 + x) / (1 - x) = 2^n (1 + s) / (1 - s)`, it is `n ln 2 / 2` plus that of `s`.
#[inline(always)]
pub fn atanh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let (zero, one, magnitude) = (a.float(0.0), a.float(1.0), a.abs(x));
    let (above, below) = (a.add(one, magnitude), a.sub(one, magnitude));
    let above_low = a.add(a.sub(one, above), magnitude);
    let below_low = a.sub(a.sub(one, below), magnitude);
    // The exponent, from bits: a logarithm that is linear between powers of two. It is zero up to 0.233.
    let bias = a.int((0.3 * f64::from(format.mantissa).exp2()) as i64);
    let bits = a.sub_int(a.to_bits(above), a.to_bits(below));
    let n = a.shift_right(a.add_int(bits, bias), format.mantissa);
    let power = power_of_two(a, n);
    let minus = a.neg(power);
    let difference = a.add(a.fma(minus, below, above), a.fma(minus, below_low, above_low));
    let quotient = a.div(difference, a.fma(power, below, above));
    let half = a.mul(a.of_int(n), a.float(0.5));
    let s = a.select(a.equal(half, zero), magnitude, quotient);
    let [high, low] = format.ln2.map(|part| a.mul(half, a.float(part)));
    let result = plus_odd(a, [high, low], s, a.mul(s, s), format.atanh_poly);
    let special = a.select(a.equal(magnitude, one), a.float(f64::INFINITY), a.float(f64::NAN));
    a.copysign(a.select(a.less(magnitude, one), result, special), x)
}
