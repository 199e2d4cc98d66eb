//! Evaluation of the arith operations.

pub(crate) mod cast;
pub(crate) mod compare;
mod float;
mod integer;

use minoan_ir::{DialectBuilder, OpRef, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap, constant_of};

/// Registers the evaluation of arithmetic and conversions, by tables.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    integer::register(dialect);
    float::register(dialect);
    cast::register(dialect);
}

/// Whether the divisor of an operation is a constant whose elements all pass a test.
pub(crate) fn is_divisor(op: OpRef<'_>, test: fn(i64) -> bool) -> bool {
    let (ctx, body) = (op.context(), op.body());
    // One bit is kept as 0 or 1, and a signed 1 is -1.
    let passes = |datum: Datum| match datum {
        Datum::Int(1) if body.ty(op.operand(1)).element_or_self(ctx) == Type::I1 => test(1) && test(-1),
        Datum::Int(value) => test(value),
        // The tests distinguish a few small numbers from all others.
        Datum::Wide(value) => test(value.as_i64().unwrap_or(i64::MAX)),
        _ => false,
    };
    let Some(attr) = constant_of(body, op.operand(1)) else { return false };
    match Datum::of_splat(ctx, attr).map_or_else(|| Datum::of_attr(ctx, attr), Ok) {
        Ok(Datum::Tensor(tensor)) => (0..tensor.data.len()).all(|at| passes(tensor.data.get(at))),
        Ok(scalar) => passes(scalar),
        Err(_) => false,
    }
}

pub(crate) struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}
