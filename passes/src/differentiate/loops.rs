//! The reverse sweep of loops.
//!
//! An iteration of the reverse loop executes an iteration of the loop again, from the loop-carried values at its start,
//! followed by the reverse sweep of its operations. It carries the cotangents of the loop-carried values, and those of the
//! values that the loop captures.
//!
//! Of the loop-carried values that an iteration uses, the loop saves the numbers in an array by iteration. Of a tensor, it saves
//! the elements that the iteration reads, if they are known at the top level of the body; otherwise the whole tensor.

use super::stacks::Stack;
use super::work::Work;
use minoan_ir::{Block, Body, Builder, InsertionPoint, Mapping, Op, Value};
use minoan_services::{Bound, Induction};
use rustc_hash::FxHashMap;

/// The values of an iteration that its reverse needs: the value in the loop, and the value in the reverse loop that stands
/// for it.
type Saved = Vec<(Value, Value)>;

/// The state of a reverse iteration after its creation.
struct Iteration {
    block: Block,
    /// The values that stand for the loop-carried values.
    places: Vec<(Value, Op)>,
    /// The operations of the loop by their clones.
    originals: FxHashMap<Op, Op>,
    /// The number of the iteration in the loop.
    position: Value,
    /// The number of the iteration in the reverse loop.
    number: Value,
    /// Whether no iteration of the reverse loop depends on another.
    unordered: bool,
}

impl Iteration {
    /// Executes the iterations in the order of the loop if none depends on another. Stacks need the reverse order.
    fn ignore_order(&mut self, body: &mut Body) {
        if self.unordered {
            body.replace_all_uses(self.position, self.number);
            self.position = self.number;
        }
    }
}

/// The values of a loop.
struct Loop {
    /// The loop-carried values at the start of the loop, of an iteration, and after it.
    inits: Vec<Value>,
    carried: Vec<Value>,
    yielded: Vec<Value>,
    /// The loop-carried values with cotangents.
    slots: Vec<usize>,
    /// The loop-carried tensors that the loop writes each element of once, with the cotangents of the results. Each iteration
    /// reads elements of its own from these, so they are not carried.
    written: Vec<(usize, Value)>,
    /// The values from outside with cotangents.
    captured: Vec<Value>,
}

/// Executes an iteration again, whose number is given; returns the operations with their originals.
type Again<'a, 'w, 'c> =
    &'a mut dyn FnMut(&mut Work<'w, 'c>, &mut Builder<'_>, Value, &mut Mapping) -> Vec<(Op, Op)>;

