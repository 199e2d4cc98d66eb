//! Saving of values by loops, which carry storages and replace an element of each by a value of the iteration.
//!
//! A storage has room for all iterations if their number is known before the loop, and the extents of their values. Otherwise it grows.
//! Objects, and tensors whose extents may differ from one iteration to the next, are on a stack instead.

use super::loops::{Final, Reversed};
use super::residuals::{SavedPart, behind};
use super::whiles::forward;
use super::work::Work;
use crate::analysis::extents::{Extents, Key};
use minoan_ir::{Block, Body, Builder, DYNAMIC, Loc, Op, Type, Value};
use minoan_services::{Bound, Induction, LoopLike, SpeculationTable};
use rustc_hash::FxHashSet;

/// Upper bound on the operations that compute the bound of an inner loop.
const MAX_MOVED: usize = 32;

/// A value that a loop saves.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) value: Value,
    /// Its dynamic extents, if they are the same in all iterations.
    pub(super) sizes: Option<&'a [Value]>,
    /// Whether the storage starts without room.
    pub(super) grows: bool,
}

/// The storage of a value that a loop saves.
struct Slot<'a> {
    kept: Kept<'a>,
    /// The storage before the loop.
    init: Value,
    /// The index of the owner in the engine's objects, if the storage is a stack.
    owner: Option<usize>,
}

/// The storages that a loop carries.
struct Storages<'a> {
    /// The initial number of iterations, if the loop has to count them.
    count: Option<Value>,
    slots: Vec<Slot<'a>>,
}

impl Storages<'_> {
    /// The number of loop-carried values before the storages.
    fn counters(&self) -> usize {
        usize::from(self.count.is_some())
    }
}

/// The operation that an argument of a block in it belongs to.
pub(super) fn loop_of(body: &Body, anchor: Value) -> Option<Op> {
    body.block(body.block_of(anchor)?).parent()
}

/// The block of a loop at whose end the next loop-carried values are available.
pub(super) fn last_entry(body: &Body, op: Op) -> Option<Block> {
    let view = body.op(op);
    Work::entry(view, view.n_regions().checked_sub(1)?)
}

impl Work<'_, '_> {
    pub(super) fn loops_of(&self, body: &Body, op: Op) -> Option<&dyn LoopLike> {
        self.engine.loops?.get(body.op(op).kind())
    }

