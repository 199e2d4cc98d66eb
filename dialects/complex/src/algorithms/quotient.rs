//! Quotients.

use super::*;

/// A factor by which the parts of a number are scaled, and the factor for the result.
type Scale<A> = [<A as Arithmetic>::Float; 2];

/// `[s, factor(s)]`: a power of two that brings numbers with a part of magnitude `large` away from the limits of the type.
fn scale<A: Arithmetic>(a: &mut A, large: A::Float, is_divisor: bool) -> Scale<A> {
    let epsilon = a.epsilon();
    let (up, down) = (2.0 / (epsilon * epsilon), 0.5);
    let (high, low) = (a.float(a.largest() / 2.0), a.float(a.smallest() * 2.0 / epsilon));
    let (is_high, is_low) = (a.less(high, large), a.less(large, low));
    let mut pick = |up: f64, down: f64| {
        let (up, down, one) = (a.float(up), a.float(down), a.float(1.0));
        let scale = a.select(is_low, up, one);
        a.select(is_high, down, scale)
    };
    if is_divisor { [pick(up, down), pick(up, down)] } else { [pick(up, down), pick(1.0 / up, 1.0 / down)] }
}

/// `x / y` by Smith's algorithm, which divides by the larger part first, with the scaling of Baudin and Smith ("A robust complex
/// division in Scilab", 2012), and with the results of C's Annex G for zeros and infinities.
pub fn div<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    let ([largest, _], [large, _]) = (ordered(a, x), ordered(a, y));
    let (of_dividend, of_divisor) = (scale(a, largest, false), scale(a, large, true));
    let scaled_x = x.map(|part| a.mul(part, of_dividend[0]));
    let scaled_y = y.map(|part| a.mul(part, of_divisor[0]));
    let result = quotient(a, scaled_x, scaled_y);
    // Two factors, since their product may overflow.
    let result = result.map(|part| {
        let part = a.mul(part, of_divisor[1]);
        a.mul(part, of_dividend[1])
    });
    let special = special_quotient(a, x, y, result);
    let nan = result.map(|part| a.unordered(part, part));
    let is_special = a.and(nan[0], nan[1]);
    choose(a, is_special, special, result)
}

/// `x / y` by Smith's algorithm. With the parts of the divisor in the order of their magnitudes, and those of the dividend in the
/// same order, it is `((p + q r) / d, (q - p r) / d)` or its mirror image, where `r = small / large` and `d = large + small r`.
fn quotient<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    let zero = a.float(0.0);
    let [magnitude_re, magnitude_im] = y.map(|part| a.call(Abs, part));
    let swap = a.less(magnitude_re, magnitude_im);
    let [large, small] = [a.select(swap, y[1], y[0]), a.select(swap, y[0], y[1])];
    let ratio = a.div(small, large);
    let product = a.mul(small, ratio);
    let divisor = a.add(large, product);
    let vanishes = a.equal(ratio, zero);
    // Where the ratio underflows, the factors are multiplied in another order.
    let times_ratio = |a: &mut A, part: A::Float| {
        let direct = a.mul(part, ratio);
        let other = a.div(part, large);
        let other = a.mul(small, other);
        a.select(vanishes, other, direct)
    };
    let [p, q] = [a.select(swap, x[1], x[0]), a.select(swap, x[0], x[1])];
    let (qr, pr) = (times_ratio(a, q), times_ratio(a, p));
    let re = a.add(p, qr);
    let (straight, swapped) = (a.sub(q, pr), a.sub(pr, q));
    let im = a.select(swap, swapped, straight);
    [a.div(re, divisor), a.div(im, divisor)]
}

/// `x / y` where `result`, computed without regard to zeros and infinities, is NaN.
fn special_quotient<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>, result: Parts<A>) -> Parts<A> {
    let (zero, one, infinity) = (a.float(0.0), a.float(1.0), a.float(f64::INFINITY));
    let unit = |a: &mut A, parts: Parts<A>| {
        parts.map(|part| {
            let is_infinite = is_infinite(a, part);
            let magnitude = a.select(is_infinite, one, zero);
            a.copysign(magnitude, part)
        })
    };
    // The numerators of the parts of x / y.
    let numerators = |a: &mut A, x: Parts<A>, y: Parts<A>| {
        let (rr, ii) = (a.mul(x[0], y[0]), a.mul(x[1], y[1]));
        let (ir, ri) = (a.mul(x[1], y[0]), a.mul(x[0], y[1]));
        [a.add(rr, ii), a.sub(ir, ri)]
    };
    let x_finite = x.map(|part| is_finite(a, part));
    let y_finite = y.map(|part| is_finite(a, part));
    let x_infinite = x.map(|part| is_infinite(a, part));
    let y_infinite = y.map(|part| is_infinite(a, part));

    // A finite number divided by infinity.
    let direction = unit(a, y);
    let quotient = numerators(a, x, direction);
    let vanishing = quotient.map(|part| a.mul(zero, part));
    let (finite, infinite) = (a.and(x_finite[0], x_finite[1]), a.or(y_infinite[0], y_infinite[1]));
    let vanishes = a.and(finite, infinite);
    // Infinity divided by a finite number.
    let direction = unit(a, x);
    let quotient = numerators(a, direction, y);
    let growing = quotient.map(|part| a.mul(infinity, part));
    let (infinite, finite) = (a.or(x_infinite[0], x_infinite[1]), a.and(y_finite[0], y_finite[1]));
    let grows = a.and(infinite, finite);
    // A number divided by zero.
    let signed = a.copysign(infinity, y[0]);
    let pole = x.map(|part| a.mul(signed, part));
    let by_zero = is_zero(a, y);
    let not_nan = x.map(|part| {
        let nan = a.unordered(part, part);
        a.not(nan)
    });
    let not_nan = a.or(not_nan[0], not_nan[1]);
    let has_pole = a.and(by_zero, not_nan);

    let special = choose(a, vanishes, vanishing, result);
    let special = choose(a, grows, growing, special);
    choose(a, has_pole, pole, special)
}
