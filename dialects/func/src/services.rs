//! What the operations answer.

use minoan_ir::{Attr, OpRef};
use minoan_services::{
    Datum, EffectSet, Effects, Evaluate, Flow, Inliner, Machine, OperandUse, Ownership, Trap,
};

pub(crate) struct EvaluateCall;

impl Evaluate for EvaluateCall {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let callee = op.attr_named("callee").and_then(|attr| attr.as_flat_symbol(ctx));
        let callee = callee.ok_or_else(|| Trap::new("a call without a callee"))?;
        machine.call(callee.as_str(ctx), operands, op.loc()).map(Flow::Next)
    }
}

pub(crate) struct EvaluateReturn;

impl Evaluate for EvaluateReturn {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Yield(operands.to_vec()))
    }
}

pub(crate) struct ReturnEffects;

impl Effects for ReturnEffects {
    fn effects(&self, _: OpRef<'_>) -> EffectSet {
        EffectSet::NONE
    }
}

/// The caller owns what is returned.
pub(crate) struct ReturnOwnership;

impl Ownership for ReturnOwnership {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// What a function is given stays the caller's.
pub(crate) struct CallOwnership;

impl Ownership for CallOwnership {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Borrow
    }
}

pub(crate) struct InlineCalls;

impl Inliner for InlineCalls {
    fn callee(&self, op: OpRef<'_>) -> Option<Attr> {
        if op.attr_named("no_inline").is_some() { None } else { op.attr_named("callee") }
    }
}
