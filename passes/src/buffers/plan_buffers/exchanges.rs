//! Tensors whose contents are exchanged with buffers of the program ([`Exchange`]).
//!
//! * The buffer of a tensor, and views of it, are *tracked*: their uses are uses of the tensor.
//! * A tensor that is written to a buffer is computed there, instead of in an allocation that is copied, if its storage is created
//!   for it or was read from that buffer, and no operation from the first one that writes to the storage up to the exchange may
//!   observe the difference ([`Destinations`]).

use super::views::{Views, writes_any_layout};
use minoan_diag::Diagnostic;
use minoan_ir::{Body, Context, DYNAMIC, Op, OpRef, ServiceTable, Traits, Value};
use minoan_services::{
    Alias, AliasModel, BufferExchange, BufferOps, EffectSet, EffectsTable, Exchange, ExtentOf, OperandUse,
    Ownership, TensorOps,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Upper bound on the updates of a tensor that is computed in place.
const MAX_UPDATES: usize = 64;

/// Upper bound on the live tensors that an exchange is compared with.
const MAX_EXCHANGES: usize = 256;

/// The exchange by an operation.
pub(super) fn exchange(ctx: &Context, op: OpRef<'_>) -> Option<Exchange> {
    ctx.service::<dyn BufferExchange>(op.kind())?.exchange(op)
}

/// The buffers of tensors, and views of them, among the results of `ops`, in text order.
pub(super) fn tracked(body: &Body, ctx: &Context, ops: &[Op]) -> FxHashSet<Value> {
    let mut tracked = FxHashSet::default();
    let Some(exchanges) = ctx.service_table::<dyn BufferExchange>() else { return tracked };
    let aliases = ctx.service_table::<dyn AliasModel>();
    for &op in ops {
        let view = body.op(op);
        let exchange = exchanges.get(view.kind()).and_then(|service| service.exchange(view));
        if let Some(Exchange::Buffer { .. }) = exchange {
            tracked.insert(view.result(0));
            continue;
        }
        if tracked.is_empty() || exchange.is_some() {
            continue;
        }
        for (index, result) in view.results().enumerate() {
            let alias = aliases.and_then(|table| Some(table.get(view.kind())?.alias(view, index)));
            if let Some(Alias::ViewOf(operand)) = alias
                && tracked.contains(&view.operand(operand))
            {
                tracked.insert(result);
            }
        }
    }
    tracked
}

/// Reports uses of tracked buffers that a lifetime does not describe: those that forward them to other blocks, or to results of an
/// unknown operation.
pub(super) fn forwarded(body: &Body, ctx: &Context, tracked: &FxHashSet<Value>) -> Vec<Diagnostic> {
    let mut values: Vec<Value> = tracked.iter().copied().collect();
    values.sort_unstable();
    let ownership = ctx.service_table::<dyn Ownership>();
    let mut errors = Vec::new();
    for used in values.into_iter().flat_map(|value| body.uses(value).collect::<Vec<_>>()) {
        let view = body.op(used.op);
        let service = ownership.and_then(|table| table.get(view.kind()));
        let consumes = service.is_some_and(|service| service.operand(view, used.index) != OperandUse::Borrow);
        let is_return = view.parent().is_none() && view.has_trait(Traits::RETURN_LIKE);
        let gives_others =
            view.results().any(|result| body.ty(result).is_memref(ctx) && !tracked.contains(&result));
        let is_exchange = exchange(ctx, view).is_some();
        if consumes && !is_return || gives_others && !is_exchange {
            let message = format!(
                "'{}' op forwards the buffer of a tensor, whose lifetime ends in its block",
                view.name()
            );
            errors.push(Diagnostic::error(message).at(view.loc().place(ctx)));
        }
    }
    errors
}

/// The tensors that are computed in buffers of the program.
#[derive(Default)]
pub(super) struct Destinations {
    /// For an operation that creates the storage of a tensor, the buffer that takes its place.
    pub(super) buffers: FxHashMap<Op, Value>,
    /// The operand that an operation updates in a buffer of the program, which no block owns.
    pub(super) updates: FxHashMap<Op, usize>,
}

/// A tensor that is written to a buffer.
struct Written {
    op: Op,
    tensor: Value,
    buffer: Value,
    is_exclusive: bool,
    is_dense: bool,
}

/// The operations that compute a written tensor: the one that creates its storage, then its updates, each with the operand.
struct Chain {
    root: Op,
    updates: Vec<(Op, usize)>,
}

/// A tensor that is a view of a buffer, from the number of its operation to the end of its uses.
struct Reading {
    op: Op,
    buffer: Value,
    is_exclusive: bool,
    start: u32,
    end: u32,
}

/// Views of buffers by their lifetimes.
struct Readings {
    /// By their start.
    all: Vec<Reading>,
    /// The greatest end of each node of a complete binary tree, whose leaves are `all`; the children of node `i` are `2 i` and
    /// `2 i + 1`.
    ends: Vec<u32>,
}

impl Readings {
    fn new(all: Vec<Reading>) -> Self {
        let leaves = all.len().next_power_of_two();
        let mut ends = vec![0; 2 * leaves];
        for (leaf, reading) in ends[leaves..].iter_mut().zip(&all) {
            *leaf = reading.end;
        }
        for node in (1..leaves).rev() {
            ends[node] = ends[2 * node].max(ends[2 * node + 1]);
        }
        Self { all, ends }
    }

    /// The views that start before `last` and end after `first`; `None` if there are more than [`MAX_EXCHANGES`].
    fn alive(&self, first: u32, last: u32) -> Option<Vec<&Reading>> {
        let (leaves, count) = (self.ends.len() / 2, self.all.partition_point(|reading| reading.start < last));
        let mut alive = Vec::new();
        // Nodes with the index of their first leaf and their number of leaves.
        let mut pending = vec![(1, 0, leaves)];
        while let Some((node, start, size)) = pending.pop() {
            if start >= count || self.ends[node] <= first {
                continue;
            }
            if size > 1 {
                let half = size / 2;
                pending.extend([(2 * node, start, half), (2 * node + 1, start + half, half)]);
            } else if alive.len() == MAX_EXCHANGES {
                return None;
            } else {
                alive.push(&self.all[start]);
            }
        }
        Some(alive)
    }
}

/// Finds destinations, for the operations of a body in text order.
pub(super) struct Finder<'a, 'c> {
    pub(super) body: &'a Body,
    pub(super) ctx: &'c Context,
    pub(super) buffers: &'a dyn BufferOps,
    pub(super) ops: &'a [Op],
    /// The number of an operation in the order of the text, and one more than the largest inside of it.
    pub(super) spans: &'a [(u32, u32)],
    pub(super) views: &'a Views,
}

impl<'c> Finder<'_, 'c> {
    pub(super) fn find(&self, alias: impl Fn(OpRef<'_>, usize) -> Alias) -> Destinations {
        let mut found = Destinations::default();
        let Some(exchanges): Option<&ServiceTable<dyn BufferExchange>> = self.ctx.service_table() else {
            return found;
        };
        let (mut reads, mut written) = (Vec::new(), Vec::new());
        for &op in self.ops {
            let view = self.body.op(op);
            match exchanges.get(view.kind()).and_then(|service| service.exchange(view)) {
                Some(Exchange::Read { buffer, is_exclusive, .. }) => {
                    let start = self.spans[op.index()].0;
                    if let Some(end) = self.views.end(op) {
                        reads.push(Reading { op, buffer: view.operand(buffer), is_exclusive, start, end });
                    }
                }
                Some(Exchange::Write { tensor, buffer, is_exclusive, is_dense }) => {
                    let (tensor, buffer) = (view.operand(tensor), view.operand(buffer));
                    written.push(Written { op, tensor, buffer, is_exclusive, is_dense });
                }
                Some(Exchange::Buffer { .. }) | None => {}
            }
        }
        let reads = Readings::new(reads);
        for written in written {
            let Some(chain) = self.chain(&written, &alias) else { continue };
            if self.is_unobserved(&written, &chain, &reads) {
                found.updates.extend(chain.updates);
                found.buffers.insert(chain.root, written.buffer);
            }
        }
        found
    }

    /// The operations that compute a tensor that nothing else uses, in the block of the exchange.
    fn chain(&self, written: &Written, alias: &impl Fn(OpRef<'_>, usize) -> Alias) -> Option<Chain> {
        let Finder { body, ctx, .. } = *self;
        let tensors = <dyn TensorOps>::any(ctx);
        let block = body.op(written.op).block();
        let mut value = written.tensor;
        let mut updates = Vec::new();
        while updates.len() < MAX_UPDATES {
            body.only_use(value)?;
            let op = body.defining_op(value)?;
            let view = body.op(op);
            if view.block() != block {
                return None;
            }
            let is_new = tensors.is_some_and(|tensors| tensors.is_empty(view));
            let is_read = matches!(exchange(ctx, view),
                Some(Exchange::Read { buffer, .. }) if view.operand(buffer) == written.buffer);
            if is_new || is_read {
                updates.reverse();
                let fits = is_read || self.has_extents_of(view, written.buffer);
                return (fits && !updates.is_empty()).then_some(Chain { root: op, updates });
            }
            let result = view.results().position(|result| result == value)?;
            let Alias::UpdateOf(operand) = alias(view, result) else { return None };
            if !written.is_dense && !writes_any_layout(ctx, view, operand) {
                return None;
            }
            // One update in place for each operation.
            if updates.iter().any(|&(other, _)| other == op) {
                return None;
            }
            updates.push((op, operand));
            value = view.operand(operand);
        }
        None
    }

    /// Whether a new tensor has the extents of a buffer that is defined before it.
    fn has_extents_of(&self, empty: OpRef<'_>, buffer: Value) -> bool {
        let Finder { body, ctx, .. } = *self;
        let tensor = body.ty(empty.result(0));
        let (Some(shape), Some(wanted)) = (tensor.shape(ctx), body.ty(buffer).shape(ctx)) else {
            return false;
        };
        let is_before = body
            .defining_op(buffer)
            .is_none_or(|def| self.spans[def.index()].0 < self.spans[empty.id().index()].0);
        let extents = ctx.service::<dyn ExtentOf>(empty.kind());
        let is_extent = |dim: usize| {
            let size = extents.and_then(|extents| extents.extent(empty, 0, dim));
            let Some(minoan_services::Extent::Value(size)) = size else { return false };
            let read = body.defining_op(size).and_then(|def| self.buffers.extent_of(body.op(def)));
            read == Some((buffer, dim))
        };
        is_before && shape == wanted && (0..shape.len()).all(|dim| shape[dim] != DYNAMIC || is_extent(dim))
    }

    /// Whether nothing accesses the memory of the buffer from the first update up to the exchange.
    fn is_unobserved(&self, written: &Written, chain: &Chain, reads: &Readings) -> bool {
        let Finder { body, ctx, .. } = *self;
        let Some(&(first, _)) = chain.updates.first() else { return false };
        let [first, last] = [first, written.op].map(|op| self.spans[op.index()].0);
        let effects = EffectsTable::new(ctx);
        let root = self.spans[chain.root.index()].0;
        let changes = EffectSet::WRITE.and(EffectSet::FREE);
        let accesses = changes.and(EffectSet::READ);
        let is_read = exchange(ctx, body.op(chain.root)).is_some();
        // A tensor that was read has the contents of the buffer until the first update.
        let is_kept = !is_read
            || !self.ops[root as usize + 1..first as usize]
                .iter()
                .any(|&op| effects.own(body.op(op)).intersects(changes));
        let is_quiet = !self.ops[first as usize..last as usize]
            .iter()
            .any(|&op| effects.own(body.op(op)).intersects(accesses));
        let base = self.base(written.buffer);
        let is_apart = |reading: &&Reading| {
            // Exclusive exchanges with different parts of a buffer access different elements.
            let is_other = self.base(reading.buffer) != base
                || self.is_part(reading.buffer) && self.is_part(written.buffer);
            let differs = reading.buffer != written.buffer && is_other;
            reading.op == chain.root || reading.is_exclusive && written.is_exclusive && differs
        };
        is_kept && is_quiet && reads.alive(first, last).is_some_and(|alive| alive.iter().all(is_apart))
    }

    /// Whether a buffer is a part of another one.
    fn is_part(&self, buffer: Value) -> bool {
        self.body.defining_op(buffer).is_some_and(|def| self.buffers.part(self.body.op(def)).is_some())
    }

    /// The buffer that a value is a view of.
    fn base(&self, mut value: Value) -> Value {
        while let Some(def) = self.body.defining_op(value).map(|def| self.body.op(def)) {
            let aliases = self.ctx.service::<dyn AliasModel>(def.kind());
            let Some(Alias::ViewOf(base)) =
                aliases.filter(|_| def.n_results() == 1).map(|one| one.alias(def, 0))
            else {
                break;
            };
            value = def.operand(base);
        }
        value
    }
}
