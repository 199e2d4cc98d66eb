//! Decides which results that may be views of an operand are views. Only some operations read their layout
//! ([`Alias::MayViewOf`]).

use super::exchanges::exchange;
use super::lent_results::LentResults;
use minoan_ir::{Body, Context, Op, OpRef, ServiceTable, Use, Value};
use minoan_services::{
    Alias, AliasModel, BufferExchange, EffectSet, EffectsTable, ElementAccess, Exchange, ExtentOf,
    IterationDomain, KernelOps, OperandUse, Ownership,
};
use rustc_hash::FxHashMap;

/// Upper bound on the uses of a tensor that are examined, which keeps the time linear.
const MAX_USES: usize = 32;

struct Tables<'c> {
    ctx: &'c Context,
    lent: &'c LentResults<'c>,
    aliases: &'c ServiceTable<dyn AliasModel>,
    ownership: Option<&'c ServiceTable<dyn Ownership>>,
    accesses: Option<&'c ServiceTable<dyn ElementAccess>>,
    extents: Option<&'c ServiceTable<dyn ExtentOf>>,
    domains: Option<&'c ServiceTable<dyn IterationDomain>>,
    kernels: Option<&'c dyn KernelOps>,
}

/// The possible views that are views.
#[derive(Default)]
pub(super) struct Views {
    /// For each, one more than the largest number of an operation that its contents are used by: the last of its block with a use
    /// in it.
    ends: FxHashMap<Op, u32>,
}

impl Views {
    pub(super) fn contains(&self, op: Op) -> bool {
        self.ends.contains_key(&op)
    }

    /// The end of the lifetime of a view.
    pub(super) fn end(&self, op: Op) -> Option<u32> {
        self.ends.get(&op).copied()
    }
}

/// The operations among `ops` whose result is a view: everything that uses it reads it in any layout, before anything updates the
/// viewed tensor. `span` is the number of an operation in the order of the text, and one more than the largest inside of it.
///
/// A tensor that is read from a buffer of the program is a view as long as no operation writes to memory.
pub(super) fn find(
    body: &Body,
    ctx: &Context,
    lent: &LentResults<'_>,
    ops: &[Op],
    span: impl Fn(Op) -> (u32, u32),
) -> Views {
    let mut views = Views::default();
    let Some(aliases) = ctx.service_table::<dyn AliasModel>() else { return views };
    let tables = Tables {
        ctx,
        lent,
        aliases,
        ownership: ctx.service_table(),
        accesses: ctx.service_table(),
        extents: ctx.service_table(),
        domains: ctx.service_table(),
        kernels: <dyn KernelOps>::any(ctx),
    };
    // The numbers of the operations that write to memory, in order.
    let writes = writes(body, ctx, ops);
    // For each view, the end of its last use, including uses of views of it.
    let mut ends: FxHashMap<Op, u32> = FxHashMap::default();
    for &op in ops.iter().rev() {
        let view = body.op(op);
        let Some(service) = aliases.get(view.kind()).filter(|_| view.n_results() == 1) else { continue };
        let Alias::MayViewOf(base) = service.alias(view, 0) else { continue };
        let (result, base) = (view.result(0), view.operand(base));
        let few = |value| body.uses(value).nth(MAX_USES).is_none();
        let lifetime = || {
            // In its own block, so that all iterations of a loop with a use are covered.
            let end = |place: Use| {
                let around = body.op(place.op).ancestors().find(|at| at.block() == view.block());
                span(around.map_or(place.op, |at| at.id())).1.max(views.end(place.op).unwrap_or(0))
            };
            body.uses(result).map(end).max().unwrap_or(0)
        };
        if let Some(Exchange::Read { is_dense, .. }) = exchange(ctx, view) {
            let read = |place: Use| {
                let user = body.op(place.op);
                !tables.changes(user, place.index) && (is_dense || tables.reads_any_layout(user, place.index))
            };
            if few(result) && body.uses(result).all(read) {
                let end = lifetime();
                let last = body.uses(result).map(|place| place.op).max_by_key(|&op| span(op).0);
                let (own, end_of_reads) =
                    (span(op).0, last.map_or(end, |last| end.min(read_until(body, ctx, view, last, &span))));
                if !writes.iter().any(|&at| own < at && at < end_of_reads) {
                    views.ends.insert(op, end);
                    ends.insert(op, end);
                }
            }
            continue;
        }
        let read = || body.uses(result).all(|place| tables.reads_any_layout(body.op(place.op), place.index));
        if tables.is_view(body, base) || !few(base) || !few(result) || !read() {
            continue;
        }
        let end = |place: Use| span(place.op).1.max(ends.get(&place.op).copied().unwrap_or(0));
        let last = body.uses(result).map(end).max().unwrap_or(0);
        let own = span(op).0;
        let keeps = |place: Use| {
            let (first, end) = span(place.op);
            end <= own || first >= last || !tables.changes(body.op(place.op), place.index)
        };
        if body.uses(base).all(keeps) {
            let end = lifetime();
            views.ends.insert(op, end);
            ends.insert(op, last);
        }
    }
    views
}

