//! The derivative of `lgamma`, which is a function of the runtime library.

use super::build::math;
use minoan_arith::{CmpFPredicate, addf, cmpf, constant_float, divf, mulf, subf};
use minoan_diff::Rule;
use minoan_func::{Func, Return, Visibility};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_scf::While;

/// Defines the derivative of the logarithm of the gamma function, and declares it as a derivative: its tangent and its cotangent
/// are both the product with the digamma function.
pub(super) fn declare(b: &mut Builder<'_>, lgamma: &str) {
    const NAME: &str = "minoan_lgamma_derivative";
    let ctx = b.context();
    let double = Type::F64;
    Func::with_body(b, NAME, &[double, double], &[double], Visibility::Private, |b, args| {
        let slope = digamma(b, args[0]);
        let product = mulf(b, args[1], slope);
        Return::build(b, &[product]);
    });
    for mode in ["fwd", "rev"] {
        Rule::build(b, ctx.name(lgamma), mode, ctx.name(NAME));
    }
}

/// The digamma function: by `psi(x) = psi(x + 1) - 1 / x` up to a large argument, and its asymptotic series there, whose first
/// omitted term is below 1e-15.
fn digamma(b: &mut Builder<'_>, x: Value) -> Value {
    const LARGE: f64 = 12.0;
    /// The coefficients of the powers of `1 / x^2`, from Bernoulli numbers: `B(2n) / 2n`.
    const SERIES: [f64; 6] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0];
    let double = Type::F64;
    let number = |b: &mut Builder<'_>, value: f64| constant_float(b, value, double);
    let (zero, one, large) = (number(b, 0.0), number(b, 1.0), number(b, LARGE));
    let shifted = While::with(
        b,
        &[x, zero],
        &[double, double],
        |b, args| (cmpf(b, CmpFPredicate::Olt, args[0], large), args.to_vec()),
        |b, args| {
            let term = divf(b, one, args[0]);
            vec![addf(b, args[0], one), subf(b, args[1], term)]
        },
    );
    let results: Vec<Value> = b.body().op(shifted.op()).results().collect();
    let [x, sum] = [results[0], results[1]];
    let reciprocal = divf(b, one, x);
    let square = mulf(b, reciprocal, reciprocal);
    let mut series = number(b, 0.0);
    for coefficient in SERIES.into_iter().rev() {
        let coefficient = number(b, coefficient);
        let inner = addf(b, series, coefficient);
        series = mulf(b, inner, square);
    }
    let half = number(b, 0.5);
    let half = mulf(b, half, reciprocal);
    let logarithm = math(b, "math.log", x);
    let total = subf(b, logarithm, half);
    let total = subf(b, total, series);
    addf(b, total, sum)
}
