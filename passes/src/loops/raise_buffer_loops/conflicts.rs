//! Conflicts between accesses to memory: whether two of them may be to the same element, and in which iterations.

use super::Tables;
use super::nest::{Element, Nest, Place};
use minoan_ir::TypeData;
use minoan_ir::{Body, Value};
use minoan_services::{Alias, DataLayout, Origin};

/// Buffers that are required to share no memory, in a canonical order.
pub(super) type Pair = (Value, Value);

/// The memory of two buffers.
enum Relation {
    /// They share no memory.
    Apart,
    /// They may share memory; they do not if those of the pair do not.
    Checked(Pair),
    /// The same buffer.
    Same,
    Unknown,
}

impl Tables<'_> {
    /// The buffer that a value is a view of.
    fn base(&self, body: &Body, mut value: Value) -> Value {
        while let Some(op) = body.defining_op(value).map(|op| body.op(op)) {
            let alias = self.aliases.and_then(|table| table.get(op.kind()));
            let result = op.results().position(|result| result == value);
            let Some(Alias::ViewOf(operand)) = alias.zip(result).map(|(alias, at)| alias.alias(op, at))
            else {
                break;
            };
            value = op.operand(operand);
        }
        value
    }

    /// A buffer of consecutive elements that a value is a part of.
    fn whole(&self, body: &Body, mut value: Value) -> Option<Value> {
        while let Some(part) = body.defining_op(value).and_then(|op| self.buffers.part(body.op(op))) {
            value = part.buffer;
        }
        self.element_bytes(body, value).map(|_| value)
    }

    /// The distance between consecutive elements of a buffer in bytes; `None` if they are not consecutive.
    pub(super) fn element_bytes(&self, body: &Body, buffer: Value) -> Option<i64> {
        let (ctx, ty) = (body.context(), body.ty(buffer));
        let TypeData::MemRef { layout: None, element, .. } = ty.data(ctx) else { return None };
        let bytes = <dyn DataLayout>::of(ctx, *element, &self.layout)?.stride()?;
        i64::try_from(bytes).ok()
    }

    fn relation(&self, body: &Body, a: Value, b: Value) -> Relation {
        if a == b {
            return Relation::Same;
        }
        let bases = [a, b].map(|value| self.base(body, value));
        if bases[0] == bases[1] {
            return Relation::Unknown;
        }
        let origin = |value: Value| body.defining_op(value).and_then(|op| self.buffers.origin(body.op(op)));
        let is_argument = |value: Value| {
            let entry = body.regions().next().and_then(|region| body.region(region).entry());
            body.defining_op(value).is_none() && body.block_of(value) == entry
        };
        match bases.map(origin) {
            [Some(Origin::Global(one)), Some(Origin::Global(other))] if one == other => Relation::Unknown,
            [Some(_), Some(_)] => Relation::Apart,
            [Some(Origin::Allocation), None] if is_argument(bases[1]) => Relation::Apart,
            [None, Some(Origin::Allocation)] if is_argument(bases[0]) => Relation::Apart,
            _ => match (self.whole(body, a), self.whole(body, b)) {
                (Some(a), Some(b)) => Relation::Checked((a.min(b), a.max(b))),
                _ => Relation::Unknown,
            },
        }
    }
}

impl Nest<'_, '_> {
    /// Whether no element is accessed by both of two accesses, in any iterations of the nest; adds pairs of buffers that this
    /// requires to share no memory.
    pub(super) fn are_apart(&self, body: &Body, a: &Place, b: &Place, pairs: &mut Vec<Pair>) -> bool {
        match self.tables().relation(body, a.buffer, b.buffer) {
            Relation::Apart => true,
            Relation::Checked(pair) => {
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
                true
            }
            Relation::Same => self.are_disjoint(body, a, b),
            Relation::Unknown => false,
        }
    }

    /// Whether two parts of a buffer are disjoint in a dimension.
    fn are_disjoint(&self, body: &Body, a: &Place, b: &Place) -> bool {
        let forms = &self.forms;
        let is_before = |first: &_, second: &_| {
            let bounds = forms.greatest(first).zip(forms.least(second));
            bounds.is_some_and(|(last, start)| forms.is_below(body, &last, &start, 1))
        };
        let mut indices = a.indices.iter().zip(&b.indices);
        indices.any(|(a, b)| is_before(a, b) || is_before(b, a))
    }

    /// Whether two accesses to the same buffer are to the same element only in the same iteration of each loop that they share.
    fn meet_in_same_iteration(&self, a: &Element, b: &Element) -> bool {
        let dims = self.forms.dims();
        let mut shared = a.dims.iter().zip(&b.dims).take_while(|(a, b)| a == b).map(|(&dim, _)| dim);
        // The index of the loop is all that an index of the element depends on.
        let fixes = |dim: usize| {
            let mut indices = a.place.indices.iter().zip(&b.place.indices);
            indices.any(|(a, b)| {
                let others = dims.iter().enumerate().all(|(at, other)| {
                    at == dim || a.coefficient(other.index) == 0 && b.coefficient(other.index) == 0
                });
                a == b && a.coefficient(dims[dim].index) != 0 && others
            })
        };
        a.place.buffer == b.place.buffer && shared.all(fixes)
    }

    /// Whether two accesses, one of an earlier store or for it and one of a later store or for it, happen in this order wherever
    /// they are to the same element.
    pub(super) fn are_ordered(
        &self,
        body: &Body,
        earlier: &Element,
        later: &Element,
        pairs: &mut Vec<Pair>,
    ) -> bool {
        earlier.position < later.position && self.meet_in_same_iteration(earlier, later)
            || self.are_apart(body, &earlier.place, &later.place, pairs)
    }
}
