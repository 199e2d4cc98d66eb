//! The reverse sweep of loops.
//!
//! An iteration of the reverse loop executes an iteration of the loop again, from the loop-carried values at its start,
//! followed by the reverse sweep of its operations. It carries the cotangents of the loop-carried values, and those of the
//! values that the loop captures.
//!
//! The values that an iteration needs are determined when its reverse exists ([`residuals`](super::residuals)), and then saved: by the loop
//! itself, or, if it is inside of another loop, by that loop ([`nested`](super::nested)).

use super::residuals::Saved;
use super::work::Work;
use minoan_ir::{Block, Body, Builder, Mapping, Op, Type, Value};
use minoan_services::{Bound, Induction};
use rustc_hash::FxHashMap;

/// The state of a reverse iteration after its creation.
pub(super) struct Iteration {
    pub(super) block: Block,
    /// The placeholders of the loop-carried values, with the operations that define them.
    pub(super) placeholders: Vec<(Value, Op)>,
    /// The operations of the loop by their clones.
    pub(super) originals: FxHashMap<Op, Op>,
    /// The number of the iteration in the loop.
    pub(super) position: Value,
    /// The number of the iteration in the reverse loop.
    pub(super) number: Value,
    /// Whether no iteration of the reverse loop depends on another.
    pub(super) unordered: bool,
}

impl Iteration {
    /// Executes the iterations in the order of the loop if none depends on another. Stacks need the reverse order.
    pub(super) fn ignore_order(&mut self, body: &mut Body) {
        if self.unordered {
            body.replace_all_uses(self.position, self.number);
            self.position = self.number;
        }
    }
}

/// The values of a loop.
pub(super) struct Loop {
    /// The loop-carried values at the start of the loop, of an iteration, and after it.
    pub(super) inits: Vec<Value>,
    pub(super) carried: Vec<Value>,
    pub(super) yielded: Vec<Value>,
    /// The loop-carried values with cotangents.
    pub(super) slots: Vec<usize>,
    /// The loop-carried tensors whose elements the loop writes once each, with the cotangents of the results. The iterations
    /// read disjoint elements of these cotangents, so they are not loop-carried.
    pub(super) written: Vec<(usize, Value)>,
    /// The values from outside with cotangents.
    pub(super) captured: Vec<Value>,
}

/// A loop-carried value at the final test of a condition that the reverse needs, or an extent of it.
#[derive(Clone, Copy)]
pub(super) struct Final {
    pub(super) carried: Value,
    /// The dimension of the extent.
    pub(super) dim: Option<usize>,
    pub(super) placeholder: Value,
}

/// A result of a loop that the reverse around it needs, or an extent of it.
#[derive(Clone, Copy)]
pub(super) struct NeededResult {
    pub(super) number: usize,
    /// The dimension of the extent.
    pub(super) dim: Option<usize>,
    pub(super) placeholder: Value,
}

/// A loop whose reverse exists, but that does not save yet the values that the reverse needs.
pub(super) struct Reversed {
    /// An argument of its first region, by which the loop is found: it is created anew if it carries more values.
    pub(super) anchor: Value,
    /// The block of a reverse iteration that contains the loop, if it may save into storage of the loop around it.
    pub(super) within: Option<Block>,
    /// The number of conditionals around the loop in that block.
    pub(super) levels: usize,
    /// The loop, which is a copy if it is in a reverse iteration.
    pub(super) copy: Op,
    pub(super) iteration: Iteration,
    /// The bounds, if there are some; otherwise the loop is controlled by a condition.
    pub(super) induction: Option<(Value, Value, Value, Induction)>,
    pub(super) inits: Vec<Value>,
    pub(super) carried: Vec<Value>,
    /// The values whose cotangents are results of the reverse loop.
    pub(super) keys: Vec<Value>,
    /// The values that the reverse of an iteration reads.
    pub(super) saved: Saved,
    /// From the placeholder of a saved tensor to its dynamic extents, if they are the same in all iterations.
    pub(super) sizes: FxHashMap<Value, Vec<Value>>,
    /// The loop-carried values at the final test of a condition that the reverse needs.
    pub(super) finals: Vec<Final>,
    /// The placeholder of the number of iterations that a condition determines.
    pub(super) count: Option<Value>,
    /// The placeholder of the number of values that earlier executions of the loop have saved.
    pub(super) base: Option<Value>,
    /// The results that the reverse iteration around the copy needs.
    pub(super) results: Vec<NeededResult>,
    /// From the placeholder of a saved value to the placeholder of the storage that the outermost loop carries.
    pub(super) storages: FxHashMap<Value, Value>,
}

/// Executes an iteration again, whose number is given; returns the operations with their originals.
pub(super) type Again<'a, 'w, 'c> =
    &'a mut dyn FnMut(&mut Work<'w, 'c>, &mut Builder<'_>, Value, &mut Mapping) -> Vec<(Op, Op)>;

