//! Expansion of the maximum and the minimum of vectors into comparisons that machines have.

use crate::{CmpFPredicate, FastMath, bitcast, cmpf, has_fastmath_flag, select};
use minoan_ir::{Builder, Op, Traits, Type, Value};
use minoan_services::{Expand, FloatPolicy, MachineModel};

/// The operand for which the predicate holds, or NaN. In a reduction the first operand is the accumulator: only one of the two
/// selects depends on it, which keeps a NaN and is one instruction on x86, and only the second operand is tested for NaN.
///
/// Equal operands have the same bits, or are zeros: the positive one is the maximum, whose sign is the conjunction of the two.
/// The flag `nsz` permits either. A constant operand is left to MLIR's expansion, which then needs no test.
pub(crate) struct Extremum {
    pub(crate) beats: CmpFPredicate,
    /// The bits of the result if the operands are equal.
    pub(crate) of_equals: fn(&mut Builder<'_>, Value, Value) -> Value,
}

impl Expand for Extremum {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (lhs, rhs) = (view.operand(0), view.operand(1));
        let is_constant = |value: Value| {
            let from = b.body().defining_op(value);
            from.is_some_and(|from| b.body().op(from).has_trait(Traits::CONSTANT_LIKE))
        };
        let ty = b.ty(lhs);
        if !ty.is_vector(&ctx) || is_constant(rhs) || has_fastmath_flag(view, FastMath::NoNaN) {
            return None;
        }
        let signs_matter = !has_fastmath_flag(view, FastMath::NoSignedZero);
        let width = ty.element_or_self(&ctx).float_kind(&ctx)?.width();
        let beats = cmpf(b, self.beats, rhs, lhs);
        let mut chosen = select(b, beats, rhs, lhs);
        let is_nan = cmpf(b, CmpFPredicate::Uno, rhs, rhs);
        chosen = select(b, is_nan, rhs, chosen);
        if signs_matter {
            let bits = Type::vector(&ctx, ty.shape(&ctx)?, Type::integer(&ctx, width));
            let [left, right] = [lhs, rhs].map(|value| bitcast(b, value, bits));
            let both = (self.of_equals)(b, left, right);
            let both = bitcast(b, both, ty);
            let equal = cmpf(b, CmpFPredicate::Oeq, rhs, lhs);
            chosen = select(b, equal, both, chosen);
        }
        Some(vec![chosen])
    }
}
