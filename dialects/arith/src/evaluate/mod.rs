//! Evaluation of the arith operations.

mod cast;
mod compare;
mod float;
mod integer;

use crate::*;
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{Datum, EffectSet, Effects, Evaluate, Flow, Machine, Trap};
use std::sync::Arc;

/// Registers the evaluation of all operations.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<Constant, dyn Evaluate>(Arc::new(ConstantValue));
    integer::register(dialect);
    float::register(dialect);
    compare::register(dialect);
    cast::register(dialect);

    let none: Arc<dyn Effects> = Arc::new(EffectSet::NONE);
    dialect.op_service::<DivSI, dyn Effects>(none.clone());
    dialect.op_service::<DivUI, dyn Effects>(none.clone());
    dialect.op_service::<CeilDivSI, dyn Effects>(none.clone());
    dialect.op_service::<CeilDivUI, dyn Effects>(none.clone());
    dialect.op_service::<FloorDivSI, dyn Effects>(none.clone());
    dialect.op_service::<RemSI, dyn Effects>(none.clone());
    dialect.op_service::<RemUI, dyn Effects>(none);
}

struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}
