//! Simplification of affine expressions, as MLIR simplifies them on construction.
//!
//! The rules are those of `simplifyAdd`, `simplifyMul`, `simplifyFloorDiv`, `simplifyCeilDiv` and `simplifyMod`:
//! expressions that are equal in MLIR are equal here.

use crate::affine::{AffineExpr, AffineOp};
use AffineExpr::{Binary, Constant, Dim, Symbol};

/// Whether an expression contains no dimension.
pub(crate) fn is_symbolic(expr: &AffineExpr) -> bool {
    match expr {
        Dim(_) => false,
        Symbol(_) | Constant(_) => true,
        Binary(_, lhs, rhs) => is_symbolic(lhs) && is_symbolic(rhs),
    }
}

/// Splits `expr * constant`.
fn scaled(expr: &AffineExpr) -> (&AffineExpr, i64) {
    match expr {
        Binary(AffineOp::Mul, inner, factor) => match **factor {
            Constant(factor) => (inner, factor),
            _ => (expr, 1),
        },
        _ => (expr, 1),
    }
}

/// A sum: constants outermost and on the right, multiples of one term combined, `e - (e floordiv q) * q` as `e mod
/// q`.
pub(crate) fn add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
    simplified_add(&lhs, &rhs).unwrap_or_else(|| AffineExpr::binary(AffineOp::Add, lhs, rhs))
}

/// The sum; `None` if it is the sum of the two as they are.
fn simplified_add(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    match (lhs, rhs) {
        // Not folded on overflow.
        (Constant(a), Constant(b)) => return a.checked_add(*b).map(Constant),
        (_, Constant(0)) => return Some(lhs.clone()),
        (Dim(a), Dim(b)) | (Symbol(a), Symbol(b)) if a > b => return Some(add(rhs.clone(), lhs.clone())),
        (Constant(_), _) => return Some(add(rhs.clone(), lhs.clone())),
        _ if is_symbolic(lhs) && !is_symbolic(rhs) => return Some(add(rhs.clone(), lhs.clone())),
        _ => {}
    }
    if !matches!(rhs, Constant(_)) {
        let ((left, times), (right, more)) = (scaled(lhs), scaled(rhs));
        if left == right {
            return Some(mul(left.clone(), Constant(times.wrapping_add(more))));
        }
    }
    if let Binary(AffineOp::Add, inner, last) = lhs
        && let Constant(first) = **last
    {
        return Some(match rhs {
            Constant(second) => add((**inner).clone(), Constant(first.wrapping_add(*second))),
            _ => add(add((**inner).clone(), rhs.clone()), Constant(first)),
        });
    }
    if let Some(modulo) = as_modulo(lhs, rhs) {
        return Some(modulo);
    }
    // A multiple of a quotient is combined with the last term, which may be its dividend.
    match (lhs, rhs) {
        (Binary(AffineOp::Add, inner, last), Binary(AffineOp::Mul, quotient, _))
            if matches!(**quotient, Binary(AffineOp::FloorDiv, ..)) =>
        {
            Some(add((**inner).clone(), simplified_add(last, rhs)?))
        }
        _ => None,
    }
}

/// `e + (e floordiv q) * -q`, and `e - (e floordiv s) * s` for a symbolic `s`, as `e mod q`.
fn as_modulo(lhs: &AffineExpr, rhs: &AffineExpr) -> Option<AffineExpr> {
    let (product, factor) = scaled(rhs);
    let (quotient, divisor) = match (product, factor) {
        (Binary(AffineOp::Mul, quotient, divisor), -1) => (quotient, (**divisor).clone()),
        (_, factor) if factor < -1 => match rhs {
            Binary(_, quotient, _) => (quotient, Constant(factor.checked_neg()?)),
            _ => return None,
        },
        _ => return None,
    };
    match &**quotient {
        Binary(AffineOp::FloorDiv, dividend, by) if **dividend == *lhs && **by == divisor => {
            Some(divide(AffineOp::Mod, lhs.clone(), divisor))
        }
        _ => None,
    }
}

