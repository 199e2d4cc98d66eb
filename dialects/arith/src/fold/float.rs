//! Floats. Every rule holds for NaN, infinities and both zeros, whatever the `fastmath` flags.

use super::{Folding, rule};
use crate::*;
use minoan_ir::DialectBuilder;
use minoan_services::FoldResult;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    // x + 0.0 is not x for x = -0.0.
    rule::<AddF>(dialect, |f| right_is(f, |value| value == 0.0 && value.is_sign_negative()).into());
    rule::<SubF>(dialect, |f| right_is(f, |value| value == 0.0 && value.is_sign_positive()).into());
    rule::<MulF>(dialect, |f| right_is(f, |value| value == 1.0).into());
    rule::<DivF>(dialect, |f| right_is(f, |value| value == 1.0).into());
    rule::<MaximumF>(dialect, |f| same(f).or_else(|| right_is(f, |value| value == f64::NEG_INFINITY)).into());
    rule::<MinimumF>(dialect, |f| same(f).or_else(|| right_is(f, |value| value == f64::INFINITY)).into());
    // An infinity is better than a NaN here, so it is no neutral operand; a NaN is.
    rule::<MaxNumF>(dialect, |f| same(f).or_else(|| right_is(f, f64::is_nan)).into());
    rule::<MinNumF>(dialect, |f| same(f).or_else(|| right_is(f, f64::is_nan)).into());
}

fn same(f: Folding<'_>) -> Option<FoldResult> {
    if f.operand(0) == f.operand(1) { f.keep(0) } else { None }
}

/// `x op c` is `x` for this `c`.
fn right_is(f: Folding<'_>, test: fn(f64) -> bool) -> Option<FoldResult> {
    f.float(1).filter(|&value| test(value)).and_then(|_| f.keep(0))
}
