//! Folds of floating-point operations, which are valid for NaN, infinities and both zeros; for one sign of zero only if
//! `fastmath` has `nsz`.

use super::apfloat::arithmetic;
use super::{Folding, rule};
use crate::*;
use minoan_ir::{DialectBuilder, FloatArithmetic};
use minoan_services::FoldResult;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    // x + 0.0 is not x for x = -0.0.
    rule::<AddF>(dialect, |f| {
        let ignores_sign = has_fastmath_flag(f.op, FastMath::NoSignedZero);
        rhs_is(f, |value| value == 0.0 && value.is_sign_negative())
            .or_else(|| rhs_is(f, |value| value == 0.0).filter(|_| ignores_sign))
            .or_else(|| arithmetic(f, FloatArithmetic::Add))
            .into()
    });
    rule::<SubF>(dialect, |f| {
        rhs_is(f, |value| value == 0.0 && value.is_sign_positive())
            .or_else(|| arithmetic(f, FloatArithmetic::Sub))
            .into()
    });
    rule::<MulF>(dialect, |f| {
        rhs_is(f, |value| value == 1.0).or_else(|| arithmetic(f, FloatArithmetic::Mul)).into()
    });
    rule::<DivF>(dialect, |f| {
        rhs_is(f, |value| value == 1.0).or_else(|| arithmetic(f, FloatArithmetic::Div)).into()
    });
    rule::<MaximumF>(dialect, |f| same(f).or_else(|| rhs_is(f, |value| value == f64::NEG_INFINITY)).into());
    rule::<MinimumF>(dialect, |f| same(f).or_else(|| rhs_is(f, |value| value == f64::INFINITY)).into());
    // An infinity takes precedence over NaN, so it is not a neutral operand; NaN is.
    rule::<MaxNumF>(dialect, |f| same(f).or_else(|| rhs_is(f, f64::is_nan)).into());
    rule::<MinNumF>(dialect, |f| same(f).or_else(|| rhs_is(f, f64::is_nan)).into());
}

fn same(f: Folding<'_>) -> Option<FoldResult> {
    if f.operand(0) == f.operand(1) { f.keep(0) } else { None }
}

/// Folds to the left operand if the right one is a constant that satisfies `test`.
fn rhs_is(f: Folding<'_>, test: fn(f64) -> bool) -> Option<FoldResult> {
    f.float(1).filter(|&value| test(value)).and_then(|_| f.keep(0))
}
