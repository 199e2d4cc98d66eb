//! Values in conditionals that are used after them.
//!
//! Each of these values becomes an additional result of the conditionals around it; the other regions of a conditional yield a
//! placeholder that is never read. In conditionals that are nested deeper than [`LEVELS`], all values of one type are put into a
//! storage instead, which the outer conditionals pass on as one result. The size of the program is thus proportional to the
//! number of values, not to that number times their depth.

use super::residuals::behind;
use super::work::Work;
use minoan_ir::{Block, Body, Builder, DYNAMIC, InsertionPoint, Op, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of conditionals that a value passes through as a result of its own.
pub(super) const LEVELS: usize = 8;

/// A value of a conditional after it.
#[derive(Clone, Copy)]
pub(super) enum Lifted {
    Result(Value),
    /// The value at a position of a storage.
    Stored {
        storage: Value,
        position: i64,
    },
}

/// The locations of the values that are lifted out of a conditional.
#[derive(Default)]
struct Plan {
    /// The numbers of conditionals around the blocks of the values, and around those blocks.
    depths: FxHashMap<Block, usize>,
    /// The conditionals with values in them, other than the outermost one.
    inner: FxHashSet<Op>,
    /// The values by the operations that define them.
    values: FxHashMap<Op, Vec<Value>>,
    /// The storage of each value that is in one, by its index, and the position in it.
    stored: FxHashMap<Value, (usize, i64)>,
}

/// The values of a conditional that became results of it, each with its result, and the storages after it.
type Ends = (Vec<(Value, Value)>, Vec<Value>);

impl Work<'_, '_> {
    /// Whether a value in `outermost` would be in a storage after it.
    pub(super) fn is_deep(&self, body: &Body, outermost: Op, value: Value) -> bool {
        let mut block = body.block_of(value);
        for _ in 0..LEVELS {
            let Some(parent) = block.and_then(|block| body.block(block).parent()) else { return false };
            if parent == outermost {
                return false;
            }
            block = body.op(parent).block();
        }
        true
    }

    /// Makes values in a conditional, and in those in it, available after it. These are results of operations, and can be in a
    /// storage.
    pub(super) fn lift_out(&mut self, body: &mut Body, op: Op, values: &[Value]) -> FxHashMap<Value, Lifted> {
        let op = self.solved.current(op);
        let mut plan = Plan::default();
        let mut known: Vec<(Value, usize, i64)> = Vec::new();
        let mut rooms: Vec<(Type, i64)> = Vec::new();
        for &value in values {
            if let Some(&(result, position)) = self.stored.get(&value) {
                known.push((value, result, position));
                continue;
            }
            let Some(def) = body.defining_op(value) else { continue };
            let own = plan.values.entry(def).or_default();
            if own.contains(&value) {
                continue;
            }
            own.push(value);
            let (depth, ty) = (plan.add_path(body, op, value), body.ty(value));
            let is_dynamic = ty.shape(self.engine.ctx).is_some_and(|shape| shape.contains(&DYNAMIC));
            if depth > LEVELS && !is_dynamic {
                let at = rooms.iter().position(|&(other, _)| other == ty).unwrap_or(rooms.len());
                if at == rooms.len() {
                    rooms.push((ty, 0));
                }
                plan.stored.insert(value, (at, rooms[at].1));
                rooms[at].1 += 1;
            }
        }
        let loc = body.op(op).loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let storages: Vec<Value> =
            rooms.into_iter().map(|(ty, room)| self.storage_for(&mut b, ty, room)).collect();
        let (results, ends) = if plan.values.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            self.lift_from(body, op, &plan, &storages)
        };
        let op = self.solved.current(op);
        let results = results.into_iter().map(|(value, result)| (value, Lifted::Result(result)));
        let stored = plan.stored.iter();
        let stored =
            stored.map(|(&value, &(at, position))| (value, Lifted::Stored { storage: ends[at], position }));
        let known = known.into_iter().map(|(value, result, position)| {
            (value, Lifted::Stored { storage: body.op(op).result(result), position })
        });
        results.chain(stored).chain(known).collect()
    }

    /// A storage for a number of values of a type without dynamic extents.
    fn storage_for(&self, b: &mut Builder<'_>, ty: Type, count: i64) -> Value {
        let ctx = self.engine.ctx;
        let mut shape = vec![count];
        if ty.is_tensor(ctx) {
            shape.extend(ty.shape(ctx).unwrap_or(&[]));
        }
        let extents: Vec<Value> = shape.iter().map(|&extent| self.engine.ops.index(b, extent)).collect();
        self.engine.ops.empty(b, Type::tensor(ctx, &shape, ty.element_or_self(ctx)), &extents)
    }

    /// Makes the values in a conditional results of it, or saves them in the storages.
    fn lift_from(&mut self, body: &mut Body, op: Op, plan: &Plan, storages: &[Value]) -> Ends {
        let view = body.op(op);
        let blocks: Vec<Block> =
            (0..view.n_regions()).filter_map(|region| Self::entry(view, region)).collect();
        let mut parts: Vec<Ends> = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            let (mut own, mut ends) = (Vec::new(), storages.to_vec());
            for inner in body.block(block).ops().collect::<Vec<Op>>() {
                if plan.inner.contains(&inner) {
                    let (values, next) = minoan_ir::with_stack(|| self.lift_from(body, inner, plan, &ends));
                    own.extend(values);
                    ends = next;
                }
                for &value in plan.values.get(&inner).into_iter().flatten() {
                    let now = self.solved.value(value);
                    let Some(&(at, position)) = plan.stored.get(&value) else {
                        own.push((value, now));
                        continue;
                    };
                    let (point, loc) = (behind(body, now), body.value_loc(now));
                    let mut b = Builder::new(body, point).with_loc(loc);
                    let position = self.engine.ops.index(&mut b, position);
                    ends[at] = self.engine.ops.save(&mut b, ends[at], position, now, Some(&[]));
                }
            }
            parts.push((own, ends));
        }
        self.yield_parts(body, op, &blocks, parts, storages)
    }

    /// Makes the values of the regions of a conditional, and the storages that changed in them, results of the conditional.
    fn yield_parts(
        &mut self,
        body: &mut Body,
        op: Op,
        blocks: &[Block],
        parts: Vec<Ends>,
        storages: &[Value],
    ) -> Ends {
        let results = body.op(op).n_results();
        let changed: Vec<usize> = (0..storages.len())
            .filter(|&at| parts.iter().any(|(_, ends)| ends[at] != storages[at]))
            .collect();
        // The result of each value, by number.
        let mut numbers: Vec<(Value, usize)> = Vec::new();
        let mut added: Vec<(usize, Value)> = Vec::new();
        for (region, (own, _)) in parts.iter().enumerate() {
            let last = body.block(blocks[region]).last().expect("a region ends with a terminator");
            for &(value, now) in own {
                let known = body.op(last).operands().position(|yielded| yielded == now);
                numbers.push((value, known.unwrap_or(results + added.len())));
                if known.is_none() {
                    added.push((region, now));
                }
            }
        }
        let mut more = Vec::with_capacity(blocks.len());
        for (region, &block) in blocks.iter().enumerate() {
            let last = body.block(block).last().expect("a region ends with a terminator");
            let mut b = Builder::new(body, InsertionPoint::Before(last));
            let mut yielded = Vec::with_capacity(added.len() + changed.len());
            let mut zeros: FxHashMap<Type, Value> = FxHashMap::default();
            for &(of, value) in &added {
                let ty = b.ty(value);
                yielded.push(match zeros.get(&ty) {
                    _ if of == region => value,
                    Some(&zero) => zero,
                    None => self.unread(&mut b, op, value),
                });
                if of != region && !ty.is_tensor(self.engine.ctx) {
                    zeros.extend(yielded.last().map(|&zero| (ty, zero)));
                }
            }
            yielded.extend(changed.iter().map(|&at| parts[region].1[at]));
            more.push(yielded);
        }
        if more.iter().any(|more| !more.is_empty()) {
            self.yield_more(body, op, blocks, &more);
        }
        let op = self.solved.current(op);
        let found = numbers.into_iter().map(|(value, number)| (value, body.op(op).result(number))).collect();
        let mut ends = storages.to_vec();
        for (number, &at) in changed.iter().enumerate() {
            ends[at] = body.op(op).result(results + added.len() + number);
        }
        (found, ends)
    }

    /// Makes values of one region of a conditional results of the conditional. The other regions yield zeros, or a tensor of
    /// unspecified elements for a slice.
    pub(super) fn forward_out(
        &mut self,
        body: &mut Body,
        conditional: Op,
        values: &[Value],
    ) -> Option<Vec<Value>> {
        let conditional = self.solved.current(conditional);
        let view = body.op(conditional);
        let results = view.n_results();
        let blocks: Vec<Block> =
            (0..view.n_regions()).filter_map(|region| Self::entry(view, region)).collect();
        let own = body.block_of(values[0]);
        let mut more = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            let last = body.block(block).last()?;
            let mut b = Builder::new(body, InsertionPoint::Before(last));
            let other = |b: &mut Builder<'_>, value| match own == Some(block) {
                true => Some(value),
                false => self.unused_like(b, conditional, value),
            };
            more.push(values.iter().map(|&value| other(&mut b, value)).collect::<Option<Vec<Value>>>()?);
        }
        let new = self.yield_more(body, conditional, &blocks, &more);
        Some(body.op(new).results().skip(results).collect())
    }

    /// Creates a conditional anew whose regions yield more values, which are given for each of them. Returns it.
    pub(super) fn yield_more(
        &mut self,
        body: &mut Body,
        op: Op,
        blocks: &[Block],
        more: &[Vec<Value>],
    ) -> Op {
        let view = body.op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let types = more.first().into_iter().flatten().map(|&value| body.ty(value));
        let types: Vec<Type> = view.result_types().chain(types).collect();
        for (&block, more) in blocks.iter().zip(more) {
            let last = body.block(block).last().expect("a region ends with a terminator");
            let yielded: Vec<Value> = body.op(last).operands().chain(more.iter().copied()).collect();
            body.set_operands(last, &yielded);
        }
        let new = body.recreate(op, &operands, &types);
        let all: Vec<Value> = body.op(new).results().collect();
        for (&old, &new) in results.iter().zip(&all) {
            for values in [&mut self.active, &mut self.returned] {
                if values.contains(&old) {
                    values.insert(new);
                }
            }
            if let Some(&place) = self.stored.get(&old) {
                self.stored.insert(new, place);
            }
        }
        self.solved.rename(op, new, results.iter().copied().zip(all.iter().copied()));
        body.replace(op, &all[..results.len()]);
        new
    }

    /// A value that nothing reads, instead of a number or tensor in another region of `op`. It has the extents of the tensor if
    /// these are known before `op`.
    fn unread(&self, b: &mut Builder<'_>, op: Op, value: Value) -> Value {
        let ops = self.engine.ops;
        let ty = b.ty(value);
        if let Some(unused) = self.unused_like(b, op, value) {
            return unused;
        }
        let rank = ty.shape(self.engine.ctx).map_or(0, <[i64]>::len);
        let extents = vec![ops.index(b, 0); rank];
        ops.empty(b, ty, &extents)
    }

    /// The same for a number, or a slice whose extents are known before `op`.
    pub(super) fn unused_like(&self, b: &mut Builder<'_>, op: Op, value: Value) -> Option<Value> {
        let ty = b.ty(value);
        if !ty.is_tensor(self.engine.ctx) {
            return self.engine.ops.filled_like(b, value, 0);
        }
        let mut def = b.body().op(b.body().defining_op(value)?);
        let mut at = def.results().position(|result| result == value)?;
        // A conditional yields slices of the same extents.
        while self.is_conditional(def) {
            let last = b.body().block(Self::entry(def, 0)?).last()?;
            let yielded = b.body().op(last).operands().nth(at)?;
            def = b.body().op(b.body().defining_op(yielded)?);
            at = def.results().position(|result| result == yielded)?;
        }
        let sizes = self.engine.ops.sizes(def)?;
        // The tensor may come from a conditional before `op`, with extents that are defined in its regions.
        let is_visible = |&size: &Value| {
            let defined = b.body().block_of(size);
            b.body().op(op).ancestors().any(|around| around.block() == defined)
        };
        if !sizes.iter().all(is_visible) {
            return None;
        }
        let mut sizes = sizes.into_iter();
        let mut extents = Vec::new();
        for &extent in ty.shape(self.engine.ctx)? {
            extents.push(if extent == DYNAMIC { sizes.next()? } else { self.engine.ops.index(b, extent) });
        }
        Some(self.engine.ops.empty(b, ty, &extents))
    }
}

impl Plan {
    /// Adds the conditionals between a value and `outermost`; returns their number, including `outermost`.
    fn add_path(&mut self, body: &Body, outermost: Op, value: Value) -> usize {
        let mut path = Vec::new();
        let mut block = body.block_of(value).expect("it is a result of an operation");
        let mut depth = loop {
            if let Some(&depth) = self.depths.get(&block) {
                break depth;
            }
            path.push(block);
            let parent = body.block(block).parent().expect("it is in the outermost conditional");
            if parent == outermost {
                break 0;
            }
            self.inner.insert(parent);
            block = body.op(parent).block().expect("it is in the outermost conditional");
        };
        for block in path.into_iter().rev() {
            depth += 1;
            self.depths.insert(block, depth);
        }
        depth
    }
}
