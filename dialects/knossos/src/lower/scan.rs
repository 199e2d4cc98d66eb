//! Lowering of scans to loops that carry the accumulator and the tensor of the values.

use super::build::flat;
use super::collect::{collect, collect_with};
use super::items::{Array, has_rows};
use super::{Lowering, Parts};
use minoan_arith as arith;
use minoan_functional::{Functional, one, result_type};
use minoan_ir::{Builder, OpRef, Value};

impl<'a> Lowering<'a> {
    pub(super) fn scan(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let ctx = self.ctx.clone();
        let (init, vector) = (self.parts(op.operand(0)), self.array(op.operand(1)));
        let reverse = op.attr_named("reverse").is_some();
        let sizes = vector.sizes(b);
        let values = result_type(op).as_tuple(&ctx).expect("the verifier accepts pairs only")[1];
        let element = crate::types::element_type(&ctx, values).expect("the verifier accepts vectors only");
        let carried = flat(&ctx, self.source.ty(op.operand(0))).len();
        // The rows of a ragged tensor are appended, so those of a reversed scan are in the order of the visits.
        let is_appended = has_rows(&ctx, element);
        let (mut last, mut parts) = collect_with(b, element, &sizes, &init, &mut |b, indices, state| {
            let at = if reverse { from_end(b, sizes[0], indices[0]) } else { indices[0] };
            let mut args = state.to_vec();
            args.extend(vector.element(b, &[at]));
            let mut next = self.region(b, op, 0, &args);
            let value = next.drain(carried..).collect();
            (next, one(if is_appended { indices[0] } else { at }), value)
        });
        if reverse && is_appended {
            let visited = Array::of(&ctx, values, &parts).expect("the values are a vector");
            parts = collect(b, element, &sizes, &mut |b, indices| {
                let at = from_end(b, sizes[0], indices[0]);
                visited.element(b, &[at])
            });
        }
        last.extend(parts);
        last
    }
}

/// The index counted from the last element.
fn from_end(b: &mut Builder<'_>, size: Value, index: Value) -> Value {
    let one = arith::constant_index(b, 1);
    let last = arith::subi(b, size, one);
    arith::subi(b, last, index)
}
