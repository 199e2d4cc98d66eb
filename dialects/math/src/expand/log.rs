//! The logarithms: `log`, `log2`, `log10`, `log1p`.
//!
//! `x = 2^e (1 + f)` with `1 + f` between the square roots of 1/2 and 2, and `ln(1 + f) = 2 atanh(s)` with
//! `s = f / (2 + f)`, as in fdlibm.

use super::arithmetic::{Arithmetic, polynomial};

/// The exponent `e`, as a float, and `f`. Unspecified for numbers that are not positive and finite.
#[inline(always)]
pub(super) fn split<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let format = a.format();
    let by = f64::from(format.mantissa + 2);
    let is_denormal = a.less(x, a.float(format.normal));
    let scaled = a.mul(x, a.float(by.exp2()));
    let (exponent, f) = split_normal(a, a.select(is_denormal, scaled, x));
    let shift = a.select(is_denormal, a.float(by), a.float(0.0));
    (a.sub(exponent, shift), f)
}

/// The same for normal numbers.
#[inline(always)]
pub(super) fn split_normal<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let mantissa_bits = a.format().mantissa;
    let bits = a.to_bits(x);
    let least = a.to_bits(a.float(std::f64::consts::FRAC_1_SQRT_2));
    let exponent = a.shift_right(a.sub_int(bits, least), mantissa_bits);
    let mantissa = a.of_bits(a.sub_int(bits, a.shift_left(exponent, mantissa_bits)));
    (a.of_int(exponent), a.sub(mantissa, a.float(1.0)))
}

/// `f^2 / 2`, and `s (f^2 / 2 + R)`: `ln(1 + f)` is `f` minus the first plus the second.
#[inline(always)]
fn parts<A: Arithmetic>(a: &A, f: A::Float) -> (A::Float, A::Float) {
    let s = a.div(f, a.add(a.float(2.0), f));
    let z = a.mul(s, s);
    let rest = a.mul(z, polynomial(a, z, a.format().log_poly));
    let half = a.mul(a.mul(a.float(0.5), f), f);
    (half, a.mul(s, a.add(half, rest)))
}

/// The result for positive finite `x`, and the special values for other `x`.
#[inline(always)]
fn with_special<A: Arithmetic>(a: &A, x: A::Float, result: A::Float) -> A::Float {
    let (zero, infinity) = (a.float(0.0), a.float(f64::INFINITY));
    let is_ordinary = a.and(a.less(zero, x), a.less(x, infinity));
    let special = a.select(a.less(x, zero), a.float(f64::NAN), x);
    let special = a.select(a.equal(x, zero), a.float(f64::NEG_INFINITY), special);
    a.select(is_ordinary, result, special)
}

/// The natural logarithm of `2^e (1 + f)` plus `low`.
#[inline(always)]
pub(super) fn natural<A: Arithmetic>(a: &A, exponent: A::Float, f: A::Float, low: A::Float) -> A::Float {
    let [ln2, ln2_low] = a.format().ln2.map(|part| a.float(part));
    let (half, rest) = parts(a, f);
    let rest = a.add(rest, a.fma(exponent, ln2_low, low));
    a.fma(exponent, ln2, a.sub(f, a.sub(half, rest)))
}

/// The natural logarithm.
#[inline(always)]
pub fn log<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (exponent, f) = split(a, x);
    with_special(a, x, natural(a, exponent, f, a.float(0.0)))
}

/// The binary logarithm.
#[inline(always)]
pub fn log2<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (exponent, f) = split(a, x);
    let (sum, rest) = plus_log(a, exponent, f, a.format().log2e);
    with_special(a, x, a.add(sum, rest))
}

/// The decimal logarithm.
#[inline(always)]
pub fn log10<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let (exponent, f) = split(a, x);
    let [high, low] = format.log10_2.map(|part| a.float(part));
    let (sum, rest) = plus_log(a, a.mul(exponent, high), f, format.log10e);
    with_special(a, x, a.add(sum, a.fma(exponent, low, rest)))
}

/// `base` plus the logarithm of `1 + f` to another base, as an unevaluated sum, from the logarithm of e to this base.
#[inline(always)]
fn plus_log<A: Arithmetic>(a: &A, base: A::Float, f: A::Float, log_e: [f64; 2]) -> (A::Float, A::Float) {
    let (half, rest) = parts(a, f);
    let high = a.sub(f, half);
    let low = a.add(a.sub(a.sub(f, high), half), rest);
    let [log_e, log_e_low] = log_e.map(|part| a.float(part));
    let product = a.mul(high, log_e);
    let error = a.fma(high, log_e, a.neg(product));
    let error = a.add(error, a.fma(low, log_e, a.mul(high, log_e_low)));
    let sum = a.add(base, product);
    (sum, a.add(error, a.add(a.sub(base, sum), product)))
}

/// `1 + x`, and its rounding error.
#[inline(always)]
pub(super) fn one_plus<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let one = a.float(1.0);
    let sum = a.add(one, x);
    let back = a.sub(sum, one);
    (sum, a.add(a.sub(one, a.sub(sum, back)), a.sub(x, back)))
}

/// The natural logarithm of `1 + x`.
#[inline(always)]
pub fn log1p<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (sum, error) = one_plus(a, x);
    let (exponent, f) = split_normal(a, sum);
    let result = with_special(a, sum, natural(a, exponent, f, a.div(error, sum)));
    // Keeps the sign of zero.
    a.select(a.equal(x, a.float(0.0)), x, result)
}
