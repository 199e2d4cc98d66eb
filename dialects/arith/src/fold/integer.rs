//! Folds of integer operations.

use super::{Folding, Integer, rule};
use crate::*;
use minoan_ir::{DialectBuilder, OpDef, Value};
use minoan_services::{FoldResult, Folded};
use smallvec::smallvec;

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    rule::<AddI>(dialect, |f| add(f).into());
    rule::<SubI>(dialect, |f| sub(f).into());
    rule::<MulI>(dialect, |f| mul(f).into());
    rule::<AddUIExtended>(dialect, add_extended);
    rule::<MulSIExtended>(dialect, mul_extended);
    rule::<MulUIExtended>(dialect, mul_extended);
    rule::<DivSI>(dialect, |f| {
        divided_by_one(f).or_else(|| product_divided(f, Overflow::NoSignedWrap)).into()
    });
    rule::<DivUI>(dialect, |f| {
        divided_by_one(f).or_else(|| product_divided(f, Overflow::NoUnsignedWrap)).into()
    });
    rule::<CeilDivSI>(dialect, |f| divided_by_one(f).into());
    rule::<CeilDivUI>(dialect, |f| divided_by_one(f).into());
    rule::<FloorDivSI>(dialect, |f| divided_by_one(f).into());
    rule::<RemSI>(dialect, |f| remainder_of_one(f).into());
    rule::<RemUI>(dialect, |f| remainder_of_one(f).into());
    rule::<AndI>(dialect, |f| and(f).into());
    rule::<OrI>(dialect, |f| or(f).into());
    rule::<XOrI>(dialect, |f| xor(f).into());
    rule::<ShLI>(dialect, |f| rhs_is(f, Integer::is_zero).into());
    rule::<ShRSI>(dialect, |f| rhs_is(f, Integer::is_zero).into());
    rule::<ShRUI>(dialect, |f| rhs_is(f, Integer::is_zero).into());
    rule::<MaxSI>(dialect, |f| extreme(f, Integer::is_signed_max, Integer::is_signed_min).into());
    rule::<MinSI>(dialect, |f| extreme(f, Integer::is_signed_min, Integer::is_signed_max).into());
    rule::<MaxUI>(dialect, |f| extreme(f, Integer::is_all_ones, Integer::is_zero).into());
    rule::<MinUI>(dialect, |f| extreme(f, Integer::is_zero, Integer::is_all_ones).into());
}

/// The operands of the definition of an operand, if that is an `O`.
fn inside<O: OpDef>(f: Folding<'_>, index: usize) -> Option<[Value; 2]> {
    f.def::<O>(index).map(|(_, op)| [op.operand(0), op.operand(1)])
}

fn same(f: Folding<'_>) -> bool {
    f.operand(0) == f.operand(1)
}

/// Folds to the left operand if the right one is a constant that satisfies `test`.
fn rhs_is(f: Folding<'_>, test: fn(&Integer) -> bool) -> Option<FoldResult> {
    f.integer(1).filter(test).and_then(|_| f.keep(0))
}

fn add(f: Folding<'_>) -> Option<FoldResult> {
    if let Some(known) = rhs_is(f, Integer::is_zero) {
        return Some(known);
    }
    // (a - b) + b and b + (a - b) are a.
    for (difference, other) in [(0, 1), (1, 0)] {
        if let Some([a, b]) = inside::<SubI>(f, difference)
            && b == f.operand(other)
        {
            return Some(a.into());
        }
    }
    None
}

fn sub(f: Folding<'_>) -> Option<FoldResult> {
    if same(f) {
        return f.result_integer(0, 0);
    }
    if let Some(known) = rhs_is(f, Integer::is_zero) {
        return Some(known);
    }
    // (a + b) - b is a, (a + b) - a is b.
    let [a, b] = inside::<AddI>(f, 0)?;
    match f.operand(1) {
        subtracted if subtracted == b => Some(a.into()),
        subtracted if subtracted == a => Some(b.into()),
        _ => None,
    }
}

fn mul(f: Folding<'_>) -> Option<FoldResult> {
    match f.integer(1)? {
        zero if zero.is_zero() => f.keep(1),
        one if one.is_one() => f.keep(0),
        _ => None,
    }
}

fn add_extended(f: Folding<'_>) -> Folded {
    let known = || {
        f.integer(1).filter(|right| right.is_zero())?;
        Some(Folded::Results(smallvec![f.keep(0)?, f.result_integer(1, 0)?]))
    };
    known().unwrap_or(Folded::Unchanged)
}

