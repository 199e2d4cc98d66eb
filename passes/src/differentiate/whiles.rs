//! The reverse sweep of loops that are controlled by a condition.
//!
//! The forward sweep counts the iterations, and saves values into storage that grows. The values at the final test of the
//! condition, which no iteration follows, are forwarded out of the loop.

use super::loops::{Final, Loop, Reversed};
use super::residuals::Saved;
use super::work::Work;
use minoan_ir::{Body, Builder, Mapping, Op, Type, Value};
use rustc_hash::FxHashMap;

impl Work<'_, '_> {
    /// The reverse sweep of a loop that is controlled by a condition, which counts its iterations.
    pub(super) fn reverse_while(&mut self, b: &mut Builder<'_>, op: Op) {
        let ops = self.engine.ops;
        let (nest, mark) = (self.nest_of(b.body(), op), self.pending.len());
        let within = nest.map(|(block, _)| block);
        let view = b.body().op(op);
        let loops = self.engine.loops.and_then(|table| table.get(view.kind())).expect("it is a loop");
        let (carried, yielded) = (loops.carried(view), loops.yielded(view));
        let (inits, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let (Some(before), Some(after)) = (Self::entry(view, 0), Self::entry(view, 1)) else {
            return self.report(view, "branches between blocks, which has no derivative");
        };
        let (tested, last) = Self::split(b.body(), before);
        let (repeated, _) = Self::split(b.body(), after);
        let Some(last) = last else { return self.report(b.body().op(op), "has no condition") };
        // The condition comes first, then the values that it forwards.
        let first = b.body().op(last).n_operands() - results.len();
        let passed: Vec<Value> = b.body().op(last).operands().skip(first).collect();
        let args: Vec<Value> = b.body().block(after).args().collect();
        let slots: Vec<usize> = (0..carried.len()).filter(|&slot| self.is_active(carried[slot])).collect();
        let captured = self.captures(b.body(), op);
        let seeds: Vec<Option<Value>> =
            results.iter().map(|result| self.derivatives.remove(result)).collect();

        // The final test, whose forwarded values are the results.
        let mut mapping = Mapping::new();
        let final_placeholders = self.placeholders(b, &carried, &mut mapping);
        let pairs = self.replay(b, &tested, &mut mapping);
        for (&value, seed) in passed.iter().zip(&seeds) {
            let value = mapping.value(value);
            if let Some(seed) = seed.filter(|_| self.is_active(value)) {
                self.accumulate(b, value, seed);
            }
        }
        let final_clones: Vec<Op> = pairs.iter().map(|&(clone, _)| clone).collect();
        self.reverse_ops(b, &final_clones);
        let mut starts: Vec<Value> = Vec::new();
        for &slot in &slots {
            starts.push(self.take_or_zero(b, final_placeholders[slot].0));
        }
        for &value in &captured {
            starts.push(self.take_or_zero(b, value));
        }
        let base = within.map(|_| ops.placeholder(b, Type::INDEX));
        let count = ops.placeholder(b, Type::INDEX);
        let of = Loop { inits, carried, yielded, slots, written: Vec::new(), captured };
        let iteration = self.reverse_iterations(b, &of, count, &starts, &mut |work, b, _, mapping| {
            let mut pairs = work.replay(b, &tested, mapping);
            for (&arg, &value) in args.iter().zip(&passed) {
                let value = mapping.value(value);
                mapping.map(arg, value);
            }
            pairs.extend(work.replay(b, &repeated, mapping));
            pairs
        });
        let Loop { inits, carried, slots, captured, .. } = of;
        let Some(iteration) = iteration else { return };
        let keys: Vec<Value> = slots.iter().map(|&slot| inits[slot]).chain(captured).collect();
        for &clone in final_clones.iter().rev() {
            self.erase_if_unused(b.body_mut(), clone);
        }
        let used = |&&(placeholder, _): &&(Value, Op)| {
            b.body().contains_value(placeholder) && b.body().is_used(placeholder)
        };
        let finals = carried.iter().zip(&final_placeholders).filter(|(_, placeholder)| used(placeholder));
        let finals =
            finals.map(|(&carried, &(placeholder, _))| Final { carried, dim: None, placeholder }).collect();
        let reversed = Reversed {
            anchor: carried.first().copied().unwrap_or(count),
            within,
            levels: nest.map_or(0, |(_, levels)| levels),
            copy: op,
            iteration,
            induction: None,
            inits,
            carried,
            keys,
            saved: Saved::new(),
            sizes: FxHashMap::default(),
            finals,
            count: Some(count),
            base,
            results: Vec::new(),
            storages: FxHashMap::default(),
        };
        let loc = b.loc();
        self.finish_loop(b.body_mut(), loc, reversed, mark);
        for (_, op) in final_placeholders {
            self.erase_if_unused(b.body_mut(), op);
        }
    }
}

/// The index of the result of a condition-controlled loop that has the value of a loop-carried variable at the final test, and
/// the loop, which is recreated if it did not forward the value.
pub(super) fn forward(body: &mut Body, op: Op, carried: Value) -> Option<(Op, usize)> {
    let view = body.op(op);
    let (before, after) = (Work::entry(view, 0)?, Work::entry(view, 1)?);
    let condition = body.block(before).last()?;
    // The condition comes first, then the values that it forwards.
    let results = view.n_results();
    let first = body.op(condition).n_operands() - results;
    let known = body.op(condition).operands().skip(first).position(|value| value == carried);
    if let Some(at) = known {
        return Some((op, at));
    }
    let (ty, loc) = (body.ty(carried), body.value_loc(carried));
    let operands: Vec<Value> = body.op(op).operands().collect();
    let types: Vec<Type> = body.op(op).result_types().chain([ty]).collect();
    let new = body.recreate(op, &operands, &types);
    let all: Vec<Value> = body.op(new).results().take(results).collect();
    body.replace(op, &all);
    body.add_arg(after, ty, loc);
    let passed: Vec<Value> = body.op(condition).operands().chain([carried]).collect();
    body.set_operands(condition, &passed);
    Some((new, results))
}
