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

mod circular;
mod logarithm;
mod quotient;

pub use circular::{cos, sin, tan, tanh};
pub use logarithm::{log, log1p};
pub use quotient::div;

use logarithm::log_abs;

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
