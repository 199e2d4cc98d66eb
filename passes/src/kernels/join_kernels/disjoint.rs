//! Parts of buffers that have no element in common.

use super::Tables;
use crate::analysis::linear::Linear;
use minoan_ir::{Body, Value};
use minoan_services::{BufferPart, PartIndex, constant_of};

/// Upper bound on the operations through which the computation of an offset is followed.
const STEPS: usize = 8;

impl Tables<'_> {
    /// Whether two views are parts of one buffer that do not overlap: in some dimension, one begins at or after the end of the
    /// other.
    ///
    /// Both parts are within the buffer, so offsets and ends are numbers of elements, and the arithmetic on them does not wrap.
    pub(super) fn are_disjoint(&self, body: &Body, one: Value, other: Value) -> bool {
        let part = |value| self.buffers.part(body.op(body.defining_op(value)?));
        let (Some(one), Some(other)) = (part(one), part(other)) else { return false };
        one.buffer == other.buffer
            && (0..one.offsets.len()).any(|dim| {
                self.ends_before(body, &one, &other, dim) || self.ends_before(body, &other, &one, dim)
            })
    }

    fn ends_before(&self, body: &Body, one: &BufferPart, other: &BufferPart, dim: usize) -> bool {
        let gap = || {
            let size = self.linear(body, *one.sizes.as_ref()?.get(dim)?)?;
            let [start, next] = [one, other].map(|part| self.linear(body, part.offsets[dim]));
            next?.plus(&start?, -1)?.plus(&size, -1)
        };
        // Sizes are not negative.
        let is_size = |value: Value| {
            let sizes = [one, other].into_iter().filter_map(|part| part.sizes.as_ref()).flatten();
            sizes.copied().any(|size| size == PartIndex::Value(value))
        };
        gap().is_some_and(|gap| {
            let mut summands = gap.invariants.iter();
            gap.constant >= 0 && summands.all(|&(factor, value)| factor > 0 && is_size(value))
        })
    }

    /// The linear form of an index over values that are not sums or products.
    fn linear(&self, body: &Body, index: PartIndex) -> Option<Linear> {
        match index {
            PartIndex::Constant(constant) => Some(Linear::constant(constant)),
            PartIndex::Value(value) => self.linear_value(body, value, STEPS),
        }
    }

    fn linear_value(&self, body: &Body, value: Value, steps: usize) -> Option<Linear> {
        if let Some(known) = constant_of(body, value).and_then(|attr| attr.as_i64(body.context())) {
            return Some(Linear::constant(known));
        }
        let op = body.defining_op(value).map(|op| body.op(op));
        let term = op.and_then(|op| self.terms?.get(op.kind())?.term(op)).filter(|_| steps > 0);
        let form = |value| self.linear_value(body, value, steps - 1);
        let combined = term.and_then(|term| Linear::of_term(term, form));
        combined.or_else(|| Some(Linear::invariant(value)))
    }
}
