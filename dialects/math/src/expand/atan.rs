//! The arc tangent, of a number and of a quotient: an odd polynomial up to 1, and `π/2 - atan(1/x)` above.

use super::arithmetic::{Arithmetic, plus_odd};

/// `base + t + t z P(z)`, the arc tangent of `t` added to a multiple of π/2, the low part of which is `low`.
#[inline(always)]
fn plus_atan<A: Arithmetic>(a: &A, base: A::Float, low: A::Float, t: A::Float) -> A::Float {
    plus_odd(a, [base, low], t, a.mul(t, t), a.format().atan_poly)
}

/// The arc tangent.
#[inline(always)]
pub fn atan<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (zero, one, magnitude) = (a.float(0.0), a.float(1.0), a.abs(x));
    let is_far = a.less(one, magnitude);
    let t = a.select(is_far, a.div(a.float(-1.0), magnitude), magnitude);
    let [base, low, _] = a.format().pi.map(|part| a.select(is_far, a.float(part / 2.0), zero));
    a.copysign(plus_atan(a, base, low, t), x)
}

/// The angle of the point `(x, y)`, with the special values of C.
#[inline(always)]
pub fn atan2<A: Arithmetic>(a: &A, y: A::Float, x: A::Float) -> A::Float {
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let (ordinate, abscissa) = (a.abs(y), a.abs(x));
    let is_steep = a.less(abscissa, ordinate);
    let above = a.select(is_steep, abscissa, ordinate);
    let below = a.select(is_steep, ordinate, abscissa);
    // Quotients of zeros and of infinities are zero and one.
    let same = a.select(a.equal(below, zero), zero, one);
    let t = a.select(a.equal(above, below), same, a.div(above, below));
    // The first octant, then the others by reflection: at the diagonal, and at the ordinate.
    let is_left = a.is_negative(a.to_bits(x));
    let t = a.select(is_left, a.neg(t), t);
    let t = a.select(is_steep, a.neg(t), t);
    let [base, low, _] = a.format().pi.map(|part| {
        let flat = a.select(is_left, a.float(part), zero);
        a.select(is_steep, a.float(part / 2.0), flat)
    });
    a.copysign(plus_atan(a, base, low, t), y)
}
