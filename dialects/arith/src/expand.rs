//! Expansion of the maximum and the minimum of vectors into comparisons that machines have.

use crate::{CmpFPredicate, FastMath, MaximumF, MinimumF, cmpf, has_fastmath_flag, select};
use minoan_ir::{Builder, DialectBuilder, Op, Traits, Value};
use minoan_services::{Expand, FloatPolicy, MachineModel};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<MaximumF, dyn Expand>(Arc::new(Extremum(CmpFPredicate::Ogt)))
        .op_service::<MinimumF, dyn Expand>(Arc::new(Extremum(CmpFPredicate::Olt)));
}

/// The operand for which the predicate holds, or NaN. In a reduction the first operand is the accumulator: one select of the two depends on
/// it, which keeps a NaN and is one instruction on x86, and only the second operand is tested for NaN. The sign of a
/// zero is that of either operand, as in MLIR's expansion. A constant operand is left to that one, which then needs no test.
struct Extremum(CmpFPredicate);

impl Expand for Extremum {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (lhs, rhs) = (view.operand(0), view.operand(1));
        let is_constant = |value: Value| {
            let from = b.body().defining_op(value);
            from.is_some_and(|from| b.body().op(from).has_trait(Traits::CONSTANT_LIKE))
        };
        let is_vector = b.ty(lhs).is_vector(&ctx);
        if !is_vector || is_constant(rhs) || has_fastmath_flag(view, FastMath::NoNaN) {
            return None;
        }
        let beats = cmpf(b, self.0, rhs, lhs);
        let chosen = select(b, beats, rhs, lhs);
        let is_nan = cmpf(b, CmpFPredicate::Uno, rhs, rhs);
        Some(vec![select(b, is_nan, rhs, chosen)])
    }
}
