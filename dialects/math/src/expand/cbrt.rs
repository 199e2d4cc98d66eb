//! The cube root: a polynomial with a third of the digits, and one step of Halley's method with an exact residual.

use super::arithmetic::{Arithmetic, polynomial, power_of_two};
use super::exp::nearest;
use super::log::split;

/// The cube root.
#[inline(always)]
pub fn cbrt<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    const ROOT: f64 = 1.259_921_049_894_873_2;
    let format = a.format();
    let (zero, magnitude) = (a.float(0.0), a.abs(x));
    // |x| = 2^(3 n + k) (1 + f) with k between -1 and 1.
    let (exponent, f) = split(a, magnitude);
    let (n, integer) = nearest(a, a.fma(exponent, a.float(1.0 / 3.0), a.float(format.magic)));
    let k = a.fma(n, a.float(-3.0), exponent);
    let choose = |values: [f64; 3]| {
        let [low, middle, high] = values.map(|value| a.float(value));
        a.select(a.less(zero, k), high, a.select(a.less(k, zero), low, middle))
    };
    let radicand = a.mul(a.add(f, a.float(1.0)), choose([0.5, 1.0, 2.0]));
    let root = a.mul(polynomial(a, f, format.cbrt_poly), choose([1.0 / ROOT, 1.0, ROOT]));
    let square = a.mul(root, root);
    let square_low = a.fma(root, root, a.neg(square));
    let residual = a.fma(square_low, root, a.fma(square, root, a.neg(radicand)));
    let slope = a.fma(residual, a.float(2.0), a.mul(radicand, a.float(3.0)));
    let root = a.sub(root, a.mul(root, a.div(residual, slope)));
    let result = a.copysign(a.mul(root, power_of_two(a, integer)), x);
    let is_ordinary = a.and(a.less(zero, magnitude), a.less(magnitude, a.float(f64::INFINITY)));
    a.select(is_ordinary, result, x)
}
