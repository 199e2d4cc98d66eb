//! Evaluation of the arith operations.

pub(crate) mod cast;
pub(crate) mod compare;
mod float;
mod integer;

use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap};

/// Registers the evaluation of arithmetic and conversions, by tables.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    integer::register(dialect);
    float::register(dialect);
    cast::register(dialect);
}

pub(crate) struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}
