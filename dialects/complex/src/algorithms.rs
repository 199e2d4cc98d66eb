//! The functions of complex numbers, as algorithms over real arithmetic.
//!
//! An algorithm is a function over [`Arithmetic`]. It is instantiated twice: to compute with numbers, and to create the
//! operations that compute it. The operations that it consists of are correctly rounded or functions of the C library.
//!
//! Where upstream's conversion to `arith` and `math` loses accuracy, these algorithms differ: operands of quotients are scaled by
//! powers of two, square roots are computed from half-sums as C libraries do, not from angles, logarithms near the unit circle
//! from an exact square, and hyperbolic functions by the C library, not as differences of exponentials.
//!
//! Results for zeros, infinities and NaN are those of Annex G of the C standard. A product is one of four products, as of NumPy
//! and upstream: it may be NaN for an infinite operand, where Annex G has an infinity.

/// Real arithmetic on one floating-point type.
pub trait Arithmetic {
    /// A float.
    type Float: Copy;
    /// A truth value.
    type Truth: Copy;

    /// A constant, rounded to the type.
    fn float(&mut self, value: f64) -> Self::Float;
    /// The largest finite number.
    fn largest(&self) -> f64;
    /// The least positive normal number.
    fn smallest(&self) -> f64;
    /// The distance from one to the next number.
    fn epsilon(&self) -> f64;
    /// `x + y`.
    fn add(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x - y`.
    fn sub(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y`.
    fn mul(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x / y`.
    fn div(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `-x`.
    fn neg(&mut self, x: Self::Float) -> Self::Float;
    /// The magnitude of `x` with the sign of `y`.
    fn copysign(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// The angle of the point `(x, y)`.
    fn atan2(&mut self, y: Self::Float, x: Self::Float) -> Self::Float;
    /// `x` to the power `y`.
    fn pow(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// A function of the C library.
    fn call(&mut self, function: Function, x: Self::Float) -> Self::Float;
    /// `x == y`; false if one is NaN.
    fn equal(&mut self, x: Self::Float, y: Self::Float) -> Self::Truth;
    /// `x < y`; false if one is NaN.
    fn less(&mut self, x: Self::Float, y: Self::Float) -> Self::Truth;
    /// Whether `x` or `y` is NaN.
    fn unordered(&mut self, x: Self::Float, y: Self::Float) -> Self::Truth;
    /// Conjunction.
    fn and(&mut self, x: Self::Truth, y: Self::Truth) -> Self::Truth;
    /// Disjunction.
    fn or(&mut self, x: Self::Truth, y: Self::Truth) -> Self::Truth;
    /// Negation.
    fn not(&mut self, x: Self::Truth) -> Self::Truth;
    /// `condition ? x : y`.
    fn select(&mut self, condition: Self::Truth, x: Self::Float, y: Self::Float) -> Self::Float;
}

/// A function of one float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of `math`")]
pub enum Function {
    Abs,
    Cos,
    Cosh,
    Exp,
    ExpM1,
    Log,
    Log1p,
    Sin,
    Sinh,
    Sqrt,
}

use Function::*;

/// The real and the imaginary part.
pub type Parts<A> = [<A as Arithmetic>::Float; 2];

/// Conditional choice between two numbers.
fn choose<A: Arithmetic>(a: &mut A, condition: A::Truth, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    [a.select(condition, x[0], y[0]), a.select(condition, x[1], y[1])]
}

fn is_zero<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> A::Truth {
    let zero = a.float(0.0);
    let (re, im) = (a.equal(re, zero), a.equal(im, zero));
    a.and(re, im)
}

fn is_infinite<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Truth {
    let (magnitude, infinity) = (a.call(Abs, x), a.float(f64::INFINITY));
    a.equal(magnitude, infinity)
}

fn is_finite<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Truth {
    let (magnitude, infinity) = (a.call(Abs, x), a.float(f64::INFINITY));
    a.less(magnitude, infinity)
}

/// The magnitudes of the parts, the larger one first; the second is NaN if one of them is.
fn ordered<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> [A::Float; 2] {
    let (re, im) = (a.call(Abs, re), a.call(Abs, im));
    let swap = a.less(re, im);
    [a.select(swap, im, re), a.select(swap, re, im)]
}

/// `x + y`.
pub fn add<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    [a.add(x[0], y[0]), a.add(x[1], y[1])]
}

/// `x - y`.
pub fn sub<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    [a.sub(x[0], y[0]), a.sub(x[1], y[1])]
}

/// `-x`.
pub fn neg<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    x.map(|part| a.neg(part))
}

/// The complex conjugate.
pub fn conj<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    [re, a.neg(im)]
}

/// `x y`, of four products.
pub fn mul<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    let (rr, ii) = (a.mul(x[0], y[0]), a.mul(x[1], y[1]));
    let (ir, ri) = (a.mul(x[1], y[0]), a.mul(x[0], y[1]));
    [a.sub(rr, ii), a.add(ir, ri)]
}

/// Whether all parts are equal.
pub fn equal<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> A::Truth {
    let (re, im) = (a.equal(x[0], y[0]), a.equal(x[1], y[1]));
    a.and(re, im)
}

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

/// The absolute value, without intermediate overflow; infinite if a part is.
pub fn abs<A: Arithmetic>(a: &mut A, x: Parts<A>) -> A::Float {
    let [large, small] = ordered(a, x);
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let ratio = a.div(small, large);
    let is_zero = is_zero(a, x);
    let ratio = a.select(is_zero, zero, ratio);
    let square = a.mul(ratio, ratio);
    let sum = a.add(one, square);
    let root = a.call(Sqrt, sum);
    let finite = a.mul(large, root);
    let infinite = x.map(|part| is_infinite(a, part));
    let (infinite, infinity) = (a.or(infinite[0], infinite[1]), a.float(f64::INFINITY));
    a.select(infinite, infinity, finite)
}

/// The angle.
pub fn angle<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> A::Float {
    a.atan2(im, re)
}

/// The number divided by its absolute value; zero for zero.
pub fn sign<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    // Division by the larger part first keeps the absolute value between one and the square root of two.
    let [large, _] = ordered(a, x);
    let scaled = x.map(|part| a.div(part, large));
    let magnitude = abs(a, scaled);
    let signed = scaled.map(|part| a.div(part, magnitude));
    let zero = is_zero(a, x);
    choose(a, zero, x, signed)
}

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
fn log_abs<A: Arithmetic>(a: &mut A, x: Parts<A>, plus_one: bool) -> A::Float {
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

/// `e^re (factor, ..)`: the products of `e^re` and factors of at most one, in two steps where `e^re` overflows.
fn scaled_by_exp<A: Arithmetic>(a: &mut A, re: A::Float, factors: Parts<A>) -> Parts<A> {
    let scale = a.call(Exp, re);
    let half = a.float(0.5);
    let half = a.mul(re, half);
    let half = a.call(Exp, half);
    let overflows = is_infinite(a, scale);
    factors.map(|factor| {
        let direct = a.mul(scale, factor);
        let stepwise = a.mul(half, factor);
        let stepwise = a.mul(stepwise, half);
        a.select(overflows, stepwise, direct)
    })
}

/// `e^x`.
pub fn exp<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    let factors = [a.call(Cos, im), a.call(Sin, im)];
    let result = scaled_by_exp(a, re, factors);
    // A real number has a real result, also where the other part is infinite.
    let zero = a.float(0.0);
    let is_real = a.equal(im, zero);
    let result = [result[0], a.select(is_real, im, result[1])];
    // Without a direction, the result for an infinite real part is zero, or infinity and NaN.
    let infinity = a.float(f64::INFINITY);
    let least = a.neg(infinity);
    let is_finite = is_finite(a, im);
    let has_no_direction = a.not(is_finite);
    let (vanishes, grows) = (a.equal(re, least), a.equal(re, infinity));
    let (vanishes, grows) = (a.and(vanishes, has_no_direction), a.and(grows, has_no_direction));
    let result = choose(a, vanishes, [zero, zero], result);
    [a.select(grows, infinity, result[0]), result[1]]
}

/// `e^x - 1`.
pub fn expm1<A: Arithmetic>(a: &mut A, [re, im]: Parts<A>) -> Parts<A> {
    // e^re cos im - 1 = (e^re - 1) cos im + (cos im - 1), where cos im - 1 = -2 sin(im / 2)^2.
    let (half, two) = (a.float(0.5), a.float(2.0));
    let half_angle = a.mul(im, half);
    let sine = a.call(Sin, half_angle);
    let square = a.mul(sine, sine);
    let less = a.mul(two, square);
    let (growth, cosine) = (a.call(ExpM1, re), a.call(Cos, im));
    let product = a.mul(growth, cosine);
    let near = a.sub(product, less);
    let [far, im] = exp(a, [re, im]);
    let one = a.float(1.0);
    let far = a.sub(far, one);
    let overflows = is_infinite(a, growth);
    [a.select(overflows, far, near), im]
}

/// The square root with a nonnegative real part, whose imaginary part has the sign of that of the operand.
pub fn sqrt<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    let (half, one, zero) = (a.float(0.5), a.float(1.0), a.float(0.0));
    // Powers of four, so that neither the sum below overflows nor the parts lose bits as denormal numbers.
    let (largest, smallest) = (a.largest(), a.smallest());
    let [large, _] = ordered(a, x);
    let (high, low) = (a.float(largest / 8.0), a.float(smallest * 16777216.0));
    let (is_high, is_low) = (a.less(high, large), a.less(large, low));
    let (down, up) = (a.float(0.0625), a.float(16777216.0 * 16777216.0));
    let (back_up, back_down) = (a.float(4.0), a.float(1.0 / 16777216.0));
    let scale = a.select(is_low, up, one);
    let scale = a.select(is_high, down, scale);
    let back = a.select(is_low, back_down, one);
    let back = a.select(is_high, back_up, back);
    let scaled = x.map(|part| a.mul(part, scale));
    // sqrt((|re| + |x|) / 2) is a part of the result, and the other is half of im divided by it.
    let (magnitude, absolute) = (abs(a, scaled), a.call(Abs, scaled[0]));
    let sum = a.add(absolute, magnitude);
    let square = a.mul(sum, half);
    let root = a.call(Sqrt, square);
    let doubled = a.add(root, root);
    let quotient = a.div(scaled[1], doubled);
    let (root, quotient) = (a.mul(root, back), a.mul(quotient, back));
    let negative = a.less(x[0], zero);
    let other = a.call(Abs, quotient);
    let signed = a.copysign(root, x[1]);
    let result = choose(a, negative, [other, signed], [root, quotient]);
    // Zeros keep the sign of the imaginary part.
    let is_zero = is_zero(a, x);
    let result = choose(a, is_zero, [zero, x[1]], result);
    // The root of a number with an infinite real part: the quotient is NaN, but the part is zero, or NaN if the operand's is.
    let re_infinite = is_infinite(a, x[0]);
    let vanishing = a.mul(zero, x[1]);
    let positive = [root, vanishing];
    let magnitude = a.call(Abs, vanishing);
    let infinite = choose(a, negative, [magnitude, signed], positive);
    let result = choose(a, re_infinite, infinite, result);
    // An infinite imaginary part outweighs everything.
    let im_infinite = is_infinite(a, x[1]);
    let infinity = a.float(f64::INFINITY);
    choose(a, im_infinite, [infinity, x[1]], result)
}

/// The reciprocal of the square root.
pub fn rsqrt<A: Arithmetic>(a: &mut A, x: Parts<A>) -> Parts<A> {
    let root = sqrt(a, x);
    let one = [a.float(1.0), a.float(0.0)];
    div(a, one, root)
}

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

/// `x^y`, from the power of the absolute value and the angle; one if the exponent is zero.
pub fn pow<A: Arithmetic>(a: &mut A, x: Parts<A>, y: Parts<A>) -> Parts<A> {
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let (magnitude, angle) = (abs(a, x), angle(a, x));
    let log = log_abs(a, x, false);
    let (turned, wound) = (a.mul(y[0], angle), a.mul(y[1], log));
    let total = a.add(turned, wound);
    let factors = [a.call(Cos, total), a.call(Sin, total)];
    let is_real = a.equal(total, zero);
    let factors = [factors[0], a.select(is_real, total, factors[1])];
    // |x|^re e^(-im angle), as one exponential where a factor leaves the range of normal numbers.
    let growth = a.pow(magnitude, y[0]);
    let winding = a.mul(y[1], angle);
    let winding = a.neg(winding);
    let decay = a.call(Exp, winding);
    let stretching = a.mul(y[0], log);
    let exponent = a.add(stretching, winding);
    let (low, high) = (a.float(a.smallest()), a.float(a.largest()));
    let mut is_normal = a.less(low, growth);
    for (below, above) in [(growth, high), (low, decay), (decay, high), (low, magnitude), (magnitude, high)] {
        let holds = a.less(below, above);
        is_normal = a.and(is_normal, holds);
    }
    let direct = factors.map(|factor| {
        let part = a.mul(growth, factor);
        a.mul(decay, part)
    });
    let joined = scaled_by_exp(a, exponent, factors);
    let power = choose(a, is_normal, direct, joined);
    // The logarithm of zero is infinite, and its product with an exponent may be NaN.
    let (base_zero, exponent_zero) = (is_zero(a, x), is_zero(a, y));
    let (positive, real) = (a.less(zero, y[0]), a.equal(y[1], zero));
    let vanishes = a.and(base_zero, positive);
    let vanishes = a.and(vanishes, real);
    let power = choose(a, vanishes, [zero, zero], power);
    choose(a, exponent_zero, [one, zero], power)
}

/// The angle of a point with complex coordinates: `-i log((x + iy) / sqrt(x^2 + y^2))`.
pub fn atan2<A: Arithmetic>(a: &mut A, y: Parts<A>, x: Parts<A>) -> Parts<A> {
    // Powers of two keep the squares in range; the quotient does not depend on them.
    let ([large_x, _], [large_y, _]) = (ordered(a, x), ordered(a, y));
    let swap = a.less(large_x, large_y);
    let large = a.select(swap, large_y, large_x);
    let factor = (a.largest().log2() / 2.0).ceil().exp2();
    let (high, low) = (a.float(1.0 / (4.0 * a.epsilon() * a.epsilon())), a.float(a.epsilon() * a.epsilon()));
    let (is_high, is_low) = (a.less(high, large), a.less(large, low));
    let (down, up, one) = (a.float(1.0 / factor), a.float(factor), a.float(1.0));
    let scale = a.select(is_low, up, one);
    let scale = a.select(is_high, down, scale);
    let [x, y] = [x, y].map(|number| number.map(|part| a.mul(part, scale)));
    let (x_square, y_square) = (mul(a, x, x), mul(a, y, y));
    let sum = add(a, x_square, y_square);
    let root = sqrt(a, sum);
    let rotated = [a.neg(y[1]), y[0]];
    let point = add(a, x, rotated);
    let direction = div(a, point, root);
    let [re, im] = log(a, direction);
    [im, a.neg(re)]
}
