//! Uses of objects on the heap: which operations borrow them, and which take ownership.
//!
//! `infer-borrow` records deviations from the defaults in two attributes: a function and its calls [take](TAKES) arguments
//! instead of borrowing them, and the results and region arguments of an operation [borrow](BORROWS) forwarded values instead
//! of owning them.

use minoan_ir::{Attr, Body, Context, Name, Op, OpRef, Region, Traits, Value};
use minoan_services::{CountOps, OperandUse, Ownership, RegionFlow, RegionSuccessor};
use rustc_hash::{FxHashMap, FxHashSet};

/// The attribute of a function or call: the indices of the arguments that the function owns.
pub(crate) const TAKES: &str = "takes";

/// The attribute of an operation with regions: the indices of those of its results and region arguments, in this order, that are
/// borrowed.
pub(crate) const BORROWS: &str = "borrows";

/// The indices in an attribute.
pub(crate) fn indices(ctx: &Context, attr: Option<Attr>) -> Vec<usize> {
    let indices = attr.and_then(|attr| attr.as_dense_i64(ctx)).unwrap_or_default();
    indices.into_iter().filter_map(|index| usize::try_from(index).ok()).collect()
}

/// The results of an operation and the entry arguments of its regions.
pub(crate) fn inputs(op: OpRef<'_>) -> Vec<Value> {
    let body = op.body();
    let entries = op.own_regions().filter_map(|region: Region| body.region(region).entry());
    op.results().chain(entries.flat_map(|entry| body.block(entry).args())).collect()
}

/// The operands that a successor forwards, with the region arguments or results that receive them.
pub(crate) fn forwarded(op: OpRef<'_>, successor: &RegionSuccessor) -> Vec<(usize, Value)> {
    let targets = successor.inputs(op);
    let given = successor.operands.clone().zip(targets.into_iter().skip(successor.first_input));
    given.collect()
}

/// The uses of a value by an operation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Uses {
    /// The number of operands that take ownership.
    pub taken: usize,
    /// The number of operands that borrow.
    pub borrowed: usize,
    /// Whether a nested operation uses the value.
    pub captured: bool,
}

/// The objects of a body.
pub(crate) struct Objects<'a> {
    ctx: &'a Context,
    pub counts: &'a dyn CountOps,
    /// The objects that the regions of an operation capture.
    captured: FxHashMap<Op, Vec<Value>>,
    /// The results and region arguments that borrow the values forwarded to them.
    borrowed: FxHashSet<Value>,
    takes: Name,
}

impl<'a> Objects<'a> {
    /// The objects of a body with these operations, outer ones first.
    pub(crate) fn new(body: &Body, ops: &[Op], ctx: &'a Context, counts: &'a dyn CountOps) -> Self {
        let (captured, borrowed) = (FxHashMap::default(), FxHashSet::default());
        let mut objects = Self { ctx, counts, captured, borrowed, takes: ctx.name(TAKES) };
        for &op in ops.iter().rev() {
            objects.add_captures(body, op);
        }
        let borrows = ctx.name(BORROWS);
        for op in ops.iter().map(|&op| body.op(op)).filter(|op| op.n_regions() > 0) {
            let borrowed = indices(ctx, op.attr(borrows));
            if !borrowed.is_empty() {
                let inputs = inputs(op);
                objects.borrowed.extend(borrowed.into_iter().filter_map(|index| inputs.get(index)));
            }
        }
        objects
    }

    /// Whether a result or region argument borrows the values forwarded to it.
    pub(crate) fn borrows(&self, value: Value) -> bool {
        self.borrowed.contains(&value)
    }

