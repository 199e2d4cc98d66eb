//! Elements and slices that conditionals in loops read, and numbers that loops in these conditionals compute.
//!
//! The reverse of an iteration executes its conditionals again. If one of them reads an element of a tensor that is different
//! in each iteration, or a slice of extents that all iterations share, the loop would have to save the whole tensor. So the
//! element or slice becomes a result of the conditional, and so do the results of costly operations next to it. The loop saves
//! these results ([`residuals`](super::residuals)), and its reverse does not execute the conditional again. The same applies to
//! the numbers that a loop in a conditional computes: executing the conditional again would execute that loop again, and
//! in a nest in which loops and conditionals alternate, each loop once more than the one around it.

use super::lift::Lifted;
use super::work::Work;
use minoan_ir::{Body, Op, OpRef, Traits, Type, Value};
use minoan_services::{LoopLike, RegionExecution};

impl Work<'_, '_> {
    /// Makes the elements and slices that conditionals in loops read from tensors of an iteration results of the conditionals.
    pub(super) fn return_reads(&mut self, body: &mut Body) {
        for op in body.walk() {
            // A conditional that returns more is another operation.
            let Some(view) = body.try_op(op).ok().filter(|&view| self.is_conditional(view)) else { continue };
            let around = view.parent().filter(|&parent| self.loops_of(body, parent).is_some());
            let Some(around) = around else { continue };
            let inner = self.inside(body, op);
            let is_cause = |&inner: &Op| {
                self.reads_part(body.op(inner), around) || self.is_loop_of_numbers(body.op(inner))
            };
            if !inner.iter().any(is_cause) {
                continue;
            }
            let is_wanted = |inner: &Op| {
                let view = body.op(*inner);
                let is_costly = self.is_costly(view)
                    && self.engine.effects.all(view).removable()
                    && view.result_types().all(|ty| self.is_number(ty));
                is_costly || is_cause(inner)
            };
            let wanted = inner.into_iter().filter(is_wanted);
            let values: Vec<Value> = wanted.flat_map(|inner| body.op(inner).results()).collect();
            let lifted = self.lift_out(body, op, &values);
            self.returned.extend(values);
            for (value, lifted) in lifted {
                let result = match lifted {
                    Lifted::Result(result) => result,
                    Lifted::Stored { storage, position } => {
                        let op =
                            body.op(body.defining_op(storage).expect("it is a result of the conditional"));
                        let number = op.results().position(|result| result == storage);
                        self.stored.extend(number.map(|number| (value, (number, position))));
                        storage
                    }
                };
                self.returned.insert(result);
            }
        }
    }

    /// The operations in a conditional, and in the conditionals in it, that are not in any other operation, outer ones first.
    fn inside(&self, body: &Body, op: Op) -> Vec<Op> {
        let mut found = Vec::new();
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            for block in body.op(op).own_regions().flat_map(|region| body.region(region).blocks()) {
                for inner in body.block(block).ops() {
                    found.push(inner);
                    if self.is_conditional(body.op(inner)) {
                        pending.push(inner);
                    }
                }
            }
        }
        found
    }

    /// Whether an operation reads numbers, or a slice of extents from outside, of a tensor that is defined in the loop
    /// `around`.
    fn reads_part(&self, op: OpRef<'_>, around: Op) -> bool {
        let (view, body) = (op, op.body());
        let is_varying = |value: Value| {
            body.ty(value).is_tensor(self.engine.ctx) && !<dyn LoopLike>::is_outside(body, around, value)
        };
        let is_outside = |&size: &Value| <dyn LoopLike>::is_outside(body, around, size);
        let is_slice = |ty: Type| {
            let sizes = self.engine.ops.sizes(view);
            self.is_storable(ty) && sizes.is_some_and(|sizes| sizes.iter().all(is_outside))
        };
        view.n_regions() == 0
            && view.n_results() > 0
            && !view.has_trait(Traits::TERMINATOR)
            && self.engine.calls.is_none_or(|table| table.get(view.kind()).is_none())
            && self.engine.ops.extent_read(view).is_none()
            && view.result_types().all(|ty| self.is_number(ty) || is_slice(ty))
            && view.operands().any(is_varying)
            && self.engine.effects.all(view).removable()
    }

    /// Whether an operation is a loop without effects whose results are numbers.
    fn is_loop_of_numbers(&self, op: OpRef<'_>) -> bool {
        op.n_results() > 0
            && self.engine.loops.is_some_and(|table| table.get(op.kind()).is_some())
            && op.result_types().all(|ty| self.is_number(ty))
            && self.engine.effects.all(op).removable()
    }

    pub(super) fn is_number(&self, ty: Type) -> bool {
        ty == ty.element_or_self(self.engine.ctx) && self.is_storable(ty)
    }

    /// Whether an operation executes exactly one of its regions.
    pub(super) fn is_conditional(&self, op: OpRef<'_>) -> bool {
        let flow = self.engine.sequential(op);
        flow.is_some_and(|flow| flow.execution(op) == RegionExecution::ExactlyOne)
            && (0..op.n_regions()).all(|region| Self::entry(op, region).is_some())
    }
}
