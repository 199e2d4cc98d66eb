//! The exponential functions: `exp`, `exp2`, `expm1`.
//!
//! `x = n ln 2 + r` with `|r| <= ln 2 / 2`; a polynomial computes `e^r - 1`; the power of two is multiplied in two
//! factors, so that results round once to denormal numbers and overflow to infinity.

use super::arithmetic::{Arithmetic, at_least, at_most, polynomial, power_of_two};
use super::constants::Format;

/// `e^r - 1` as a sum, for a reduced argument in two parts: the rounded argument, and the rest.
#[inline(always)]
fn rest<A: Arithmetic>(a: &A, high: A::Float, low: A::Float) -> A::Float {
    let square = a.mul(high, high);
    let poly = polynomial(a, high, a.format().exp_poly);
    a.fma(square, poly, low)
}

/// `e^(high + low)` for a small argument, as an unevaluated sum.
#[inline(always)]
pub(super) fn exp_parts<A: Arithmetic>(a: &A, high: A::Float, low: A::Float) -> (A::Float, A::Float) {
    let one = a.float(1.0);
    let sum = a.add(one, high);
    let error = a.add(a.sub(one, sum), high);
    (sum, a.add(error, rest(a, high, low)))
}

/// `x * 2^n`, for `n` up to twice the exponents of normal numbers.
#[inline(always)]
pub(super) fn scale<A: Arithmetic>(a: &A, x: A::Float, n: A::Int) -> A::Float {
    if a.has_ldexp() {
        return a.ldexp(x, n);
    }
    let half = a.shift_right(n, 1);
    let other = a.sub_int(n, half);
    a.mul(a.mul(x, power_of_two(a, half)), power_of_two(a, other))
}

/// The nearest integer to `x`, as a float and as an integer; `x` is small, or NaN, in which case the integer is any.
#[inline(always)]
pub(super) fn nearest<A: Arithmetic>(a: &A, shifted: A::Float) -> (A::Float, A::Int) {
    let magic = a.float(a.format().magic);
    (a.sub(shifted, magic), a.sub_int(a.to_bits(shifted), a.to_bits(magic)))
}

/// `e^x`.
#[inline(always)]
pub fn exp<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let [least, most] = format.exp;
    let x = at_most(a, at_least(a, x, least), most);
    // The low bits of the sum hold `n + 2 * bias`.
    let magic = a.float(format.magic + 2.0 * format.bias as f64);
    let shifted = a.fma(x, a.float(format.log2e[0]), magic);
    let n = a.sub(shifted, magic);
    let [high, low] = format.ln2.map(|part| a.float(-part));
    let r = a.fma(n, low, a.fma(n, high, x));
    let bits = a.to_bits(shifted);
    // `e^r = 1 + r * slope`. The rounding errors of `r` and of the slope count by `r` only, and the sum with one is rounded
    // together with the products.
    let slope = || a.fma(polynomial(a, r, format.exp_poly), r, a.float(1.0));
    if a.has_ldexp() {
        let n = a.sub_int(bits, a.to_bits(magic));
        return a.ldexp(a.fma(r, slope(), a.float(1.0)), n);
    }
    let (factor, other) = split_power(a, bits);
    a.mul(a.fma(a.mul(r, factor), slope(), factor), other)
}

/// `e^x` where it is a normal number. The relative error grows by a third of an ulp for each unit of `x` at most, since ln 2 is
/// rounded.
#[inline(always)]
pub(super) fn exp_normal<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    // The low bits of the sum hold `n + bias`.
    let magic = a.float(format.magic + format.bias as f64);
    let shifted = a.fma(x, a.float(format.log2e[0]), magic);
    let r = a.fma(a.sub(shifted, magic), a.float(-format.ln2_exact[0]), x);
    let power = a.of_bits(a.shift_left(a.to_bits(shifted), format.mantissa));
    let slope = a.fma(polynomial(a, r, format.exp_poly), r, a.float(1.0));
    a.fma(a.mul(r, power), slope, power)
}

/// Two factors of `2^n`, whose exponents differ by one at most. The low bits of `bits` hold `n + 2 * bias`.
#[inline(always)]
fn split_power<A: Arithmetic>(a: &A, bits: A::Int) -> (A::Float, A::Float) {
    let Format { width, mantissa, .. } = *a.format();
    // Half of the exponent; its last bit ends up in the first bit of the mantissa, which the mask clears.
    let halved = a.shift_left(bits, mantissa - 1);
    let exponents = ((1_i64 << (width - mantissa - 1)) - 1) << mantissa;
    let half = a.and_int(halved, a.int(exponents));
    let other = a.sub_int(a.add_int(halved, halved), half);
    (a.of_bits(half), a.of_bits(other))
}

/// `2^x`.
#[inline(always)]
pub fn exp2<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let [least, most] = format.exp2;
    let x = at_most(a, at_least(a, x, least), most);
    exp2_sum(a, x, a.float(0.0))
}

/// `2^(high + low)`, for `high` within the bounds of `exp2`.
#[inline(always)]
pub(super) fn exp2_sum<A: Arithmetic>(a: &A, high: A::Float, low: A::Float) -> A::Float {
    let format = a.format();
    let (n, integer) = nearest(a, a.add(high, a.float(format.magic)));
    let exact = a.sub(high, n);
    let fraction = a.add(exact, low);
    let low = a.add(a.sub(exact, fraction), low);
    let [ln2, ln2_low] = format.ln2_exact.map(|part| a.float(part));
    let first = a.mul(fraction, ln2);
    let second = a.fma(fraction, ln2, a.neg(first));
    let second = a.fma(fraction, ln2_low, a.fma(low, ln2, second));
    let (sum, rest) = exp_parts(a, first, second);
    scale(a, a.add(sum, rest), integer)
}

/// `x - n ln 2` in two parts, and `n`.
#[inline(always)]
pub(super) fn reduced<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float, A::Int) {
    let format = a.format();
    let shifted = a.fma(x, a.float(format.log2e[0]), a.float(format.magic));
    let (n, integer) = nearest(a, shifted);
    let [high, low] = format.ln2.map(|part| a.float(-part));
    let exact = a.fma(n, high, x);
    let first = a.fma(n, low, exact);
    (first, a.fma(n, low, a.sub(exact, first)), integer)
}

/// `e^x - 1`.
#[inline(always)]
pub fn expm1<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let bounded = at_most(a, at_least(a, x, format.expm1_low), format.exp[1]);
    let (high, low, exponent) = reduced(a, bounded);
    // Half of the power of two does not overflow.
    let half = power_of_two(a, a.sub_int(exponent, a.int(1)));
    let base = a.fma(half, high, a.sub(half, a.float(0.5)));
    let half = a.add(base, a.mul(half, rest(a, high, low)));
    let result = a.add(half, half);
    // Keeps the sign of zero, and denormal numbers, which have no half.
    let tiny = a.float((-f64::from(format.mantissa) - 3.0).exp2());
    a.select(a.less(a.abs(x), tiny), x, result)
}
