//! Saving of loop values, and of nests that save together.
//!
//! The reverse of an iteration executes the loops in it again. If such an inner loop saved the values for its own reverse only
//! then, each level of a nest would be executed once more than the level around it. So an inner loop saves during the primal
//! execution: the outermost loop of the nest carries a storage for each value, and the inner loops carry it, too. Every iteration
//! of the inner loop appends to it. The loop around records how many values there were before the inner loop started, from where
//! the reverse reads, and its results, as far as the reverse needs them. The reverse then does not execute the inner loop again.
//!
//! A loop is part of a nest if it is executed at most once by each iteration of the loop around it: directly, or in conditionals,
//! which pass the storages on. It is not part of a nest if
//!
//! * the iterations of the loop around it do not depend on each other: those may be executed together, each with its own tape,
//! * it precedes the condition of the loop around it, which is evaluated once more than there are iterations,
//! * it saves a tensor that it updates in place, which would be copied for each iteration of the nest,
//! * it saves a tensor whose extents may change from one iteration of the nest to the next,
//! * it is a segment of a loop that was split, to save less ([`checkpoint`](super::checkpoint)),
//! * it carries objects, which are on stacks,
//! * it is in a conditional, and carries tensors: those of its results that the reverse needs would be saved as a whole.
//!
//! The loops of a nest carry the storages when all of them are known ([`carry`](super::carry)).

use super::checkpoint::SEGMENT;
use super::lift::LEVELS;
use super::loops::{Final, NeededResult, Reversed};
use super::residuals::{Saved, SavedPart, behind};
use super::saving::{last_entry, loop_of};
use super::work::Work;
use minoan_ir::{Block, Body, Builder, Loc, Op, Value};

/// Whether an operation is in the last region of the one around it, which each iteration of a loop executes once.
fn is_in_last_region(body: &Body, op: Op) -> bool {
    let block = body.op(op).block();
    body.op(op).parent().is_some_and(|parent| last_entry(body, parent) == block)
}

/// The number of copies between a loop in a reverse iteration and its original, with `levels` conditionals around it there: those
/// are copied to the iteration, and their regions once more to their reverses.
fn steps(levels: usize) -> usize {
    if levels == 0 { 1 } else { 2 }
}

impl Work<'_, '_> {
    /// The block of the reverse iteration that a loop may save values for, as a part of a nest, and the number of conditionals
    /// around the loop in it.
    pub(super) fn nest_of(&mut self, body: &Body, op: Op) -> Option<(Block, usize)> {
        let view = body.op(op);
        let block = *self.nest.last()?;
        let loops = self.engine.loops?.get(view.kind())?;
        let mut anchor = Self::entry(view, 0).and_then(|entry| body.block(entry).args().next())?;
        let levels = self.reverses_around(body, op, block)?;
        for _ in 0..steps(levels) {
            anchor = *self.sources.get(&anchor)?;
        }
        let mut original = loop_of(body, anchor)?;
        for _ in 0..levels {
            original = body.op(original).parent().filter(|&outer| self.is_conditional(body.op(outer)))?;
        }
        let mut types = loops.carried(view).into_iter().chain(view.results()).map(|value| body.ty(value));
        let fits = view.attr(self.engine.ctx.name(SEGMENT)).is_none()
            && self.tape.is_empty()
            && is_in_last_region(body, original)
            && types.all(|ty| if levels == 0 { self.is_storable(ty) } else { self.is_number(ty) });
        if fits && levels > 0 {
            self.kept.insert(op);
        }
        fits.then_some((block, levels))
    }

    /// The number of reverses of conditionals around an operation in a block, if there is nothing else around it, and they are
    /// few enough that each may pass on the storages of a loop.
    fn reverses_around(&self, body: &Body, op: Op, block: Block) -> Option<usize> {
        let mut at = op;
        for levels in 0..=LEVELS {
            if body.op(at).block() == Some(block) {
                return Some(levels);
            }
            at = body.op(at).parent().filter(|outer| self.reversed.contains(outer))?;
        }
        None
    }