impl<'w, 'c> Work<'w, 'c> {
    /// Creates the reverse loop of `count` iterations from the cotangents `starts` of the slots and the captured values, and
    /// sets the cotangents of the initial and the captured values.
    fn reverse_iterations(
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
            let places = self.stand_ins(b, carried, &mut mapping);
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
            self.reverse_ops(b, &clones);
            let own = slots.iter().map(|&slot| places[slot].0);
            let wanted: Vec<Value> = own.chain(captured.iter().copied()).collect();
            let ends: Vec<Value> = wanted.into_iter().map(|value| self.take_or_zero(b, value)).collect();
            for &(slot, _) in written {
                self.derivatives.remove(&places[slot].0);
            }
            let block = b.body().block_of(position).expect("it was created in the loop");
            let unordered = ends.iter().zip(cotangents).take(slots.len()).all(|(end, start)| end == start);
            let originals = pairs.into_iter().collect();
            iteration = Some(Iteration { block, places, originals, position, number, unordered });
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
        let Some(mut iteration) = iteration else { return };
        // The values whose cotangents the reverse loop gives.
        let keys: Vec<Value> = slots.iter().map(|&slot| inits[slot]).chain(captured).collect();
        let saved = self.saved(b.body_mut(), &iteration, &carried);
        let loc = b.loc();
        let body = b.body_mut();
        let mut before = Builder::before(body, op).with_loc(loc);
        // Objects are on stacks, whose owners are recorded.
        let mut owners: Vec<Option<(usize, Value)>> = Vec::new();
        for &(value, _) in &saved {
            let ty = before.ty(value);
            owners.push(self.engine.stack(&mut before, ty));
        }
        if owners.iter().all(Option::is_none) {
            iteration.ignore_order(before.body_mut());
        }
        if saved.is_empty() {
            return;
        }
        let room = ops.trip_count(&mut before, lower, upper, step, induction.unsigned);
        let mut storages = Vec::new();
        for (&(value, _), owner) in saved.iter().zip(&owners) {
            let like = carried.iter().position(|&carried| carried == value).map_or(value, |slot| inits[slot]);
            let stack = owner.map(|(_, stack)| stack);
            match stack.or_else(|| ops.storage(&mut before, room, like)) {
                Some(storage) => storages.push(storage),
                None => return self.report(body.op(op), "carries a value that cannot be saved"),
            }
        }
        let engine = &*self.engine;
        let made = loops.carry_more(body, op, &storages, &mut |b, args| {
            let position = ops.iteration_number(b, lower, step, induction.value);
            let saved = args.iter().zip(&saved).zip(&owners);
            saved
                .map(|((&storage, &(value, _)), owner)| match owner {
                    Some((owner, _)) => engine.objects[*owner].push(b, storage, value),
                    None => ops.save(b, storage, position, value),
                })
                .collect()
        });
        let Some(made) = made else { return self.report(body.op(op), "cannot carry additional values") };
        let storages: Vec<Value> = body.op(made).results().skip(results.len()).collect();
        for ((&(value, place), &storage), owner) in saved.iter().zip(&storages).zip(&owners) {
            let Some((owner, _)) = *owner else {
                self.restore(body, &vec![(value, place)], &[storage], &|_| iteration.position);
                continue;
            };
            let stands = body.defining_op(place).expect("it stands for a value");
            if !self.pop_in_reverse(body, iteration.block, (owner, storage), (place, stands), &keys) {
                return self.report(body.op(made), "carries an object that cannot be saved");
            }
            self.erase_if_unused(body, stands);
        }
        self.clean(body, iteration.block, None);
    }

    /// Creates values that stand for loop-carried ones.
    fn stand_ins(
        &mut self,
        b: &mut Builder<'_>,
        carried: &[Value],
        mapping: &mut Mapping,
    ) -> Vec<(Value, Op)> {
        let mut places = Vec::with_capacity(carried.len());
        for &value in carried {
            let ty = b.ty(value);
            let place = self.engine.ops.placeholder(b, ty);
            mapping.map(value, place);
            if self.is_active(value) {
                self.active.insert(place);
            }
            places.push((place, b.body().defining_op(place).expect("it was created")));
        }
        places
    }

    /// Determines the values to save for the reverse of an iteration, and erases what is not used.
    fn saved(&self, body: &mut Body, iteration: &Iteration, carried: &[Value]) -> Saved {
        self.clean(body, iteration.block, Some(iteration.position));
        let mut saved = Saved::new();
        for (&(place, op), &value) in iteration.places.iter().zip(carried) {
            if body.try_op(op).is_err() {
                continue;
            }
            let parts = match body.ty(place).is_tensor(self.engine.ctx) {
                true => self.numbers_read(body, place, value, iteration),
                false => None,
            };
            match parts {
                Some(parts) => saved.extend(parts),
                None => saved.push((value, place)),
            }
        }
        saved
    }