    /// The parts that a loop saves, as values of the block at whose end the next loop-carried values are available.
    pub(super) fn known_at_end(
        &self,
        body: &mut Body,
        anchor: Value,
        parts: &[SavedPart],
    ) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let op = loop_of(body, anchor)?;
            let entry = Self::entry(body.op(op), 0);
            let mut value = self.solved.value(part.value());
            let is_arg = body.defining_op(value).is_none() && body.block_of(value) == entry;
            if is_arg && entry != last_entry(body, op) {
                let (op, number) = forward(body, op, value)?;
                value = body.block(last_entry(body, op)?).args().nth(number)?;
            }
            values.push(self.create_part(body, part.of(value)));
        }
        Some(values)
    }

    /// Creates storage for `room` values of a type, or storage that grows if the room, or the extents of the values, are not
    /// known; returns it, and whether it grows.
    pub(super) fn keep(
        &self,
        b: &mut Builder<'_>,
        room: Option<Value>,
        ty: Type,
        sizes: Option<&[Value]>,
    ) -> Option<(Value, bool)> {
        let known = sizes.or((!ty.is_tensor(self.engine.ctx)).then_some(&[]));
        match (room, known) {
            (Some(room), Some(known)) => Some((self.engine.ops.sized_storage(b, room, ty, known)?, false)),
            _ => Some((self.engine.ops.growing_storage(b, ty, sizes)?, true)),
        }
    }

    /// Moves the insertion point to the definition of a tensor in an iteration, where it cannot have been updated. `position` is the
    /// number of the iteration.
    fn before_updates(&self, b: &mut Builder<'_>, value: Value, position: Value) {
        let is_local = b.body().block_of(value) == b.body().block_of(position);
        if b.ty(value).is_tensor(self.engine.ctx) && is_local {
            let first = if b.body().defining_op(value).is_some() { value } else { position };
            let point = behind(b.body(), first);
            b.set_insertion_point(point);
        }
    }

    /// Saves a value at a position of a storage. A tensor is saved where it is defined, before it may be updated.
    pub(super) fn save_value(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        kept: Kept<'_>,
    ) -> Value {
        let Kept { value, sizes, grows } = kept;
        let end = b.insertion_point();
        self.before_updates(b, value, position);
        let saved = if grows {
            self.engine.ops.save_growing(b, storage, position, value, sizes)
        } else {
            self.engine.ops.save(b, storage, position, value, sizes)
        };
        b.set_insertion_point(end);
        saved
    }

    /// The trip count of a loop in `outermost`, or of that loop, if it is computable before it. Creates it there.
    pub(super) fn trip_count_before(
        &self,
        body: &mut Body,
        loc: Loc,
        anchor: Value,
        outermost: Op,
    ) -> Option<Value> {
        let op = loop_of(body, anchor)?;
        let inductions = self.loops_of(body, op)?.inductions(body.op(op));
        let &[Induction { lower, upper, step, unsigned, .. }] = &inductions[..] else { return None };
        let (Bound::Value(lower), Bound::Value(upper), Bound::Value(step)) = (lower, upper, step) else {
            return None;
        };
        let bounds = [lower, upper, step];
        if !bounds.iter().all(|&bound| self.move_before(body, bound, outermost)) {
            return None;
        }
        let mut b = Builder::before(body, outermost).with_loc(loc);
        Some(self.engine.ops.trip_count(&mut b, lower, upper, step, unsigned))
    }

    /// Moves the operations that compute a value out of a loop if they may be executed before it; returns whether the value is known
    /// there.
    fn move_before(&self, body: &mut Body, value: Value, around: Op) -> bool {
        let speculation = SpeculationTable::new(self.engine.ctx);
        let mut moved = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if <dyn LoopLike>::is_outside(body, around, value) {
                continue;
            }
            let Some(op) = body.defining_op(value) else { return false };
            let view = body.op(op);
            if view.n_regions() > 0 || !speculation.is_harmless(view) || moved.len() == MAX_MOVED {
                return false;
            }
            pending.extend(view.operands());
            moved.push(op);
        }
        // Users precede their operands in the list; an operation with two uses occurs twice.
        let is_inside = |body: &Body, op: Op| body.op(op).ancestors().any(|outer| outer.id() == around);
        moved
            .into_iter()
            .rev()
            .all(|op| !is_inside(body, op) || <dyn LoopLike>::try_move_out(body, around, op).is_ok())
    }

    /// Saves the values that the reverse of a loop by itself, or of the outermost loop of a nest, needs.
    pub(super) fn save_outermost(&mut self, body: &mut Body, loc: Loc, mut of: Reversed) -> Option<()> {
        self.forward_finals(body, &of)?;
        self.drop_base(body, loc, &of)?;
        self.update_operands(body, &mut of)?;
        self.drop_unused(body, &mut of);
        let parts: Vec<SavedPart> = of.saved.iter().map(|&(part, _)| part).collect();
        let values = self.known_at_end(body, of.anchor, &parts)?;
        let op = loop_of(body, of.anchor)?;
        let unknown =
            values.iter().zip(&of.saved).filter(|(_, (_, placeholder))| !of.sizes.contains_key(placeholder));
        let changing = self.changing_extents(body, op, op, unknown.map(|(&value, _)| value));
        let mut before = Builder::before(body, op).with_loc(loc);
        // The owners of stacks are recorded.
        let is_stacked =
            |b: &Builder<'_>, value: Value| !self.is_storable(b.ty(value)) || changing.contains(&value);
        let stacks: Vec<Option<(usize, Value)>> = values
            .iter()
            .map(|&value| {
                let ty = before.ty(value);
                is_stacked(&before, value).then(|| self.engine.new_stack(&mut before, ty)).flatten()
            })
            .collect();
        if stacks.iter().all(Option::is_none) {
            of.iteration.ignore_order(before.body_mut());
        }
        if of.saved.is_empty() && of.count.is_none() {
            return Some(());
        }
        let storages = self.storages(&mut before, &of, &values, &stacks)?;
        let results = self.carry_storages(body, op, &of, &storages)?;
        if let Some(count) = of.count {
            body.replace_all_uses(count, results[0]);
            let placeholder = body.defining_op(count)?;
            self.erase_if_unused(body, placeholder);
        }
        let owners = storages.slots.iter().map(|slot| slot.owner).collect();
        self.replace_saved(body, &of, &results[storages.counters()..], owners)?;
        self.clean(body, of.iteration.block, None);
        Some(())
    }

    /// The tensors among the values of a loop whose extents are not known to be the same in all iterations of `outermost`, the loop
    /// or one around it.
    pub(super) fn changing_extents(
        &self,
        body: &Body,
        op: Op,
        outermost: Op,
        values: impl Iterator<Item = Value>,
    ) -> FxHashSet<Value> {
        let ctx = self.engine.ctx;
        let shape = |value: Value| match body.ty(value).is_tensor(ctx) {
            true => body.ty(value).shape(ctx).unwrap_or(&[]),
            false => &[],
        };
        let dynamic: Vec<Value> = values.filter(|&value| shape(value).contains(&DYNAMIC)).collect();
        if dynamic.is_empty() {
            return FxHashSet::default();
        }
        let mut extents = Extents::new(ctx);
        extents.follow_regions_of(body, op);
        let is_fixed = |value: Value, dim: usize| match extents.of_dim(body, value, dim) {
            Key::Known(_) => true,
            Key::Of(source, _) | Key::Value(source) => <dyn LoopLike>::is_outside(body, outermost, source),
        };
        let changes = |value: &Value| !(0..shape(*value).len()).all(|dim| is_fixed(*value, dim));
        dynamic.into_iter().filter(changes).collect()
    }

    /// Updates the operands of a loop: a loop before it that defines one may have been created anew since its reverse was created.
    fn update_operands(&self, body: &Body, of: &mut Reversed) -> Option<()> {
        let op = loop_of(body, of.anchor)?;
        let (view, loops) = (body.op(op), self.loops_of(body, op)?);
        of.inits = loops.inits(view).map(|index| view.operand(index)).collect();
        if let (Some(bounds), &[induction]) = (&mut of.induction, &loops.inductions(view)[..])
            && let (Bound::Value(lower), Bound::Value(upper), Bound::Value(step)) =
                (induction.lower, induction.upper, induction.step)
        {
            *bounds = (lower, upper, step, induction);
        }
        Some(())
    }

    /// Replaces the placeholders of values at the final test of a condition by results of the loop.
    fn forward_finals(&self, body: &mut Body, of: &Reversed) -> Option<()> {
        let mut op = loop_of(body, of.anchor)?;
        for &Final { carried, dim, placeholder } in &of.finals {
            if !body.contains_value(placeholder) || !body.is_used(placeholder) {
                continue;
            }
            let (new, number) = forward(body, op, carried)?;
            op = new;
            let part = dim.map_or(SavedPart::Value(carried), |dim| SavedPart::Extent(carried, dim));
            let value = self.create_part(body, part.of(body.op(op).result(number)));
            body.replace_all_uses(placeholder, value);
        }
        Some(())
    }

    /// Sets the base position to 0: a loop that was to save into an enclosing loop may save by itself after all.
    fn drop_base(&self, body: &mut Body, loc: Loc, of: &Reversed) -> Option<()> {
        if let Some(base) = of.base.filter(|&base| body.contains_value(base)) {
            let placeholder = body.defining_op(base)?;
            let zero = self.engine.ops.index(&mut Builder::before(body, placeholder).with_loc(loc), 0);
            body.replace(placeholder, &[zero]);
        }
        Some(())
    }

    /// Forgets the values whose placeholders are not used.
    fn drop_unused(&self, body: &Body, of: &mut Reversed) {
        let Reversed { saved, storages, .. } = of;
        saved.retain(|(_, placeholder)| {
            let placeholder = *storages.get(placeholder).unwrap_or(placeholder);
            body.contains_value(placeholder) && body.is_used(placeholder)
        });
    }

    /// Creates the storages of `values` before a loop; `stacks` are those of objects, with their owners.
    fn storages<'a>(
        &self,
        before: &mut Builder<'_>,
        of: &'a Reversed,
        values: &[Value],
        stacks: &[Option<(usize, Value)>],
    ) -> Option<Storages<'a>> {
        let ops = self.engine.ops;
        let room = of.induction.map(|(lower, upper, step, induction)| {
            ops.trip_count(before, lower, upper, step, induction.unsigned)
        });
        let count = if room.is_none() { Some(ops.index(before, 0)) } else { None };
        let mut slots = Vec::with_capacity(values.len());
        for ((&value, &stack), (_, placeholder)) in values.iter().zip(stacks).zip(&of.saved) {
            let sizes = of.sizes.get(placeholder).map(Vec::as_slice);
            let as_is = Kept { value, sizes, grows: false };
            if let Some((owner, stack)) = stack {
                slots.push(Slot { kept: as_is, init: stack, owner: Some(owner) });
                continue;
            }
            let init = of.carried.iter().position(|&carried| carried == value).map(|slot| of.inits[slot]);
            let (kept, init) = match (room, init) {
                (Some(room), Some(init)) if sizes.is_none() => (as_is, ops.storage(before, room, init)?),
                _ => {
                    let (init, grows) = self.keep(before, room, before.ty(value), sizes)?;
                    (Kept { value, sizes, grows }, init)
                }
            };
            slots.push(Slot { kept, init, owner: None });
        }
        Some(Storages { count, slots })
    }

    /// Lets a loop carry storages, and save an element of each in every iteration. Returns the results: the number of iterations if
    /// the loop has to count them, and the storages.
    fn carry_storages(
        &self,
        body: &mut Body,
        op: Op,
        of: &Reversed,
        storages: &Storages<'_>,
    ) -> Option<Vec<Value>> {
        let (ops, ctx) = (self.engine.ops, self.engine.ctx);
        let slots = &storages.slots;
        let inits: Vec<Value> =
            storages.count.into_iter().chain(slots.iter().map(|slot| slot.init)).collect();
        let saves_tensor = slots.iter().any(|slot| body.ty(slot.kept.value).is_tensor(ctx));
        let loops = self.loops_of(body, op)?;
        let made = loops.carry_more(body, op, &inits, &mut |b, args| {
            let position = match of.induction {
                Some((lower, _, step, induction)) => {
                    let end = b.insertion_point();
                    if saves_tensor {
                        let start = behind(b.body(), induction.value);
                        b.set_insertion_point(start);
                    }
                    let position = ops.iteration_number(b, lower, step, induction.value);
                    b.set_insertion_point(end);
                    position
                }
                None => args[0],
            };
            let mut next = Vec::new();
            if storages.count.is_some() {
                let one = ops.index(b, 1);
                next.push(ops.index_add(b, position, one));
            }
            for (slot, &storage) in slots.iter().zip(&args[storages.counters()..]) {
                next.push(match slot.owner {
                    Some(owner) => {
                        let end = b.insertion_point();
                        self.before_updates(b, slot.kept.value, position);
                        let pushed = self.engine.objects[owner].push(b, storage, slot.kept.value);
                        b.set_insertion_point(end);
                        pushed
                    }
                    None => self.save_value(b, storage, position, slot.kept),
                });
            }
            next
        })?;
        let results = body.op(made).n_results();
        Some(body.op(made).results().skip(results - inits.len()).collect())
    }

    /// Replaces the placeholders of saved values in the reverse loop by elements of the storages. `owners` are those of stacks.
    fn replace_saved(
        &mut self,
        body: &mut Body,
        of: &Reversed,
        storages: &[Value],
        owners: Vec<Option<usize>>,
    ) -> Option<()> {
        for ((&(_, placeholder), &storage), owner) in of.saved.iter().zip(storages).zip(owners) {
            let Some(owner) = owner else {
                match of.storages.get(&placeholder) {
                    Some(&carried) => body.replace_all_uses(carried, storage),
                    None => {
                        let sizes = of.sizes.get(&placeholder).map(Vec::as_slice);
                        self.restore(body, placeholder, storage, of.iteration.position, sizes);
                    }
                }
                continue;
            };
            let op = body.defining_op(placeholder)?;
            let block = of.iteration.block;
            if !self.pop_in_reverse(body, block, (owner, storage), (placeholder, op), &of.keys) {
                return None;
            }
            self.erase_if_unused(body, op);
        }
        Some(())
    }
}
