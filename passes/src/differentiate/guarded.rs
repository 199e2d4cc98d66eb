//! Elements and slices that conditionals in loops read.
//!
//! The reverse of an iteration executes its conditionals again. If one of them reads an element of a tensor that is different in each
//! iteration, or a slice of extents that all iterations share, the loop would have to save the whole tensor. So the element or slice
//! becomes a result of the conditional, and so do the results of costly operations next to it. The loop saves these results ([`residuals`](super::residuals)), and its reverse does not execute the
//! conditional again.

use super::work::{Work, nested};
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
            let inner = nested(body, op);
            if !inner.iter().any(|&inner| self.reads_part(body.op(inner), around)) {
                continue;
            }
            for inner in inner {
                let Ok(view) = body.try_op(inner) else { continue };
                let is_costly = self.is_costly(view)
                    && self.engine.effects.all(view).removable()
                    && view.result_types().all(|ty| self.is_number(ty));
                if is_costly || self.reads_part(view, around) {
                    self.return_results(body, inner, around);
                }
            }
        }
    }

    /// Makes the results of an operation results of the conditionals around it, as far as the loop `around`.
    fn return_results(&mut self, body: &mut Body, op: Op, around: Op) {
        let mut conditionals = Vec::new();
        let mut at = op;
        loop {
            match body.op(at).parent() {
                Some(parent) if parent == around => break,
                Some(parent) if self.is_conditional(body.op(parent)) => conditionals.push(parent),
                _ => return,
            }
            at = conditionals[conditionals.len() - 1];
        }
        let mut values: Vec<Value> = body.op(op).results().collect();
        for conditional in conditionals {
            self.returned.extend(&values);
            let conditional = self.solved.current(conditional);
            values = match results_with(body, conditional, &values) {
                Some(results) => results,
                None => match self.forward_out(body, conditional, &values) {
                    Some(outside) => outside,
                    None => return,
                },
            };
        }
        self.returned.extend(&values);
    }

    /// Whether an operation reads numbers, or a slice of extents from outside, of a tensor that is defined in the loop `around`.
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

    fn is_number(&self, ty: Type) -> bool {
        ty == ty.element_or_self(self.engine.ctx) && self.is_storable(ty)
    }

    /// Whether an operation executes exactly one of its regions.
    pub(super) fn is_conditional(&self, op: OpRef<'_>) -> bool {
        let flow = self.engine.sequential(op);
        flow.is_some_and(|flow| flow.execution(op) == RegionExecution::ExactlyOne)
            && (0..op.n_regions()).all(|region| Self::entry(op, region).is_some())
    }
}

/// The results of a conditional that have values of one of its regions, if it yields all of them.
fn results_with(body: &Body, conditional: Op, values: &[Value]) -> Option<Vec<Value>> {
    let last = body.block(body.block_of(*values.first()?)?).last()?;
    let result = |value: &Value| {
        let at = body.op(last).operands().position(|yielded| yielded == *value)?;
        Some(body.op(conditional).result(at))
    };
    values.iter().map(result).collect()
}