impl<'w, 'c> Work<'w, 'c> {
    /// Creates the reverse loop of `count` iterations from the cotangents `starts` of the slots and the captured values, and
    /// sets the cotangents of the initial and the captured values.
    pub(super) fn reverse_iterations(
        &mut self,
        b: &mut Builder<'_>,
        of: &Loop,
        count: Value,
        starts: &[Value],
        again: Again<'_, 'w, 'c>,
    ) -> Option<Iteration> {
        let ops = self.engine.ops;
        let Loop { inits, carried, yielded, slots, written, captured } = of;
        let mut iteration = None;
        let ends = ops.counted_loop(b, count, starts, &mut |b, number, cotangents| {
            let one = ops.index(b, 1);
            let last = ops.index_sub(b, count, one);
            let position = ops.index_sub(b, last, number);
            let mut mapping = Mapping::new();
            let placeholders = self.placeholders(b, carried, &mut mapping);
            let pairs = again(self, b, position, &mut mapping);
            self.derivatives.extend(captured.iter().copied().zip(cotangents[slots.len()..].iter().copied()));
            for (&slot, &cotangent) in slots.iter().zip(cotangents) {
                let value = mapping.value(yielded[slot]);
                if self.is_active(value) {
                    self.accumulate(b, value, cotangent);
                }
            }
            for &(slot, cotangent) in written {
                let value = mapping.value(yielded[slot]);
                self.accumulate(b, value, cotangent);
            }
            let clones: Vec<Op> = pairs.iter().map(|&(clone, _)| clone).collect();
            let block = b.body().block_of(position).expect("it was created in the loop");
            self.nest.push(block);
            self.reverse_ops(b, &clones);
            self.nest.pop();
            let own = slots.iter().map(|&slot| placeholders[slot].0);
            let wanted: Vec<Value> = own.chain(captured.iter().copied()).collect();
            let ends: Vec<Value> = wanted.into_iter().map(|value| self.take_or_zero(b, value)).collect();
            for &(slot, _) in written {
                self.derivatives.remove(&placeholders[slot].0);
            }
            let unordered = ends.iter().zip(cotangents).take(slots.len()).all(|(end, start)| end == start);
            let originals = pairs.into_iter().collect();
            iteration = Some(Iteration { block, placeholders, originals, position, number, unordered });
            ends
        });
        self.derivatives.extend(captured.iter().copied().zip(ends[slots.len()..].iter().copied()));
        for (&slot, &cotangent) in slots.iter().zip(&ends) {
            if self.is_active(inits[slot]) {
                self.accumulate(b, inits[slot], cotangent);
            }
        }
        iteration
    }

    pub(super) fn reverse_counted(&mut self, b: &mut Builder<'_>, op: Op, induction: Induction) {
        let ops = self.engine.ops;
        let (nest, mark) = (self.nest_of(b.body(), op), self.pending.len());
        let within = nest.map(|(block, _)| block);
        let view = b.body().op(op);
        let loops = self.engine.loops.and_then(|table| table.get(view.kind())).expect("it is a loop");
        let (carried, yielded) = (loops.carried(view), loops.yielded(view));
        let inits: Vec<Value> = loops.inits(view).map(|index| view.operand(index)).collect();
        let results: Vec<Value> = view.results().collect();
        let Some(block) = Self::entry(view, 0) else {
            return self.report(view, "branches between blocks, which has no derivative");
        };
        let (Bound::Value(lower), Bound::Value(upper), Bound::Value(step)) =
            (induction.lower, induction.upper, induction.step)
        else {
            return self.report(view, "has constant bounds, which has no derivative");
        };
        let (written, slots): (Vec<usize>, Vec<usize>) = (0..carried.len())
            .filter(|&slot| self.is_active(carried[slot]))
            .partition(|&slot| self.fresh.contains(&carried[slot]));
        let written = written.into_iter();
        let written =
            written.filter_map(|slot| Some((slot, self.derivatives.remove(&results[slot])?))).collect();
        let captured = self.captures(b.body(), op);
        let (inner, _) = Self::split(b.body(), block);
        let base = within.map(|_| ops.placeholder(b, Type::INDEX));
        let count = ops.trip_count(b, lower, upper, step, induction.unsigned);
        let mut starts: Vec<Value> = slots.iter().map(|&slot| self.take_or_zero(b, results[slot])).collect();
        starts.extend(captured.iter().map(|&value| self.take_or_zero(b, value)).collect::<Vec<_>>());
        let of = Loop { inits, carried, yielded, slots, written, captured };
        let iteration = self.reverse_iterations(b, &of, count, &starts, &mut |work, b, position, mapping| {
            let value = ops.induction_value(b, lower, step, position);
            mapping.map(induction.value, value);
            work.replay(b, &inner, mapping)
        });
        let Loop { inits, carried, slots, captured, .. } = of;
        let Some(iteration) = iteration else { return };
        let keys: Vec<Value> = slots.iter().map(|&slot| inits[slot]).chain(captured).collect();
        let reversed = Reversed {
            anchor: induction.value,
            within,
            levels: nest.map_or(0, |(_, levels)| levels),
            copy: op,
            iteration,
            induction: Some((lower, upper, step, induction)),
            inits,
            carried,
            keys,
            saved: Saved::new(),
            sizes: FxHashMap::default(),
            finals: Vec::new(),
            count: None,
            base,
            results: Vec::new(),
            storages: FxHashMap::default(),
        };
        let loc = b.loc();
        self.finish_loop(b.body_mut(), loc, reversed, mark);
    }

    /// Creates placeholders of loop-carried values.
    pub(super) fn placeholders(
        &mut self,
        b: &mut Builder<'_>,
        carried: &[Value],
        mapping: &mut Mapping,
    ) -> Vec<(Value, Op)> {
        let mut placeholders = Vec::with_capacity(carried.len());
        for &value in carried {
            let ty = b.ty(value);
            let placeholder = self.engine.ops.placeholder(b, ty);
            mapping.map(value, placeholder);
            if self.is_active(value) {
                self.active.insert(placeholder);
            }
            placeholders.push((placeholder, b.body().defining_op(placeholder).expect("it was created")));
        }
        placeholders
    }

    pub(super) fn erase_if_unused(&self, body: &mut Body, op: Op) {
        let Ok(view) = body.try_op(op) else { return };
        let unused = !self.kept.contains(&op) && view.results().all(|result| !body.is_used(result));
        if unused && view.n_results() > 0 && self.engine.effects.all(view).removable() {
            body.erase(op);
        }
    }
}
