//! Powers: `2^(y log2 x)`, with a logarithm in two parts.

use super::arithmetic::{Arithmetic, polynomial};
use super::exp::exp2_sum;
use super::log::split;

/// The binary logarithm of a positive finite number, as an unevaluated sum with a relative error of about the square of
/// the relative error of the format.
#[inline(always)]
fn log2_sum<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let format = a.format();
    let (exponent, f) = split(a, x);
    let two = a.float(2.0);
    // s = f / (2 + f).
    let below = a.add(two, f);
    let below_low = a.sub(f, a.sub(below, two));
    let s = a.div(f, below);
    let rest = a.fma(a.neg(s), below_low, a.fma(a.neg(s), below, f));
    let s_low = a.div(rest, below);
    // z = s^2.
    let z = a.mul(s, s);
    let z_low = a.fma(a.add(s, s), s_low, a.fma(s, s, a.neg(z)));
    // c = 1/3 + z P(z), t = z c: atanh(s) = s (1 + t).
    let [third, third_low] = format.third.map(|part| a.float(part));
    let q = a.mul(z, polynomial(a, z, format.pow_poly));
    let c = a.add(third, q);
    let c_low = a.add(a.add(a.sub(third, c), q), third_low);
    let t = a.mul(z, c);
    let t_low = a.add(a.fma(z, c, a.neg(t)), a.fma(z, c_low, a.mul(z_low, c)));
    // h = 2 s + 2 s t.
    let (d, d_low) = (a.add(s, s), a.add(s_low, s_low));
    let w = a.mul(d, t);
    let w_low = a.add(a.fma(d, t, a.neg(w)), a.fma(d, t_low, a.mul(d_low, t)));
    let h = a.add(d, w);
    let h_low = a.add(a.add(a.sub(d, h), w), a.add(d_low, w_low));
    // To base 2, plus the exponent.
    let [log2e, log2e_low] = format.log2e.map(|part| a.float(part));
    let g = a.mul(h, log2e);
    let g_low = a.add(a.fma(h, log2e, a.neg(g)), a.fma(h, log2e_low, a.mul(h_low, log2e)));
    let sum = a.add(exponent, g);
    let low = a.add(a.add(a.sub(exponent, sum), g), g_low);
    let high = a.add(sum, low);
    (high, a.add(a.sub(sum, high), low))
}

/// `x` to the power of `y`, with the special values of C.
#[inline(always)]
pub fn pow<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> A::Float {
    let format = a.format();
    let (zero, one, infinity) = (a.float(0.0), a.float(1.0), a.float(f64::INFINITY));
    let magnitude = a.abs(x);
    let (log, log_low) = log2_sum(a, magnitude);
    let product = a.mul(y, log);
    let low = a.fma(y, log_low, a.fma(y, log, a.neg(product)));
    // Products that overflow or underflow in any case; the low part of an infinite one is NaN.
    let bound = a.float(4.0 - format.exp2[0]);
    let is_large = a.less(bound, a.abs(product));
    let product = a.select(is_large, a.copysign(bound, product), product);
    let low = a.select(is_large, zero, low);
    let result = exp2_sum(a, product, low);

    let is_zero = a.equal(x, zero);
    let is_infinite = a.equal(magnitude, infinity);
    let is_rising = a.less(zero, y);
    let grows = a.or(a.and(is_infinite, is_rising), a.and(is_zero, a.not(is_rising)));
    let extreme = a.select(grows, infinity, zero);
    let result = a.select(a.or(is_zero, is_infinite), extreme, result);
    // The product of zero and an infinite exponent is NaN.
    let result = a.select(a.equal(magnitude, one), one, result);

    let is_integer = a.equal(a.trunc(y), y);
    let half = a.mul(y, a.float(0.5));
    let is_odd = a.and(is_integer, a.not(a.equal(a.trunc(half), half)));
    let is_negated = a.and(a.is_negative(a.to_bits(x)), is_odd);
    let result = a.select(is_negated, a.neg(result), result);
    let is_undefined = a.and(a.less(x, zero), a.not(a.or(is_integer, is_infinite)));
    let result = a.select(is_undefined, a.float(f64::NAN), result);
    let result = a.select(a.or(a.is_nan(x), a.is_nan(y)), a.add(x, y), result);
    a.select(a.or(a.equal(x, one), a.equal(y, zero)), one, result)
}
