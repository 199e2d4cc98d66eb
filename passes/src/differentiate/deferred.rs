//! Conditionals in conditionals.
//!
//! The reverse of a conditional executes a region again, except for the conditionals in it. Their results are placeholders, and
//! their reverse is created from the operations of the original. The results that are needed are residuals of the outermost
//! conditional. An object cannot be a residual: a conditional with such a result is copied at the end if it is used. So neither
//! the size of the derivative of a conditional nor the time that it takes grows with the square of its depth.

use super::work::Work;
use minoan_ir::{Body, Builder, InsertionPoint, Mapping, Op, OpState, Value};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The operations that a reverse executes again.
pub(super) struct Replayed {
    /// The copies with their originals.
    pub(super) pairs: Vec<(Op, Op)>,
    /// The copies and the deferred conditionals, in order.
    pub(super) ops: Vec<Op>,
    /// The deferred conditionals, each with the values from outside that its regions use, and a temporary operation that uses
    /// their copies, since the reverse of a loop may create the loop anew.
    deferred: Vec<(Op, Vec<Value>, Op)>,
}

impl Work<'_, '_> {
    /// Executes the operations of a region that ends with `last` again, except that conditionals are deferred.
    pub(super) fn replay_region(
        &mut self,
        b: &mut Builder<'_>,
        (ops, last): (&[Op], Op),
        mapping: &mut Mapping,
    ) -> Replayed {
        let mut replayed = Replayed { pairs: Vec::new(), ops: Vec::new(), deferred: Vec::new() };
        for &op in ops {
            let view = b.body().op(op);
            if view.n_regions() > 0 && !self.is_effect(view) && self.is_conditional(view) {
                let results: Vec<Value> = view.results().collect();
                let placeholders = self.placeholders(b, &results, mapping);
                let placeholders: Vec<Value> = placeholders.into_iter().map(|(value, _)| value).collect();
                self.sources.extend(placeholders.iter().copied().zip(results));
                self.deferred.insert(op, placeholders);
                let used = self.free_values(b.body(), op);
                let used: Vec<Value> =
                    used.iter().copied().filter(|&value| mapping.get(value).is_some()).collect();
                let copies: Vec<Value> = used.iter().map(|&value| mapping.value(value)).collect();
                let kind = b.body().op(last).kind();
                let holder = b.create(OpState::new(kind).operands(&copies));
                replayed.deferred.push((op, used, holder));
                replayed.ops.push(op);
                continue;
            }
            let pairs = self.replay(b, &[op], mapping);
            replayed.ops.extend(pairs.iter().map(|&(clone, _)| clone));
            replayed.pairs.extend(pairs);
        }
        replayed
    }

    /// Copies the deferred conditionals of a region if objects among their results are used. Returns the placeholders of the
    /// results of others, as far as they are used, with the results of the originals.
    pub(super) fn copy_deferred(
        &mut self,
        body: &mut Body,
        replayed: &mut Replayed,
        mapping: &mut Mapping,
    ) -> Vec<(Value, Value)> {
        let mut returned = Vec::new();
        for (op, used, holder) in std::mem::take(&mut replayed.deferred).into_iter().rev() {
            for (value, copy) in used.into_iter().zip(body.op(holder).operands()) {
                mapping.map(value, copy);
            }
            body.erase(holder);
            let placeholders = self.deferred.remove(&op).unwrap_or_default();
            let results: Vec<Value> = body.op(op).results().collect();
            let pairs: Vec<(Value, Value)> = placeholders.into_iter().zip(results).collect();
            let is_needed_object = |&(placeholder, result): &(Value, Value)| {
                body.is_used(placeholder) && !self.is_storable(body.ty(result))
            };
            if pairs.iter().any(is_needed_object) {
                let first = body.defining_op(pairs[0].0).expect("it was created");
                let clone = body.clone_op(op, InsertionPoint::Before(first), mapping);
                self.copy_activity(body, op, clone);
                self.copy_solved(body, op, clone);
                self.silence(body, clone);
                let copies: Vec<Value> = body.op(clone).results().collect();
                for (&(placeholder, _), copy) in pairs.iter().zip(copies) {
                    let op = body.defining_op(placeholder).expect("it was created");
                    body.replace(op, &[copy]);
                }
                replayed.pairs.push((clone, op));
                continue;
            }
            for (placeholder, result) in pairs {
                let op = body.defining_op(placeholder).expect("it was created");
                match body.is_used(placeholder) {
                    true => returned.push((placeholder, result)),
                    false => body.erase(op),
                }
            }
        }
        returned
    }

    /// The values from outside of an operation that its regions use, except for constants, in the order of their first use. The
    /// regions must not change afterwards.
    pub(super) fn free_values(&mut self, body: &Body, op: Op) -> Rc<[Value]> {
        if let Some(known) = self.free.get(&op) {
            return known.clone();
        }
        let blocks: Vec<_> =
            body.op(op).own_regions().flat_map(|region| body.region(region).blocks()).collect();
        let mut seen: FxHashSet<Value> = body.op(op).results().collect();
        for &block in &blocks {
            seen.extend(body.block(block).args());
            seen.extend(body.block(block).ops().flat_map(|op| body.op(op).results()));
        }
        let is_constant = |value: Value| {
            let def = body.defining_op(value).map(|op| body.op(op));
            def.is_some_and(|def| def.n_operands() == 0 && def.n_regions() == 0)
        };
        let mut found = Vec::new();
        for inner in blocks.into_iter().flat_map(|block| body.block(block).ops()) {
            let view = body.op(inner);
            let own = view.operands().filter(|&value| self.is_active(value) || !is_constant(value));
            let mut used: Vec<Value> = own.collect();
            if view.n_regions() > 0 {
                used.extend_from_slice(&minoan_ir::with_stack(|| self.free_values(body, inner)));
            }
            found.extend(used.into_iter().filter(|&value| seen.insert(value)));
        }
        let found: Rc<[Value]> = found.into();
        self.free.insert(op, found.clone());
        found
    }
}
