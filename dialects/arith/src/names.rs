//! Suggested names of results in the printed text.

use minoan_ir::text::AsmNames;
use minoan_ir::{OpRef, Type, Value};
use minoan_services::constant_of;

/// Names the product of a constant and `vector.vscale` as upstream does: `%c4_vscale`.
pub(crate) struct MultipleOfVScale;

impl AsmNames for MultipleOfVScale {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        let body = op.body();
        if body.ty(op.result(0)) != Type::INDEX {
            return;
        }
        // By its name, since the vector dialect is built on this one.
        let is_vscale =
            |value: Value| body.defining_op(value).is_some_and(|op| body.op(op).name() == "vector.vscale");
        let (lhs, rhs) = (op.operand(0), op.operand(1));
        let factor = |value, other| constant_of(body, value).filter(|_| is_vscale(other));
        let factor =
            factor(lhs, rhs).or_else(|| factor(rhs, lhs)).and_then(|factor| factor.as_i64(op.context()));
        if let Some(factor) = factor {
            set(0, &format!("c{factor}_vscale"));
        }
    }
}