    /// The numbers that an iteration reads from a tensor, if it uses nothing else of it: elements outside of nested regions, and
    /// extents.
    fn numbers_read(
        &self,
        body: &mut Body,
        tensor: Value,
        original: Value,
        iteration: &Iteration,
    ) -> Option<Saved> {
        let mut found = Saved::new();
        let mut extents: Vec<((Value, usize), Vec<Op>)> = Vec::new();
        let mut pending = vec![(tensor, original)];
        while let Some((tensor, original)) = pending.pop() {
            for user in body.uses(tensor) {
                let view = body.op(user.op);
                if let Some((_, dim)) = self.engine.ops.extent_read(view) {
                    match extents.iter_mut().find(|(extent, _)| *extent == (original, dim)) {
                        Some((_, users)) => users.push(user.op),
                        None => extents.push(((original, dim), vec![user.op])),
                    }
                    continue;
                }
                let source = body.try_op(*iteration.originals.get(&user.op)?).ok()?;
                if view.block() != Some(iteration.block) || view.n_regions() > 0 {
                    return None;
                }
                for (result, value) in view.results().zip(source.results()) {
                    if body.ty(result).is_tensor(self.engine.ctx) {
                        pending.push((result, value));
                    } else if !found.contains(&(value, result)) {
                        found.push((value, result));
                    }
                }
            }
        }
        for ((original, dim), users) in extents {
            found.push(self.saved_extent(body, original, dim, &users, iteration.position));
        }
        Some(found)
    }

    /// An extent of a tensor of the loop, and a value that stands for it in the reverse iteration instead of operations there.
    fn saved_extent(
        &self,
        body: &mut Body,
        tensor: Value,
        dim: usize,
        users: &[Op],
        position: Value,
    ) -> (Value, Value) {
        let behind = |body: &Body, value: Value| match body.defining_op(value) {
            Some(op) => InsertionPoint::After(op),
            None => {
                InsertionPoint::Start(body.block_of(value).expect("a value is a result or a block argument"))
            }
        };
        let (at, place_at) = (behind(body, tensor), behind(body, position));
        let loc = body.op(users[0]).loc();
        let extent = self.engine.ops.extent(&mut Builder::new(body, at).with_loc(loc), tensor, dim);
        let mut b = Builder::new(body, place_at).with_loc(loc);
        let place = self.engine.ops.placeholder(&mut b, minoan_ir::Type::INDEX);
        for &user in users {
            body.replace(user, &[place]);
        }
        (extent, place)
    }

    /// Replaces the values that stand for saved ones by those.
    fn restore(&self, body: &mut Body, saved: &Saved, storages: &[Value], position: &dyn Fn(usize) -> Value) {
        for (at, (&(_, place), &storage)) in saved.iter().zip(storages).enumerate() {
            let ty = body.ty(place);
            let op = body.defining_op(place).expect("it stands for a value");
            let mut b = Builder::before(body, op);
            let value = self.engine.ops.restore(&mut b, storage, position(at), ty);
            body.replace_all_uses(place, value);
        }
    }