    /// Determines what the reverse of a loop needs, and saves it, unless the loop around it does. `mark` is the number of the loops
    /// that waited for that before the iterations of this one were reversed.
    pub(super) fn finish_loop(&mut self, body: &mut Body, loc: Loc, mut of: Reversed, mark: usize) {
        let mut inner = self.pending.split_off(mark);
        let mut more = Saved::new();
        if of.iteration.unordered && of.induction.is_some() {
            let mut nest = Vec::new();
            for reversed in inner.drain(..) {
                if reversed.within == Some(of.iteration.block) {
                    self.save_nest(body, loc, reversed, &std::mem::take(&mut nest));
                } else {
                    nest.push(reversed);
                }
            }
        } else {
            for reversed in inner.iter_mut().filter(|it| it.within == Some(of.iteration.block)) {
                more.extend(self.detach(body, &of, reversed));
            }
            // The loops in a loop are before it.
            let mut copies = 1;
            for reversed in inner.iter_mut().rev() {
                if reversed.within == Some(of.iteration.block) {
                    copies = steps(reversed.levels);
                }
                (0..copies).for_each(|_| self.lift(reversed));
            }
        }
        let Some(op) = loop_of(body, of.anchor) else { return };
        let scope = last_entry(body, op);
        if !of.iteration.unordered {
            more.extend(self.saved_results(body, &of.iteration, scope));
        }
        of.saved = self.saved(body, &of.iteration, &of.carried, scope);
        of.saved.extend(more.into_iter().filter(|&(_, placeholder)| body.contains_value(placeholder)));
        for &(part, placeholder) in &of.saved {
            if let (SavedPart::Value(value), true) = (part, body.ty(placeholder).is_tensor(self.engine.ctx)) {
                let sizes = self.fixed_sizes(body, value, scope);
                of.sizes.extend(sizes.map(|sizes| (placeholder, sizes)));
            }
        }
        if of.within.is_some() && of.induction.is_some() && of.saved.is_empty() && inner.is_empty() {
            self.kept.remove(&of.copy);
            of.iteration.ignore_order(body);
            return;
        }
        let may_nest =
            !self.is_copied_in_place(body, op, &of) && !self.changes_extents(body, op, &of, &inner);
        let Some(base) = of.base.filter(|_| may_nest) else {
            return self.save_nest(body, loc, of, &inner);
        };
        of.iteration.ignore_order(body);
        let start = behind(body, of.iteration.position);
        let ops = self.engine.ops;
        let position =
            ops.index_add(&mut Builder::new(body, start).with_loc(loc), base, of.iteration.position);
        let before = behind(body, base);
        let mut placeholders: Vec<Value> = of.saved.iter().map(|&(_, placeholder)| placeholder).collect();
        for reversed in inner.iter().filter(|reversed| reversed.within == Some(of.iteration.block)) {
            placeholders.extend(reversed.base.into_iter().chain(reversed.count));
            placeholders.extend(reversed.results.iter().map(|result| result.placeholder));
            placeholders.extend(reversed.finals.iter().map(|last| last.placeholder));
        }
        for placeholder in placeholders {
            if !body.contains_value(placeholder) || !body.is_used(placeholder) {
                continue;
            }
            let ty = body.ty(placeholder);
            let sizes = of.sizes.get(&placeholder).map(Vec::as_slice);
            let storage = ops.growing_storage(&mut Builder::new(body, before).with_loc(loc), ty, sizes);
            let storage = storage.expect("the values of a nest are numbers and tensors of numbers");
            self.restore(body, placeholder, storage, position, sizes);
            of.storages.insert(placeholder, storage);
        }
        self.pending.extend(inner);
        self.pending.push(of);
    }

