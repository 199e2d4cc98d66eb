//! Uses of objects on the heap: which operations borrow them, and which take ownership.

use minoan_ir::{Body, Context, Op, Traits, Value};
use minoan_services::{CountOps, OperandUse, Ownership, RegionFlow};
use rustc_hash::{FxHashMap, FxHashSet};

/// The uses of a value by an operation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Uses {
    /// How many operands take ownership.
    pub taken: usize,
    /// How many operands borrow.
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
}

impl<'a> Objects<'a> {
    /// The objects of a body with these operations, outer ones first.
    pub(crate) fn new(body: &Body, ops: &[Op], ctx: &'a Context, counts: &'a dyn CountOps) -> Self {
        let mut objects = Self { ctx, counts, captured: FxHashMap::default() };
        for &op in ops.iter().rev() {
            objects.add_captures(body, op);
        }
        objects
    }

    pub(crate) fn is_counted(&self, body: &Body, value: Value) -> bool {
        self.counts.is_counted(self.ctx, body.ty(value))
    }

    /// Collects the captures of an operation, for whose nested operations that has been done.
    fn add_captures(&mut self, body: &Body, op: Op) {
        let mut captured = Vec::new();
        let mut seen = FxHashSet::default();
        for region in body.op(op).regions() {
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
        let mut forwarded = vec![view.has_trait(Traits::TERMINATOR); view.n_operands()];
        if let Some(flow) = self.flow(body, op) {
            let nothing = vec![None; view.n_operands()];
            for successor in flow.entry_successors(view, &nothing) {
                forwarded[successor.operands].fill(true);
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
                // What is taken only together with others is borrowed otherwise.
                let takes = |service: &dyn Ownership| service.operand(view, index) == OperandUse::Consume;
                let at = number(&mut uses, value);
                match forwarded[index] || ownership.is_some_and(takes) {
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
