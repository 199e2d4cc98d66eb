//! Affine expressions as arithmetic.

use crate::value_map::ValueMap;
use minoan_arith::{self as arith, CmpIPredicate, Overflow, constant_index};
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Flags, Value};

/// A sum that does not overflow as a signed number.
pub(crate) fn add_nsw(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    let op = arith::AddI::builder(lhs, rhs).overflow(Flags::from(Overflow::NoSignedWrap)).build(b);
    op.result(b.body())
}

/// A product with overflow flags.
pub(crate) fn mul_with(b: &mut Builder<'_>, lhs: Value, rhs: Value, flags: Flags<Overflow>) -> Value {
    let op = arith::MulI::builder(lhs, rhs).overflow(flags).build(b);
    op.result(b.body())
}

/// A product that does not overflow as a signed number.
pub(crate) fn mul_nsw(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    mul_with(b, lhs, rhs, Flags::from(Overflow::NoSignedWrap))
}

/// `remainder`, or `remainder + by` if it is negative.
pub(crate) fn corrected(b: &mut Builder<'_>, remainder: Value, by: Value, zero: Value, nsw: bool) -> Value {
    let is_negative = arith::cmpi(b, CmpIPredicate::Slt, remainder, zero);
    let sum = if nsw { add_nsw(b, remainder, by) } else { arith::addi(b, remainder, by) };
    arith::select(b, is_negative, sum, remainder)
}

/// The value of an expression; `None` if a divisor is a constant that is not positive. A quotient takes one division: of a
/// negative number, it is computed of the complement.
pub(crate) fn expand_expr(
    b: &mut Builder<'_>,
    expr: &AffineExpr,
    dims: &[Value],
    symbols: &[Value],
) -> Option<Value> {
    let (op, lhs, rhs) = match expr {
        AffineExpr::Dim(at) => return dims.get(*at as usize).copied(),
        AffineExpr::Symbol(at) => return symbols.get(*at as usize).copied(),
        AffineExpr::Constant(value) => return Some(constant_index(b, *value)),
        AffineExpr::Binary(op, lhs, rhs) => (*op, lhs, rhs),
    };
    if !matches!(op, AffineOp::Add | AffineOp::Mul)
        && let AffineExpr::Constant(by) = **rhs
        && by <= 0
    {
        return None;
    }
    let lhs = expand_expr(b, lhs, dims, symbols)?;
    let rhs = expand_expr(b, rhs, dims, symbols)?;
    Some(match op {
        AffineOp::Add => arith::addi(b, lhs, rhs),
        AffineOp::Mul => mul_nsw(b, lhs, rhs),
        AffineOp::Mod => {
            let remainder = arith::remsi(b, lhs, rhs);
            let zero = constant_index(b, 0);
            corrected(b, remainder, rhs, zero, false)
        }
        AffineOp::FloorDiv => {
            let (zero, minus_one) = (constant_index(b, 0), constant_index(b, -1));
            let is_negative = arith::cmpi(b, CmpIPredicate::Slt, lhs, zero);
            let complement = arith::subi(b, minus_one, lhs);
            let dividend = arith::select(b, is_negative, complement, lhs);
            let quotient = arith::divsi(b, dividend, rhs);
            let corrected = arith::subi(b, minus_one, quotient);
            arith::select(b, is_negative, corrected, quotient)
        }
        AffineOp::CeilDiv => {
            let (zero, one) = (constant_index(b, 0), constant_index(b, 1));
            let is_low = arith::cmpi(b, CmpIPredicate::Sle, lhs, zero);
            let negated = arith::subi(b, zero, lhs);
            let decremented = arith::subi(b, lhs, one);
            let dividend = arith::select(b, is_low, negated, decremented);
            let quotient = arith::divsi(b, dividend, rhs);
            let negated = arith::subi(b, zero, quotient);
            let incremented = arith::addi(b, quotient, one);
            arith::select(b, is_low, negated, incremented)
        }
    })
}

/// The values of the results of a map.
pub(crate) fn expand_map(b: &mut Builder<'_>, values: &ValueMap) -> Option<Vec<Value>> {
    let (dims, symbols) = (values.dim_operands(), values.symbol_operands());
    values.map.results.iter().map(|expr| expand_expr(b, expr, dims, symbols)).collect()
}
