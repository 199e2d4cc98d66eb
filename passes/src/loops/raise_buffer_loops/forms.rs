//! Indices as linear forms over the induction variables of a nest and numbers from outside, and proofs about them.

use super::Tables;
use crate::analysis::linear::Linear;
use minoan_ir::{Body, Op, Type, Value};
use minoan_services::{Bound, Induction, LoopLike, constant_of};
use rustc_hash::FxHashMap;

/// Upper bound on the operations between an index and the numbers that it is computed from.
const DEPTH: u32 = 16;

/// Upper bound on the loops around a nest whose bounds are known in proofs.
const AROUND: usize = 8;

/// An induction variable that counts in steps of 1, with its bounds.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub index: Value,
    pub lower: Linear,
    /// The exclusive upper bound.
    pub upper: Linear,
}

impl Range {
    /// The number of iterations, which is negative if the bounds are in another order.
    pub(super) fn size(&self) -> Option<Linear> {
        self.upper.clone().plus(&self.lower, -1)
    }
}

/// The forms of the indices in a nest. Induction variables and numbers from outside are
/// [`invariants`](Linear::invariants) of a form.
pub(super) struct Forms<'t, 'c> {
    tables: &'t Tables<'c>,
    root: Op,
    known: FxHashMap<Value, Option<Linear>>,
    /// The value that stands for the extent of a dimension of a buffer.
    extents: FxHashMap<(Value, usize), Value>,
    /// The loops around the root and those of the nest; the bounds of a loop depend on earlier ones only.
    ranges: Vec<Range>,
    around: usize,
}

impl<'t, 'c> Forms<'t, 'c> {
    pub(super) fn new(tables: &'t Tables<'c>, body: &Body, root: Op) -> Self {
        let (known, extents) = (FxHashMap::default(), FxHashMap::default());
        let mut forms = Forms { tables, root, known, extents, ranges: Vec::new(), around: 0 };
        let loops: Vec<Op> = body.op(root).ancestors().skip(1).map(|op| op.id()).take(AROUND).collect();
        for op in loops.into_iter().rev() {
            let inductions =
                tables.loops.get(body.op(op).kind()).map(|service| service.inductions(body.op(op)));
            for induction in inductions.unwrap_or_default() {
                if let Some(range) = forms.range(body, induction, false) {
                    forms.ranges.push(range);
                }
            }
        }
        forms.around = forms.ranges.len();
        forms
    }

    /// The loops of the nest.
    pub(super) fn dims(&self) -> &[Range] {
        &self.ranges[self.around..]
    }

    /// Adds a loop to the nest and returns its number; `None` if its bounds are not linear or its step is not 1.
    pub(super) fn add(&mut self, body: &Body, induction: Induction) -> Option<usize> {
        let range = self.range(body, induction, true)?;
        self.ranges.push(range);
        Some(self.dims().len() - 1)
    }

    fn range(&mut self, body: &Body, induction: Induction, by_one: bool) -> Option<Range> {
        let step = induction.step.constant(body)?.as_i64(body.context())?;
        let counts = if by_one { step == 1 } else { step > 0 };
        if induction.unsigned || !counts || body.ty(induction.value) != Type::INDEX {
            return None;
        }
        let mut bound = |bound: Bound| match bound {
            Bound::Constant(attr) => attr.as_i64(body.context()).map(Linear::constant),
            Bound::Value(value) => self.of(body, value),
        };
        let (lower, upper) = (bound(induction.lower)?, bound(induction.upper)?);
        Some(Range { index: induction.value, lower, upper })
    }

    /// The form of a number; `None` if it is computed in the nest by anything but linear arithmetic.
    pub(super) fn of(&mut self, body: &Body, value: Value) -> Option<Linear> {
        self.form(body, value, 0)
    }

    fn form(&mut self, body: &Body, value: Value, depth: u32) -> Option<Linear> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let form = self.computed(body, value, depth).or_else(|| self.leaf(body, value));
        self.known.insert(value, form.clone());
        form
    }

    fn computed(&mut self, body: &Body, value: Value, depth: u32) -> Option<Linear> {
        if let Some(attr) = constant_of(body, value) {
            return attr.as_i64(body.context()).map(Linear::constant);
        }
        let op = body.op(body.defining_op(value)?);
        let term = self.tables.terms?.get(op.kind())?.term(op).filter(|_| depth < DEPTH)?;
        for operand in op.operands() {
            self.form(body, operand, depth + 1);
        }
        Linear::of_term(term, |operand| self.known.get(&operand).cloned().flatten())
    }

    /// The form of a number that is not looked into.
    fn leaf(&mut self, body: &Body, value: Value) -> Option<Linear> {
        let is_outside = <dyn LoopLike>::is_outside(body, self.root, value);
        if !is_outside && !self.dims().iter().any(|dim| dim.index == value) {
            return None;
        }
        let extent = body.defining_op(value).and_then(|op| self.tables.buffers.extent_of(body.op(op)));
        let leaf = extent.map_or(value, |extent| *self.extents.entry(extent).or_insert(value));
        Some(Linear::invariant(leaf))
    }

    /// The extent of a dimension of a buffer; `None` if no value is known to be the extent.
    pub(super) fn extent(&self, body: &Body, buffer: Value, dim: usize) -> Option<Linear> {
        let extent = *body.ty(buffer).shape(body.context())?.get(dim)?;
        match extent {
            minoan_ir::DYNAMIC => self.extents.get(&(buffer, dim)).map(|&value| Linear::invariant(value)),
            known => Some(Linear::constant(known)),
        }
    }

    /// The least value of a form over the iterations of the nest, if none of its loops is empty.
    pub(super) fn least(&self, form: &Linear) -> Option<Linear> {
        self.extreme(form, true, self.around)
    }

    /// The greatest value of a form over the iterations of the nest, as for [`least`](Self::least).
    pub(super) fn greatest(&self, form: &Linear) -> Option<Linear> {
        self.extreme(form, false, self.around)
    }

    fn extreme(&self, form: &Linear, least: bool, first: usize) -> Option<Linear> {
        let mut form = form.clone();
        for range in self.ranges[first..].iter().rev() {
            if form.coefficient(range.index) == 0 {
                continue;
            }
            let takes_lower = (form.coefficient(range.index) > 0) == least;
            let bound = match takes_lower {
                true => range.lower.clone(),
                false => range.upper.clone().plus(&Linear::constant(1), -1)?,
            };
            form = form.replaced(range.index, &bound)?;
        }
        Some(form)
    }

    /// Whether a form is known not to be negative in any iteration of the loops around the nest, and of the nest itself.
    pub(super) fn is_not_negative(&self, body: &Body, form: &Linear) -> bool {
        let is_extent = |value: Value| {
            body.defining_op(value).is_some_and(|op| self.tables.buffers.extent_of(body.op(op)).is_some())
        };
        self.extreme(form, true, 0).is_some_and(|least| {
            let grows = |&(constant, value): &(i64, Value)| constant > 0 && is_extent(value);
            least.constant >= 0 && least.invariants.iter().all(grows)
        })
    }

    /// Whether `less` is less than `more` by at least `by` in all iterations of the loops around the nest.
    pub(super) fn is_below(&self, body: &Body, less: &Linear, more: &Linear, by: i64) -> bool {
        let difference = more.clone().plus(less, -1).and_then(|form| form.plus(&Linear::constant(by), -1));
        difference.is_some_and(|form| self.is_not_negative(body, &form))
    }
}
