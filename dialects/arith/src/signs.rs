//! Signs of floats.

use crate::{AddF, Constant, DivF, MaximumF, MulF, constant_value, fold};
use minoan_ir::{DialectBuilder, OpRef, Value};
use minoan_services::{FloatSign, SignOf};
use std::sync::Arc;

/// The sign of a result from those of two operands.
struct OfTwo(fn(FloatSign, FloatSign) -> FloatSign);

impl SignOf for OfTwo {
    fn sign(&self, op: OpRef<'_>, of: &dyn Fn(Value) -> FloatSign) -> FloatSign {
        (self.0)(of(op.operand(0)), of(op.operand(1)))
    }
}

/// The product of numbers that are not negative may round to zero, as may their quotient.
struct Scaled;

impl SignOf for Scaled {
    fn sign(&self, op: OpRef<'_>, of: &dyn Fn(Value) -> FloatSign) -> FloatSign {
        let (x, y) = (op.operand(0), op.operand(1));
        let is_square = op.is::<MulF>() && x == y;
        match is_square || of(x).min(of(y)) >= FloatSign::NonNegative {
            true => FloatSign::NonNegative,
            false => FloatSign::Unknown,
        }
    }
}

struct OfConstant;

impl SignOf for OfConstant {
    fn sign(&self, op: OpRef<'_>, _: &dyn Fn(Value) -> FloatSign) -> FloatSign {
        let number =
            constant_value(op.body(), op.result(0)).and_then(|attr| fold::float_of(op.context(), attr));
        match number {
            Some(number) if number > 0.0 => FloatSign::Positive,
            Some(0.0) => FloatSign::NonNegative,
            _ => FloatSign::Unknown,
        }
    }
}

/// A sum is at least as large as each of two operands that are not negative.
fn of_sum(x: FloatSign, y: FloatSign) -> FloatSign {
    if x.min(y) == FloatSign::Unknown { FloatSign::Unknown } else { x.max(y) }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<Constant, dyn SignOf>(Arc::new(OfConstant))
        .op_service::<AddF, dyn SignOf>(Arc::new(OfTwo(of_sum)))
        .op_service::<MaximumF, dyn SignOf>(Arc::new(OfTwo(Ord::max)))
        .op_service::<MulF, dyn SignOf>(Arc::new(Scaled))
        .op_service::<DivF, dyn SignOf>(Arc::new(Scaled));
}