    /// Whether a loop saves a tensor, or needs one from a loop in it, whose extents may change in the iterations of the nest.
    fn changes_extents(&self, body: &Body, op: Op, of: &Reversed, inner: &[Reversed]) -> bool {
        let outermost = self.nest.first().and_then(|&block| body.block(block).parent());
        let Some(outermost) = outermost else { return false };
        let mut values: Vec<Value> = Vec::new();
        for &(part, placeholder) in &of.saved {
            if let (SavedPart::Value(value), false) = (part, of.sizes.contains_key(&placeholder)) {
                values.push(value);
            }
        }
        for reversed in inner.iter().filter(|reversed| reversed.within == Some(of.iteration.block)) {
            let Some(inner) = loop_of(body, reversed.anchor) else { continue };
            values.extend(reversed.results.iter().map(|result| body.op(inner).result(result.number)));
            values.extend(reversed.finals.iter().map(|last| last.carried));
        }
        !self.changing_extents(body, op, outermost, values.into_iter()).is_empty()
    }

    /// Whether a loop saves a tensor that it updates in place.
    fn is_copied_in_place(&self, body: &Body, op: Op, of: &Reversed) -> bool {
        let view = body.op(op);
        let Some(loops) = self.engine.loops.and_then(|table| table.get(view.kind())) else { return false };
        let (carried, yielded) = (loops.carried(view), loops.yielded(view));
        let is_saved = |value: Value| of.saved.iter().any(|&(part, _)| part == SavedPart::Value(value));
        carried.iter().zip(&yielded).any(|(&value, &next)| {
            body.ty(value).is_tensor(self.engine.ctx)
                && is_saved(value)
                && self.engine.updates_in_place(body, value, next)
        })
    }

    /// Erases the copy of a loop of a nest in the reverse iteration around it; returns what that iteration needs instead, as far
    /// as it is not given by results of the loop.
    fn detach(&mut self, body: &mut Body, around: &Reversed, of: &mut Reversed) -> Saved {
        let mut saved = Saved::new();
        let scope = loop_of(body, around.anchor).and_then(|op| last_entry(body, op));
        let results: Vec<Value> = body.op(of.copy).results().collect();
        let loc = body.op(of.copy).loc();
        for (number, &result) in results.iter().enumerate() {
            if !body.is_used(result) {
                continue;
            }
            if let Some(extents) = self.extents_used(body, result) {
                let needed = |(dim, placeholder)| NeededResult { number, dim: Some(dim), placeholder };
                of.results.extend(extents.into_iter().map(needed));
                continue;
            }
            let original = self.sources.get(&result).copied();
            let parts = original
                .and_then(|original| self.parts_read(body, result, original, &around.iteration, scope));
            for (part, placeholder) in parts.into_iter().flatten() {
                match part {
                    SavedPart::Extent(tensor, dim) if Some(tensor) == original => {
                        of.results.push(NeededResult { number, dim: Some(dim), placeholder });
                    }
                    _ => saved.push((part, placeholder)),
                }
            }
            for placeholder in saved.iter_mut().map(|(_, placeholder)| placeholder) {
                if let Some(op) = body.defining_op(*placeholder).filter(|&op| body.op(op).n_operands() > 0) {
                    *placeholder = self.placeholder_for(body, op, *placeholder);
                }
            }
            if body.is_used(result) {
                let ty = body.ty(result);
                let mut b = Builder::before(body, of.copy).with_loc(loc);
                let placeholder = self.engine.ops.placeholder(&mut b, ty);
                body.replace_all_uses(result, placeholder);
                of.results.push(NeededResult { number, dim: None, placeholder });
            }
        }
        for last in std::mem::take(&mut of.finals) {
            match self.extents_used(body, last.placeholder) {
                Some(extents) => {
                    let needed = |(dim, placeholder)| Final { dim: Some(dim), placeholder, ..last };
                    of.finals.extend(extents.into_iter().map(needed));
                }
                None => of.finals.push(last),
            }
        }
        self.kept.remove(&of.copy);
        body.erase(of.copy);
        saved
    }

    /// Replaces the values of a copy by those of its original.
    fn lift(&self, of: &mut Reversed) {
        let source = |value: Value| self.sources.get(&value).copied().unwrap_or(value);
        of.anchor = source(of.anchor);
        for (part, _) in &mut of.saved {
            *part = part.of(source(part.value()));
        }
        for last in &mut of.finals {
            last.carried = source(last.carried);
        }
    }
}