    /// A loop that is controlled by a condition counts its iterations and saves the loop-carried values in storage that grows.
    pub(super) fn reverse_while(&mut self, b: &mut Builder<'_>, op: Op) {
        let ops = self.engine.ops;
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
        let final_places = self.stand_ins(b, &carried, &mut mapping);
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
            starts.push(self.take_or_zero(b, final_places[slot].0));
        }
        for &value in &captured {
            starts.push(self.take_or_zero(b, value));
        }
        let count = ops.placeholder(b, minoan_ir::Type::INDEX);
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
        let Loop { inits, carried, yielded, slots, captured, .. } = of;
        let Some(mut iteration) = iteration else { return };
        // The values whose cotangents the reverse loop gives.
        let keys: Vec<Value> = slots.iter().map(|&slot| inits[slot]).chain(captured).collect();
        let (loc, body) = (b.loc(), b.body_mut());
        self.clean(body, iteration.block, Some(iteration.position));
        for &clone in final_clones.iter().rev() {
            self.erase_if_unused(body, clone);
        }
        // Position n of a storage holds the values before iteration n; the last one those at the final test.
        let is_kept = |op: Op| body.try_op(op).is_ok_and(|view| body.is_used(view.result(0)));
        let kept: Vec<usize> = (0..carried.len())
            .filter(|&slot| is_kept(iteration.places[slot].1) || is_kept(final_places[slot].1))
            .collect();
        let mut b = Builder::before(body, op).with_loc(loc);
        let (zero, room) = (ops.index(&mut b, 0), ops.index(&mut b, FIRST_ROOM));
        let mut operands = inits.clone();
        operands.push(zero);
        // The objects among them are on stacks.
        let mut stacked: FxHashMap<usize, usize> = FxHashMap::default();
        for &slot in &kept {
            let ty = b.ty(inits[slot]);
            if let Some((owner, stack)) = self.engine.stack(&mut b, ty) {
                operands.push(self.engine.objects[owner].push(&mut b, stack, inits[slot]));
                stacked.insert(slot, owner);
                continue;
            }
            let Some(storage) = ops.storage(&mut b, room, inits[slot]) else {
                return self.report(body.op(op), "carries a value that cannot be saved");
            };
            operands.push(ops.save(&mut b, storage, zero, inits[slot]));
        }
        let more: Vec<minoan_ir::Type> =
            operands[inits.len()..].iter().map(|&value| body.ty(value)).collect();
        let types: Vec<minoan_ir::Type> =
            results.iter().map(|&result| body.ty(result)).chain(more.iter().copied()).collect();
        let new = body.recreate(op, &operands, &types);
        let all: Vec<Value> = body.op(new).results().collect();
        body.replace(op, &all[..results.len()]);
        let extend = |body: &mut Body, block: Block| -> Vec<Value> {
            more.iter().map(|&ty| body.add_arg(block, ty, loc)).collect()
        };
        let in_test = extend(body, before);
        let in_body = extend(body, after);
        let passed: Vec<Value> = body.op(last).operands().chain(in_test).collect();
        body.set_operands(last, &passed);
        let end = body.block(after).last().expect("a region ends with a terminator");
        let mut b = Builder::new(body, InsertionPoint::Before(end)).with_loc(loc);
        let one = ops.index(&mut b, 1);
        let next = ops.index_add(&mut b, in_body[0], one);
        let mut values: Vec<Value> = b.body().op(end).operands().collect();
        values.push(next);
        for (&storage, &slot) in in_body[1..].iter().zip(&kept) {
            values.push(match stacked.get(&slot) {
                Some(&owner) => self.engine.objects[owner].push(&mut b, storage, yielded[slot]),
                None => ops.save_growing(&mut b, storage, next, yielded[slot]),
            });
        }
        body.set_operands(end, &values);
        if stacked.is_empty() {
            iteration.ignore_order(body);
        }
        // The count and the storages are results now.
        let counted = all[results.len()];
        let stands = body.defining_op(count).expect("it stands for a value");
        body.replace(stands, &[counted]);
        for (&slot, &storage) in kept.iter().zip(&all[results.len() + 1..]) {
            if let Some(&owner) = stacked.get(&slot) {
                let places = (iteration.places[slot], final_places[slot]);
                let stack = Stack { owner, value: storage, creator: new };
                if !self.restore_from_stack(body, iteration.block, &stack, places, &keys) {
                    return self.report(body.op(new), "carries an object that cannot be saved");
                }
                continue;
            }
            for (places, position) in [(&iteration.places, iteration.position), (&final_places, counted)] {
                let (place, op) = places[slot];
                if body.try_op(op).is_ok() {
                    self.restore(body, &vec![(place, place)], &[storage], &|_| position);
                }
            }
        }
        for &(_, op) in iteration.places.iter().chain(&final_places) {
            self.erase_if_unused(body, op);
        }
    }

    pub(super) fn erase_if_unused(&self, body: &mut Body, op: Op) {
        let Ok(view) = body.try_op(op) else { return };
        let unused = view.results().all(|result| !body.is_used(result));
        if unused && view.n_results() > 0 && self.engine.effects.all(view).removable() {
            body.erase(op);
        }
    }
}

/// The number of iterations that the storage of a loop without a known trip count has room for at first.
const FIRST_ROOM: i64 = 16;
