//! The error function: a polynomial up to 1, and `1 - e^-g` with a polynomial `g` above.

use super::arithmetic::{Arithmetic, at_most, polynomial, with_sign};
use super::exp::exp_normal;

/// The error function.
#[inline(always)]
pub fn erf<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let (one, magnitude) = (a.float(1.0), a.abs(x));
    let small = a.fma(x, polynomial(a, a.mul(x, x), format.erf_small), x);
    let beyond = a.sub(at_most(a, magnitude, format.erf_high), one);
    let complement = exp_normal(a, a.neg(polynomial(a, beyond, format.erf_large)));
    let large = with_sign(a, a.sub(one, complement), x);
    a.select(a.less(magnitude, one), small, large)
}
