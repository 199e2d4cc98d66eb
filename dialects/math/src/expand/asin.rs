//! The arc sine and the arc cosine: an odd polynomial up to 1/2, and that of `sqrt((1 - |x|) / 2)` above.

use super::arithmetic::{Arithmetic, plus_odd};

/// Whether the magnitude of `x` is above 1/2; the magnitude or the root; its square. NaN above 1.
#[inline(always)]
fn reduce<A: Arithmetic>(a: &A, x: A::Float) -> (A::Mask, A::Float, A::Float) {
    let (half, magnitude) = (a.float(0.5), a.abs(x));
    let is_far = a.less(half, magnitude);
    // Exact.
    let rest = a.fma(a.float(-0.5), magnitude, half);
    let t = a.select(is_far, a.sqrt(rest), magnitude);
    (is_far, t, a.select(is_far, rest, a.mul(magnitude, magnitude)))
}

/// The arc sine.
#[inline(always)]
pub fn asin<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (is_far, t, square) = reduce(a, x);
    let t = a.select(is_far, a.mul(t, a.float(-2.0)), t);
    let [base, low, _] = a.format().pi.map(|part| a.select(is_far, a.float(part / 2.0), a.float(0.0)));
    a.copysign(plus_odd(a, [base, low], t, square, a.format().asin_poly), x)
}

/// The arc cosine.
#[inline(always)]
pub fn acos<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (is_far, t, square) = reduce(a, x);
    let signed = a.copysign(t, x);
    let t = a.select(is_far, a.add(signed, signed), a.neg(signed));
    let is_negative = a.less(x, a.float(0.0));
    let [base, low, _] = a.format().pi.map(|part| {
        let far = a.select(is_negative, a.float(part), a.float(0.0));
        a.select(is_far, far, a.float(part / 2.0))
    });
    plus_odd(a, [base, low], t, square, a.format().asin_poly)
}