/// A product: the constant or symbol on the right, constants combined.
pub(crate) fn mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
    match (&lhs, &rhs) {
        (Constant(a), Constant(b)) => {
            return a.checked_mul(*b).map_or_else(|| AffineExpr::binary(AffineOp::Mul, lhs, rhs), Constant);
        }
        (Constant(_), _) => return mul(rhs, lhs),
        _ if is_symbolic(&lhs) && !is_symbolic(&rhs) => return mul(rhs, lhs),
        _ => {}
    }
    if let Binary(AffineOp::Mul, inner, last) = &lhs
        && let Constant(first) = **last
    {
        return match rhs {
            Constant(second) => mul((**inner).clone(), Constant(first.wrapping_mul(second))),
            _ => mul(mul((**inner).clone(), rhs), Constant(first)),
        };
    }
    AffineExpr::binary(AffineOp::Mul, lhs, rhs)
}

/// `floordiv`, `ceildiv` or `mod`: exact divisions by a constant are folded.
pub(crate) fn divide(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
    let &Constant(by) = &rhs else { return AffineExpr::binary(op, lhs, rhs) };
    if let (Constant(value), true) = (&lhs, by < 0)
        && let Some(quotient) = exact_or_rounded(op, *value, by)
    {
        return Constant(quotient);
    }
    if by == 0 || by == 1 || by < 0 && op == AffineOp::Mod || matches!(lhs, Constant(_)) {
        return AffineExpr::binary(op, lhs, rhs);
    }
    let known = |expr: &AffineExpr| largest_divisor(expr).is_multiple_of(by.unsigned_abs());
    match (op, &lhs) {
        (AffineOp::Mod, _) if known(&lhs) => return Constant(0),
        (AffineOp::Mod, Binary(AffineOp::Add, a, b)) if known(a) => return divide(op, (**b).clone(), rhs),
        (AffineOp::Mod, Binary(AffineOp::Add, a, b)) if known(b) => return divide(op, (**a).clone(), rhs),
        (AffineOp::Mod, Binary(AffineOp::Mod, inner, first)) => {
            if let Constant(first) = **first
                && first >= 1
                && first % by == 0
            {
                return divide(op, (**inner).clone(), rhs);
            }
        }
        (AffineOp::FloorDiv | AffineOp::CeilDiv, Binary(AffineOp::Mul, inner, factor)) => {
            if let Constant(factor) = **factor
                && factor.checked_rem(by) == Some(0)
            {
                return mul((**inner).clone(), Constant(factor / by));
            }
        }
        (AffineOp::FloorDiv, Binary(AffineOp::Add, a, b)) if known(a) || known(b) => {
            return add(divide(op, (**a).clone(), rhs.clone()), divide(op, (**b).clone(), rhs));
        }
        _ => {}
    }
    AffineExpr::binary(op, lhs, rhs)
}

/// Divides by a negative number; `None` for a remainder, or on overflow.
fn exact_or_rounded(op: AffineOp, value: i64, by: i64) -> Option<i64> {
    let (quotient, rest) = (value.checked_div(by)?, value.checked_rem(by)?);
    match op {
        AffineOp::FloorDiv => Some(quotient - i64::from(rest > 0)),
        AffineOp::CeilDiv => Some(quotient + i64::from(rest < 0)),
        _ => None,
    }
}

/// A number that divides all values of an expression; 0 for the constant 0.
pub(crate) fn largest_divisor(expr: &AffineExpr) -> u64 {
    match expr {
        Dim(_) | Symbol(_) => 1,
        Constant(value) => value.unsigned_abs(),
        Binary(AffineOp::Mul, lhs, rhs) => largest_divisor(lhs).saturating_mul(largest_divisor(rhs)),
        Binary(AffineOp::Add | AffineOp::Mod, lhs, rhs) => gcd(largest_divisor(lhs), largest_divisor(rhs)),
        Binary(AffineOp::FloorDiv | AffineOp::CeilDiv, lhs, rhs) => match **rhs {
            Constant(by) if by != 0 => {
                let (divisor, by) = (largest_divisor(lhs), by.unsigned_abs());
                if divisor.is_multiple_of(by) { divisor / by } else { 1 }
            }
            _ => 1,
        },
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
