//! Logarithms, which are computed from an exact square near the unit circle.

use super::*;

/// The product `x y` and the exact error of its rounding, unless it over- or underflows (Veltkamp, Dekker).
fn exact_product<A: Arithmetic>(a: &mut A, x: A::Float, y: A::Float) -> [A::Float; 2] {
    let product = a.mul(x, y);
    let splitter = ((2.0 / a.epsilon()).log2() / 2.0).ceil().exp2() + 1.0;
    let split = |a: &mut A, x: A::Float| {
        let splitter = a.float(splitter);
        let scaled = a.mul(splitter, x);
        let rest = a.sub(scaled, x);
        let high = a.sub(scaled, rest);
        [high, a.sub(x, high)]
    };
    let ([x_high, x_low], [y_high, y_low]) = (split(a, x), split(a, y));
    let parts = [(x_high, y_high), (x_high, y_low), (x_low, y_high), (x_low, y_low)];
    let mut error = a.neg(product);
    for (x, y) in parts {
        let part = a.mul(x, y);
        error = a.add(error, part);
    }
    [product, error]
}

/// The sum `x + y` and the exact error of its rounding (Knuth).
fn exact_sum<A: Arithmetic>(a: &mut A, x: A::Float, y: A::Float) -> [A::Float; 2] {
    let sum = a.add(x, y);
    let y_part = a.sub(sum, x);
    let x_part = a.sub(sum, y_part);
    let (x_error, y_error) = (a.sub(x, x_part), a.sub(y, y_part));
    [sum, a.add(x_error, y_error)]
}

/// `|1 + x|^2 - 1 = 2 re + re^2 + im^2`, accurate where the terms cancel.
fn excess<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> A::Float {
    let double = a.add(re, re);
    let (re_square, im_square) = (exact_product(a, re, re), exact_product(a, im, im));
    let linear = exact_sum(a, double, im_square[0]);
    let total = exact_sum(a, linear[0], re_square[0]);
    let errors = a.add(re_square[1], im_square[1]);
    let errors = a.add(errors, linear[1]);
    let errors = a.add(errors, total[1]);
    a.add(total[0], errors)
}

/// The logarithm of the absolute value of `1 + x` for `plus_one`, and of `x` otherwise.
pub(super) fn log_abs<A: Arithmetic>(a: &mut A, x: Parts<A>, plus_one: bool) -> A::Float {
    let (half, one) = (a.float(0.5), a.float(1.0));
    let shifted = if plus_one { [a.add(x[0], one), x[1]] } else { x };
    let [large, small] = ordered(a, shifted);
    // Far from the unit circle, log |x| = log large + log(1 + (small / large)^2) / 2.
    let ratio = a.div(small, large);
    let square = a.mul(ratio, ratio);
    let rest = a.call(Log1p, square);
    let rest = a.mul(half, rest);
    let log = a.call(Log, large);
    let far = a.add(log, rest);
    // Near the unit circle, log |x| = log(1 + (|x|^2 - 1)) / 2.
    let excess = if plus_one {
        excess(a, x)
    } else {
        let above = a.sub(large, one);
        excess(a, [above, small])
    };
    let near = a.call(Log1p, excess);
    let near = a.mul(half, near);
    let (magnitude, bound) = (a.call(Abs, excess), a.float(0.5));
    let is_near = a.less(magnitude, bound);
    let log = a.select(is_near, near, far);
    // The ratio is undefined for zero and for two infinities, and NaN if a part is, though the result may be infinite.
    let (is_zero, least) = (is_zero(a, shifted), a.float(f64::NEG_INFINITY));
    let log = a.select(is_zero, least, log);
    let infinite = shifted.map(|part| is_infinite(a, part));
    let (infinite, infinity) = (a.or(infinite[0], infinite[1]), a.float(f64::INFINITY));
    a.select(infinite, infinity, log)
}

/// The natural logarithm.
pub fn log<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    [log_abs(a, x, false), a.atan2(x[1], x[0])]
}

/// The natural logarithm of `1 + x`.
pub fn log1p<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    let one = a.float(1.0);
    let re = a.add(x[0], one);
    [log_abs(a, x, true), a.atan2(x[1], re)]
}
