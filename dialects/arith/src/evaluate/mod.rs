//! Evaluation of the arith operations.

mod cast;
mod compare;
mod float;
mod integer;

use crate::*;
use minoan_ir::{DialectBuilder, OpDef, OpRef, Type};
use minoan_services::{Datum, EffectSet, Effects, Evaluate, Flow, Machine, Speculation, Trap, constant_of};
use std::sync::Arc;

/// Registers the evaluation of all operations.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<Constant, dyn Evaluate>(Arc::new(ConstantValue));
    integer::register(dialect);
    float::register(dialect);
    compare::register(dialect);
    cast::register(dialect);

    let none: Arc<dyn Effects> = Arc::new(EffectSet::NONE);
    let signed: Arc<dyn Speculation> =
        Arc::new(|op: OpRef<'_>| is_divisor(op, |value| value != 0 && value != -1));
    let unsigned: Arc<dyn Speculation> = Arc::new(|op: OpRef<'_>| is_divisor(op, |value| value != 0));
    for division in [DivSI::SPEC, CeilDivSI::SPEC, FloorDivSI::SPEC, RemSI::SPEC] {
        dialect.service_of::<dyn Effects>(division.name, none.clone());
        dialect.service_of::<dyn Speculation>(division.name, signed.clone());
    }
    for division in [DivUI::SPEC, CeilDivUI::SPEC, RemUI::SPEC] {
        dialect.service_of::<dyn Effects>(division.name, none.clone());
        dialect.service_of::<dyn Speculation>(division.name, unsigned.clone());
    }
}

/// Whether the divisor of an operation is a constant all elements of which pass a test.
fn is_divisor(op: OpRef<'_>, test: fn(i64) -> bool) -> bool {
    let (ctx, body) = (op.context(), op.body());
    // One bit is kept as 0 or 1, and a signed 1 is -1.
    let passes = |datum: Datum| match datum {
        Datum::Int(1) if body.ty(op.operand(1)).element_or_self(ctx) == Type::I1 => test(1) && test(-1),
        Datum::Int(value) => test(value),
        _ => false,
    };
    let Some(attr) = constant_of(body, op.operand(1)) else { return false };
    match Datum::of_splat(ctx, attr).map_or_else(|| Datum::of_attr(ctx, attr), Ok) {
        Ok(Datum::Tensor(tensor)) => (0..tensor.data.len()).all(|at| passes(tensor.data.get(at))),
        Ok(scalar) => passes(scalar),
        Err(_) => false,
    }
}

struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}
