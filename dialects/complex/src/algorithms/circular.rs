//! Circular and hyperbolic functions.

use super::*;

/// `factor cosh y` for `even`, and `factor sinh y` otherwise, where the factor is at most one; in steps where the function
/// overflows.
fn scaled_by_hyperbolic<A: Arithmetic>(a: &mut A, factor: A::Float, y: A::Float, even: bool) -> A::Float {
    let function = a.call(if even { Cosh } else { Sinh }, y);
    let direct = a.mul(factor, function);
    // Where it overflows, the function is half of an exponential.
    let half = a.float(0.5);
    let magnitude = a.call(Abs, y);
    let root = a.mul(magnitude, half);
    let root = a.call(Exp, root);
    let stepwise = a.mul(factor, half);
    let stepwise = a.mul(stepwise, root);
    let stepwise = a.mul(stepwise, root);
    let stepwise = if even {
        stepwise
    } else {
        let one = a.float(1.0);
        let sign = a.copysign(one, y);
        a.mul(stepwise, sign)
    };
    let overflows = is_infinite(a, function);
    a.select(overflows, stepwise, direct)
}

/// `x` if it is a number, and zero otherwise.
fn or_zero<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    let (nan, zero) = (a.unordered(x, x), a.float(0.0));
    a.select(nan, zero, x)
}

/// The sine: `(sin re cosh im, cos re sinh im)`.
pub fn sin<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    let (sine, cosine) = (a.call(Sin, re), a.call(Cos, re));
    let result = [scaled_by_hyperbolic(a, sine, im, true), scaled_by_hyperbolic(a, cosine, im, false)];
    // A zero is a factor of the result, also where the other one is infinite or NaN.
    let zero = a.float(0.0);
    let (is_imaginary, is_real) = (a.equal(re, zero), a.equal(im, zero));
    // So is an infinity where the cosine is NaN.
    let (is_infinite, is_finite) = (is_infinite(a, im), is_finite(a, re));
    let (stays, has_no_cosine) = (a.or(is_real, is_infinite), a.not(is_finite));
    let stays = a.and(stays, has_no_cosine);
    [a.select(is_imaginary, re, result[0]), a.select(stays, im, result[1])]
}

/// The cosine: `(cos re cosh im, -sin re sinh im)`.
pub fn cos<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    let (sine, cosine) = (a.call(Sin, re), a.call(Cos, re));
    let opposite = a.neg(sine);
    let result = [scaled_by_hyperbolic(a, cosine, im, true), scaled_by_hyperbolic(a, opposite, im, false)];
    // As in the sine, zeros and infinities stay.
    let (zero, one, infinity) = (a.float(0.0), a.float(1.0), a.float(f64::INFINITY));
    let (is_infinite, is_finite) = (is_infinite(a, im), is_finite(a, re));
    let has_no_cosine = a.not(is_finite);
    let grows = a.and(is_infinite, has_no_cosine);
    let real = a.select(grows, infinity, result[0]);
    let (is_imaginary, is_real) = (a.equal(re, zero), a.equal(im, zero));
    let (sign, stays) = (a.copysign(one, im), a.and(is_real, has_no_cosine));
    let signed = a.mul(opposite, sign);
    let imaginary = a.select(stays, im, result[1]);
    [real, a.select(is_imaginary, signed, imaginary)]
}

/// The hyperbolic tangent: `(sinh re cosh re, sin im cos im) / (sinh^2 re + cos^2 im)`, a sum without cancellation.
pub fn tanh<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let (sinh, cosh) = (a.call(Sinh, re), a.call(Cosh, re));
    let (sine, cosine) = (a.call(Sin, im), a.call(Cos, im));
    // For small real parts.
    let (sinh_square, cosine_square) = (a.mul(sinh, sinh), a.mul(cosine, cosine));
    let divisor = a.add(sinh_square, cosine_square);
    let (re_part, im_part) = (a.mul(sinh, cosh), a.mul(sine, cosine));
    let small = [a.div(re_part, divisor), a.div(im_part, divisor)];
    // For large ones, divided by sinh^2 re, which may overflow.
    let ratio = a.div(cosine, sinh);
    let square = a.mul(ratio, ratio);
    let divisor = a.add(one, square);
    let cotangent = a.div(cosh, sinh);
    let sine_ratio = a.div(sine, sinh);
    let product = a.mul(sine_ratio, ratio);
    let large = [a.div(cotangent, divisor), a.div(product, divisor)];
    let magnitude = a.call(Abs, re);
    let is_small = a.less(magnitude, one);
    let result = choose(a, is_small, small, large);
    // Where the hyperbolic functions overflow, the result is the limit.
    let overflows = is_infinite(a, sinh);
    let vanishing = a.mul(zero, im_part);
    let limit = [a.copysign(one, re), or_zero(a, vanishing)];
    let result = choose(a, overflows, limit, result);
    // Zeros stay, whatever the other part is.
    let (is_imaginary, is_real) = (a.equal(re, zero), a.equal(im, zero));
    [a.select(is_imaginary, re, result[0]), a.select(is_real, im, result[1])]
}

/// The tangent: `-i tanh(ix)`.
pub fn tan<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    let rotated = [a.neg(im), re];
    let [re, im] = tanh(a, rotated);
    [im, a.neg(re)]
}