fn mul_extended(f: Folding<'_>) -> Folded {
    let known = || {
        f.integer(1).filter(|right| right.is_zero())?;
        Some(Folded::Results(smallvec![f.keep(1)?, f.keep(1)?]))
    };
    known().unwrap_or(Folded::Unchanged)
}

fn divided_by_one(f: Folding<'_>) -> Option<FoldResult> {
    // In one bit, 1 is -1.
    let divisor = f.integer(1).filter(|divisor| divisor.signed.as_i64() == Some(1));
    divisor.and_then(|_| f.keep(0))
}

/// Folds the quotient of a product without overflow (by `flag`) and one of the factors to the other factor.
fn product_divided(f: Folding<'_>, flag: Overflow) -> Option<FoldResult> {
    let (product, inner) = f.def::<MulI>(0)?;
    let flags = product.overflow(inner.body());
    let [a, b] = [inner.operand(0), inner.operand(1)];
    let other = if b == f.operand(1) { a } else { b };
    (flags.has(flag) && [a, b].contains(&f.operand(1))).then_some(other.into())
}

fn remainder_of_one(f: Folding<'_>) -> Option<FoldResult> {
    f.integer(1).filter(|divisor| divisor.is_one()).and_then(|_| f.result_integer(0, 0))
}

/// Whether `value` is the bitwise complement of `other`.
fn is_complement(f: Folding<'_>, value: Value, other: Value) -> bool {
    let body = f.op.body();
    let Some(not) = body.defining_op(value).and_then(|op| XOrI::cast(body, op)) else { return false };
    let [of, ones] = not.operand_values(body);
    let ones = minoan_services::constant_of(body, ones).and_then(|attr| Integer::of(f.ctx(), attr));
    of == other && ones.is_some_and(|ones| ones.is_all_ones())
}

fn complements(f: Folding<'_>) -> bool {
    is_complement(f, f.operand(1), f.operand(0)) || is_complement(f, f.operand(0), f.operand(1))
}

/// `(a op b) op a` is `a op b` for an associative and idempotent operation.
fn absorbed<O: OpDef>(f: Folding<'_>) -> Option<FoldResult> {
    for (applied, other) in [(0, 1), (1, 0)] {
        if inside::<O>(f, applied).is_some_and(|operands| operands.contains(&f.operand(other))) {
            return f.keep(applied);
        }
    }
    None
}

fn and(f: Folding<'_>) -> Option<FoldResult> {
    if same(f) {
        return f.keep(0);
    }
    match f.integer(1) {
        Some(zero) if zero.is_zero() => return f.keep(1),
        Some(ones) if ones.is_all_ones() => return f.keep(0),
        _ => {}
    }
    if complements(f) {
        return f.result_integer(0, 0);
    }
    absorbed::<AndI>(f)
}

fn or(f: Folding<'_>) -> Option<FoldResult> {
    if same(f) {
        return f.keep(0);
    }
    match f.integer(1) {
        Some(zero) if zero.is_zero() => return f.keep(0),
        Some(ones) if ones.is_all_ones() => return f.keep(1),
        _ => {}
    }
    if complements(f) {
        return f.result_integer(0, -1);
    }
    absorbed::<OrI>(f)
}

fn xor(f: Folding<'_>) -> Option<FoldResult> {
    if same(f) {
        return f.result_integer(0, 0);
    }
    if let Some(known) = rhs_is(f, Integer::is_zero) {
        return Some(known);
    }
    // (a ^ b) ^ b is a, in any order.
    for (applied, other) in [(0, 1), (1, 0)] {
        match inside::<XOrI>(f, applied) {
            Some([a, b]) if b == f.operand(other) => return Some(a.into()),
            Some([a, b]) if a == f.operand(other) => return Some(b.into()),
            _ => {}
        }
    }
    None
}

/// Folds a maximum or minimum with an absorbing or neutral constant.
fn extreme(f: Folding<'_>, wins: fn(&Integer) -> bool, loses: fn(&Integer) -> bool) -> Option<FoldResult> {
    if same(f) {
        return f.keep(0);
    }
    match f.integer(1)? {
        value if wins(&value) => f.keep(1),
        value if loses(&value) => f.keep(0),
        _ => None,
    }
}