/// The numbers of the operations among `ops`, in text order, that write to memory or free it.
fn writes(body: &Body, ctx: &Context, ops: &[Op]) -> Vec<u32> {
    if ctx.service_table::<dyn BufferExchange>().is_none() {
        return Vec::new();
    }
    let effects = EffectsTable::new(ctx);
    let changes = EffectSet::WRITE.and(EffectSet::FREE);
    let numbered = ops.iter().zip(0..);
    numbered
        .filter(|&(&op, _)| effects.own(body.op(op)).intersects(changes))
        .map(|(_, number)| number)
        .collect()
}

/// The number before which a tensor that was read from a buffer must not change: it may be written to another buffer last, if the
/// two exchanges are exclusive.
fn read_until(
    body: &Body,
    ctx: &Context,
    read: OpRef<'_>,
    last: Op,
    span: &impl Fn(Op) -> (u32, u32),
) -> u32 {
    let is_exclusive = |op: OpRef<'_>| {
        matches!(
            exchange(ctx, op),
            Some(Exchange::Read { is_exclusive: true, .. } | Exchange::Write { is_exclusive: true, .. })
        )
    };
    let other = body.op(last);
    match is_exclusive(read) && is_exclusive(other) && other.block() == read.block() {
        true => span(last).0,
        false => u32::MAX,
    }
}

impl Tables<'_> {
    fn alias(&self, op: OpRef<'_>, result: usize) -> Alias {
        if let Some(operand) = self.lent.of_call(op, result) {
            return Alias::ViewOf(operand);
        }
        self.aliases.get(op.kind()).map_or(Alias::Fresh, |service| service.alias(op, result))
    }

    /// Whether a value is always a view.
    fn is_view(&self, body: &Body, value: Value) -> bool {
        let Some(def) = body.defining_op(value).map(|def| body.op(def)) else { return false };
        (0..def.n_results())
            .any(|at| def.result(at) == value && matches!(self.alias(def, at), Alias::ViewOf(_)))
    }

    /// Whether an operation only reads the elements or the extents of an operand, in any layout.
    fn reads_any_layout(&self, op: OpRef<'_>, operand: usize) -> bool {
        if let Some(kernel) = self.kernels.and_then(|kernels| kernels.kernel(op)) {
            return operand < kernel.inputs;
        }
        let kind = op.kind();
        let access = self.accesses.and_then(|table| table.get(kind)?.access(op));
        let extent = self.extents.and_then(|table| table.get(kind)?.dimension(op));
        if let Some(access) = access {
            return access.stored.is_none() && access.container == operand;
        }
        if op.n_results() == 1 && self.alias(op, 0) == Alias::MayViewOf(operand) {
            return true;
        }
        if self.aliases.get(kind).is_some_and(|service| service.reads_any_layout(op, operand)) {
            return true;
        }
        // Code generation decides how an operation without a region, such as a named one, reads buffers.
        let is_structured = op.own_regions().len() == 1
            && op.n_results() > 0
            && self
                .domains
                .is_some_and(|table| table.get(kind).is_some_and(|service| service.domain(op).is_some()))
            && (0..op.n_results()).all(|result| matches!(self.alias(op, result), Alias::UpdateOf(_)));
        extent.is_some() || is_structured && !self.changes(op, operand)
    }

    /// Whether an operation may update or own an operand, or make a view of it that others may.
    fn changes(&self, op: OpRef<'_>, operand: usize) -> bool {
        let updates = |result: usize| {
            matches!(self.alias(op, result), Alias::UpdateOf(at) | Alias::ViewOf(at) if at == operand)
                && op
                    .result_types()
                    .nth(result)
                    .is_some_and(|ty| ty.is_tensor(self.ctx) || ty.is_memref(self.ctx))
        };
        let ownership = self.ownership.and_then(|table| table.get(op.kind()));
        (0..op.n_results()).any(updates)
            || ownership.is_some_and(|service| service.operand(op, operand) != OperandUse::Borrow)
    }
}

/// Whether an operation updates an operand point by point, in any layout of its buffer.
pub(crate) fn writes_any_layout(ctx: &Context, op: OpRef<'_>, operand: usize) -> bool {
    let kernel = <dyn KernelOps>::any(ctx).and_then(|kernels| kernels.kernel(op));
    let has_domain = ctx.service::<dyn IterationDomain>(op.kind()).is_some();
    kernel.map_or_else(|| has_domain && op.own_regions().len() == 1, |kernel| operand >= kernel.inputs)
}
