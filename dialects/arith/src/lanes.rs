//! Vector forms that differ from the operation on vectors.

use crate::{FastMath, constant_float, divf, has_fastmath_flag, mulf};
use minoan_ir::{Attr, Builder, Op, Value};
use minoan_services::{ElementwiseLanes, Lane, Lanes, VectorForm};

/// A division by the same divisor on all lanes: a multiplication by its reciprocal, if `arcp` permits that. Floats of 16 bits
/// are divided: their operations are those of `f32`, rounded, and a reciprocal of so few bits would be off by a whole unit of
/// the last place.
pub(crate) struct QuotientLanes;

impl VectorForm for QuotientLanes {
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>> {
        let view = b.body().op(op);
        let flags: Option<Attr> = view.attr_named("fastmath");
        let allowed = has_fastmath_flag(view, FastMath::AllowReciprocal);
        let (dividend, divisor, element) =
            (view.operand(0), lanes.get(view.operand(1)), view.result_types().next()?);
        let Lane::Uniform(divisor) = divisor else { return ElementwiseLanes.lanes(b, op, lanes) };
        let is_narrow = element.float_kind(&b.context()).is_none_or(|kind| kind.width() < 32);
        if !allowed || is_narrow {
            return ElementwiseLanes.lanes(b, op, lanes);
        }
        let (ctx, outside) = (b.context(), b.set_loc(view.loc()));
        let one = constant_float(b, 1.0, element);
        let reciprocal = divf(b, one, divisor);
        lanes.set(reciprocal, Lane::Uniform(reciprocal));
        let (dividend, factor) = (lanes.vector(b, dividend)?, lanes.vector(b, reciprocal)?);
        let product = mulf(b, dividend, factor);
        for value in [reciprocal, product] {
            let made = b.body().defining_op(value)?;
            b.body_mut().set_attr(made, ctx.name("fastmath"), flags);
        }
        b.set_loc(outside);
        Some(vec![product])
    }
}
