//! The hyperbolic tangent: `t / (t + 1)` with `t = (e^2x - 1) / 2`, and a correction of the quotient.

use super::arithmetic::{Arithmetic, at_most};
use super::exp::half_expm1;

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // Above, the result is rounded to one.
    let bound = -a.format().expm1_low;
    let magnitude = at_most(a, a.abs(x), bound);
    let (t, t_low) = half_expm1(a, a.add(magnitude, magnitude));
    let one = a.float(1.0);
    let below = a.add(t, one);
    let below_low = a.add(a.sub(t, a.sub(below, one)), t_low);
    let inverse = a.div(one, below);
    let quotient = a.mul(t, inverse);
    let rest = a.add(a.fma(a.neg(quotient), below, t), a.fma(a.neg(quotient), below_low, t_low));
    let result = a.fma(rest, inverse, quotient);
    a.copysign(result, x)
}