    /// For each operand, whether a region argument or result becomes an owner of it; `None` if it is not forwarded.
    fn gives_away(&self, body: &Body, op: Op) -> Vec<Option<bool>> {
        let view = body.op(op);
        let ends = view.has_trait(Traits::TERMINATOR);
        let mut gives = vec![ends.then_some(true); view.n_operands()];
        let nothing = vec![None; view.n_operands()];
        if let Some(flow) = self.flow(body, op) {
            for successor in flow.entry_successors(view, &nothing) {
                gives[successor.operands.clone()].fill(Some(true));
                self.lends(view, &successor, &mut gives);
            }
        } else if let Some(parent) = view.parent().filter(|_| ends && !self.borrowed.is_empty())
            && let Some(flow) = self.flow(body, parent)
        {
            let region = view.block().and_then(|block| body.block(block).region());
            let parent = body.op(parent);
            let number = parent.own_regions().position(|own| Some(own) == region).unwrap_or_default();
            for successor in flow.terminator_successors(parent, number, view, &nothing) {
                self.lends(parent, &successor, &mut gives);
            }
        }
        gives
    }

    fn lends(&self, op: OpRef<'_>, successor: &RegionSuccessor, gives: &mut [Option<bool>]) {
        for (operand, input) in forwarded(op, successor) {
            if self.borrows(input) {
                gives[operand] = Some(false);
            }
        }
    }

    pub(crate) fn is_counted(&self, body: &Body, value: Value) -> bool {
        self.counts.is_counted(self.ctx, body.ty(value))
    }

    /// Collects the captures of an operation, after those of its nested operations.
    fn add_captures(&mut self, body: &Body, op: Op) {
        let mut captured = Vec::new();
        let mut seen = FxHashSet::default();
        for region in body.op(op).own_regions() {
            for block in body.region(region).blocks() {
                let own: Vec<Op> = body.block(block).ops().collect();
                let mut defined: FxHashSet<Value> = body.block(block).args().collect();
                defined.extend(own.iter().flat_map(|&op| body.op(op).results()));
                for &op in &own {
                    let used = body.op(op).operands().chain(self.captured(op).iter().copied());
                    captured.extend(used.filter(|&value| {
                        !defined.contains(&value) && self.is_counted(body, value) && seen.insert(value)
                    }));
                }
            }
        }
        if !captured.is_empty() {
            self.captured.insert(op, captured);
        }
    }

    /// The objects that the regions of an operation capture.
    pub(crate) fn captured(&self, op: Op) -> &[Value] {
        self.captured.get(&op).map_or(&[], |captured| captured)
    }

    /// The objects that an operation uses, in order, with their uses.
    pub(crate) fn uses(&self, body: &Body, op: Op) -> Vec<(Value, Uses)> {
        let view = body.op(op);
        let ownership = self.ctx.service::<dyn Ownership>(view.kind());
        let mut taken = self.gives_away(body, op);
        if view.n_regions() == 0 {
            for index in indices(self.ctx, view.attr(self.takes)) {
                taken.get_mut(index).into_iter().for_each(|taken| *taken = Some(true));
            }
        }
        let mut uses: Vec<(Value, Uses)> = Vec::new();
        let mut numbers: FxHashMap<Value, usize> = FxHashMap::default();
        let mut number = |uses: &mut Vec<(Value, Uses)>, value| {
            *numbers.entry(value).or_insert_with(|| {
                uses.push((value, Uses::default()));
                uses.len() - 1
            })
        };
        for (index, value) in view.operands().enumerate() {
            if self.is_counted(body, value) {
                // An operand that is only consumed together with others is borrowed if those are not.
                let takes = |service: &dyn Ownership| service.operand(view, index) == OperandUse::Consume;
                let at = number(&mut uses, value);
                match taken[index].unwrap_or_else(|| ownership.is_some_and(takes)) {
                    true => uses[at].1.taken += 1,
                    false => uses[at].1.borrowed += 1,
                }
            }
        }
        for &value in self.captured(op) {
            let at = number(&mut uses, value);
            uses[at].1.captured = true;
        }
        uses
    }

    /// The control flow between the regions of an operation that has some.
    pub(crate) fn flow(&self, body: &Body, op: Op) -> Option<&'a dyn RegionFlow> {
        let view = body.op(op);
        if view.n_regions() == 0 { None } else { self.ctx.service::<dyn RegionFlow>(view.kind()) }
    }
}
