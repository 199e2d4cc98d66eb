//! Divisors for which an integer division is known to be defined.

use crate::{CmpI, CmpIPredicate, ExtSI, ExtUI, MaxSI, MaxUI, MinSI, OrI, Select};
use minoan_ir::{Body, Type, Value};
use minoan_services::{Datum, constant_of};

/// The most operations that are looked through.
const MAX_DEPTH: u32 = 4;

/// Whether a value is a constant whose elements all pass a test.
pub(crate) fn is_constant_that(body: &Body, value: Value, test: fn(i64) -> bool) -> bool {
    let ctx = body.context();
    // One bit is kept as 0 or 1, and a signed 1 is -1.
    let passes = |datum: Datum| match datum {
        Datum::Int(1) if body.ty(value).element_or_self(ctx) == Type::I1 => test(1) && test(-1),
        Datum::Int(value) => test(value),
        // The tests distinguish a few small numbers from all others.
        Datum::Wide(value) => test(value.as_i64().unwrap_or(i64::MIN)),
        _ => false,
    };
    let Some(attr) = constant_of(body, value) else { return false };
    match Datum::of_splat(ctx, attr).map_or_else(|| Datum::of_attr(ctx, attr), Ok) {
        Ok(Datum::Tensor(tensor)) => (0..tensor.data.len()).all(|at| passes(tensor.data.get(at))),
        Ok(scalar) => passes(scalar),
        Err(_) => false,
    }
}

/// Whether a divisor is known to be neither zero nor, for a signed division, -1: a constant, a maximum with a positive constant, or
/// a number that another one replaces where it is zero.
pub(crate) fn is_defined(body: &Body, divisor: Value, signed: bool) -> bool {
    is_nonzero(body, divisor, signed, MAX_DEPTH)
}

fn is_nonzero(body: &Body, value: Value, signed: bool, depth: u32) -> bool {
    if is_constant_that(
        body,
        value,
        if signed { |value| value != 0 && value != -1 } else { |value| value != 0 },
    ) {
        return true;
    }
    let (Some(op), Some(depth)) = (body.defining_op(value), depth.checked_sub(1)) else { return false };
    let op = body.op(op);
    if op.is::<MaxSI>() || op.is::<MinSI>() {
        return is_positive(body, value, depth);
    }
    if let Some(select) = op.cast::<Select>() {
        let (yes, no) = (select.true_value(body), select.false_value(body));
        let replaces_zero = !signed && is_zero_test(body, select.condition(body), no);
        return is_nonzero(body, yes, signed, depth)
            && (replaces_zero || is_nonzero(body, no, signed, depth));
    }
    let is = |at: usize, signed: bool| is_nonzero(body, op.operand(at), signed, depth);
    if op.is::<ExtSI>() {
        is(0, signed)
    } else if op.is::<ExtUI>() {
        is(0, false)
    } else if op.is::<MaxUI>() || op.is::<OrI>() {
        !signed && (is(0, false) || is(1, false))
    } else {
        false
    }
}

/// Whether a signed number is known to be positive: one of a maximum, or both of a minimum.
fn is_positive(body: &Body, value: Value, depth: u32) -> bool {
    // An `i1` is never positive: its 1 is -1.
    if is_constant_that(body, value, |value| value > 0) {
        return true;
    }
    let (Some(op), Some(depth)) = (body.defining_op(value), depth.checked_sub(1)) else { return false };
    let op = body.op(op);
    let mut operands = op.operands().map(|operand| is_positive(body, operand, depth));
    if op.is::<MaxSI>() { operands.any(|is| is) } else { op.is::<MinSI>() && operands.all(|is| is) }
}

/// Whether a condition is that a number is zero.
fn is_zero_test(body: &Body, condition: Value, number: Value) -> bool {
    let test = body.defining_op(condition).map(|op| body.op(op)).filter(|op| op.is::<CmpI>());
    test.is_some_and(|test| {
        test.attr_value::<CmpIPredicate>("predicate") == Some(CmpIPredicate::Eq)
            && test.operand(0) == number
            && is_constant_that(body, test.operand(1), |value| value == 0)
    })
}
