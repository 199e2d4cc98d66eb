//! The state of the creation of one derivative.

use super::branches::Residual;
use super::domains::Mask;
use super::loops::Reversed;
use super::recursion::SolvedCalls;
use super::{Engine, Key, Missing, Request};
use minoan_ir::{Block, Body, Builder, InsertionPoint, Mapping, Op, OpRef, Traits, Type, Value};
use minoan_services::TangentClass;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The reason why an operation whose regions use active values has no derivative.
pub(super) const ACTIVE_INSIDE: &str = "has no derivative with respect to the values that its region uses";

/// The state of the creation of one derivative.
pub(super) struct Work<'w, 'c> {
    pub(super) engine: &'w mut Engine<'c>,
    /// The body of the module, where derivatives of callees are declared.
    pub(super) module: &'w mut Body,
    pub(super) request: Request,
    /// The values that depend on the differentiated arguments.
    pub(super) active: FxHashSet<Value>,
    /// The loop-carried tensors of loops that write each element once and do not read the tensors.
    pub(super) fresh: FxHashSet<Value>,
    /// The tangents or cotangents so far; a missing one is zero.
    pub(super) derivatives: FxHashMap<Value, Value>,
    /// The conditions by which cotangents of tensors were selected.
    pub(super) masks: FxHashMap<Value, Mask>,
    /// In forward mode, the tangents in the lanes from the second on, of the same values.
    pub(super) other_lanes: Vec<FxHashMap<Value, Value>>,
    /// In forward mode, the results of calls that were replaced by calls of derivatives, with the new values.
    pub(super) replaced: FxHashMap<Value, Value>,
    pub(super) solved: SolvedCalls,
    /// The numbers in conditionals in loops that these return, and the results that have them.
    pub(super) returned: FxHashSet<Value>,
    /// For the numbers among these that are in a storage: the result of the outermost conditional that holds the storage, and the
    /// position.
    pub(super) stored: FxHashMap<Value, (usize, i64)>,
    /// The results of deferred conditionals in the reverse.
    pub(super) deferred: FxHashMap<Op, Vec<Value>>,
    /// From the values of a conditional, and of those around it that are deferred, to those that its reverse executes again.
    pub(super) scope: Mapping,
    /// The values that the reverse under construction needs of its conditional, and of those in it.
    pub(super) residuals: Vec<Residual>,
    /// The values that the regions of conditionals use.
    pub(super) free: FxHashMap<Op, Rc<[Value]>>,
    /// The reverses of conditionals, whose regions have no unused operations.
    pub(super) reversed: FxHashSet<Op>,
    /// Copies of loops in reverses of conditionals, which are not erased until it is known which loop saves for their reverse.
    pub(super) kept: FxHashSet<Op>,
    /// Whether active values contain tangents that may be overwritten.
    pub(super) stores: bool,
    /// The originals of the values of copies.
    pub(super) sources: FxHashMap<Value, Value>,
    /// The blocks of the reverse iterations around the operation whose reverse is being created, outer ones first.
    pub(super) nest: Vec<Block>,
    /// The loops with a reverse for which the enclosing loop will save values, inner ones first.
    pub(super) pending: Vec<Reversed>,
    /// The keys in `derivatives` of the stacks that the reverse sweep takes results of recursive calls from.
    pub(super) tape: Vec<Value>,
}

impl<'w, 'c> Work<'w, 'c> {
    /// Starts the derivative of `body`, with `lanes` tangents of each value.
    pub(super) fn new(
        engine: &'w mut Engine<'c>,
        module: &'w mut Body,
        request: Request,
        body: &Body,
        active: FxHashSet<Value>,
        fresh: FxHashSet<Value>,
        lanes: usize,
    ) -> Self {
        let stores = active.iter().any(|&value| engine.is_storage(body.ty(value)));
        Self {
            engine,
            module,
            request,
            active,
            fresh,
            derivatives: FxHashMap::default(),
            masks: FxHashMap::default(),
            other_lanes: vec![FxHashMap::default(); lanes - 1],
            replaced: FxHashMap::default(),
            solved: SolvedCalls::default(),
            returned: FxHashSet::default(),
            stored: FxHashMap::default(),
            deferred: FxHashMap::default(),
            scope: Mapping::new(),
            residuals: Vec::new(),
            free: FxHashMap::default(),
            reversed: FxHashSet::default(),
            kept: FxHashSet::default(),
            stores,
            sources: FxHashMap::default(),
            nest: Vec::new(),
            pending: Vec::new(),
            tape: Vec::new(),
        }
    }
}

impl Work<'_, '_> {
    pub(super) fn is_active(&self, value: Value) -> bool {
        self.active.contains(&value)
    }

    pub(super) fn class(&self, ty: Type) -> TangentClass {
        self.engine.class(ty)
    }

    /// Records that an operation has no derivative.
    pub(super) fn report(&mut self, op: OpRef<'_>, why: &str) {
        let message = match op.name() {
            name if why.is_empty() => format!("'{name}' op has no derivative"),
            name => format!("'{name}' op {why}"),
        };
        self.engine.missing.push(Missing { loc: op.loc(), message, request: self.request });
    }

    /// Whether the regions of an operation use active values.
    pub(super) fn uses_active_inside(&self, body: &Body, op: Op) -> bool {
        nested(body, op).into_iter().any(|inner| body.op(inner).operands().any(|value| self.is_active(value)))
    }

    /// The zero tangent of a value.
    pub(super) fn zero_like(&self, b: &mut Builder<'_>, value: Value) -> Value {
        self.engine.zero(b, value)
    }

    /// The number of tangents of each value in forward mode.
    pub(super) fn lanes(&self) -> usize {
        1 + self.other_lanes.len()
    }

    /// The tangents so far in a lane.
    pub(super) fn lane(&self, lane: usize) -> &FxHashMap<Value, Value> {
        lane.checked_sub(1).map_or(&self.derivatives, |other| &self.other_lanes[other])
    }

    pub(super) fn lane_mut(&mut self, lane: usize) -> &mut FxHashMap<Value, Value> {
        match lane.checked_sub(1) {
            None => &mut self.derivatives,
            Some(other) => &mut self.other_lanes[other],
        }
    }

    /// Takes the derivative of a value, or creates a zero.
    pub(super) fn take_or_zero(&mut self, b: &mut Builder<'_>, value: Value) -> Value {
        match self.derivatives.remove(&value) {
            Some(derivative) => derivative,
            None => self.zero_like(b, value),
        }
    }

    /// Adds to the cotangent of a value.
    pub(super) fn accumulate(&mut self, b: &mut Builder<'_>, value: Value, cotangent: Value) {
        let sum = match self.derivatives.get(&value) {
            None => cotangent,
            Some(&old) => self.engine.sum(b, cotangent, old),
        };
        self.derivatives.insert(value, sum);
    }

    /// The operations of a block without its terminator, and the terminator.
    pub(super) fn split(body: &Body, block: Block) -> (Vec<Op>, Option<Op>) {
        let mut ops: Vec<Op> = body.block(block).ops().collect();
        let ends = ops.last().is_some_and(|&last| body.op(last).has_trait(Traits::TERMINATOR));
        let last = if ends { ops.pop() } else { None };
        (ops, last)
    }

    /// The only block of a region of an operation.
    pub(super) fn entry(op: OpRef<'_>, region: usize) -> Option<Block> {
        let region = op.own_region(region)?;
        let mut blocks = op.body().region(region).blocks();
        blocks.next().filter(|_| blocks.next().is_none())
    }

    /// Whether an operation is executed for its effects only.
    pub(super) fn is_effect(&self, op: OpRef<'_>) -> bool {
        op.n_results() == 0 && !op.has_trait(Traits::TERMINATOR)
    }

    /// Clones operations to the insertion point, except those that are executed for their effects, with their activity.
    /// Returns the originals by their clones.
    pub(super) fn replay(&mut self, b: &mut Builder<'_>, ops: &[Op], mapping: &mut Mapping) -> Vec<(Op, Op)> {
        let mut pairs = Vec::with_capacity(ops.len());
        for &op in ops {
            if self.is_effect(b.body().op(op)) {
                continue;
            }
            let point = b.insertion_point();
            let clone = b.body_mut().clone_op(op, point, mapping);
            if !matches!(point, InsertionPoint::End(_) | InsertionPoint::Before(_)) {
                b.set_insertion_point(InsertionPoint::After(clone));
            }
            self.copy_activity(b.body(), op, clone);
            self.copy_solved(b.body(), op, clone);
            self.silence(b.body_mut(), clone);
            pairs.push((clone, op));
        }
        pairs
    }

    /// Gives the values of the copy of an operation the properties of the originals.
    pub(super) fn copy_activity(&mut self, body: &Body, from: Op, to: Op) {
        let old = values_of(body, from);
        let new = values_of(body, to);
        self.engine.copied += new.len() as u64;
        for (old, new) in old.into_iter().zip(new) {
            self.sources.insert(new, old);
            if self.active.contains(&old) {
                self.active.insert(new);
            }
            if self.fresh.contains(&old) {
                self.fresh.insert(new);
            }
            if let Some(&place) = self.stored.get(&old) {
                self.stored.insert(new, place);
            }
            if self.returned.contains(&old) {
                self.returned.insert(new);
            }
        }
    }

    /// Erases the operations in the regions of an operation that are executed for their effects only.
    pub(super) fn silence(&self, body: &mut Body, op: Op) {
        let inner = nested(body, op);
        for inner in inner.into_iter().rev() {
            let view = body.op(inner);
            if self.is_effect(view) {
                body.erase(inner);
            }
        }
    }

    /// Erases operations of a block, and of nested blocks, whose results are not used, except the one that defines `kept`. The
    /// block repeats a computation that the function has already executed, so calls and loops are erased regardless of their
    /// effects.
    pub(super) fn clean(&self, body: &mut Body, block: Block, kept: Option<Value>) {
        let ops: Vec<Op> = body.block(block).ops().collect();
        self.clean_ops(body, ops, kept, &|_| true);
    }

    /// The same for a block of the reverse of a conditional, except for the conditionals in it, whose reverses have no unused
    /// operations.
    pub(super) fn clean_new(&self, body: &mut Body, block: Block) {
        let ops: Vec<Op> = body.block(block).ops().collect();
        self.clean_ops(body, ops, None, &|op| !self.reversed.contains(&op));
    }

    fn clean_ops(&self, body: &mut Body, ops: Vec<Op>, kept: Option<Value>, enters: &dyn Fn(Op) -> bool) {
        let mut all = Vec::new();
        for op in ops {
            all.push(op);
            if enters(op) {
                all.extend(nested(body, op));
            }
        }
        for op in all.into_iter().rev() {
            let view = body.op(op);
            let unused = !view.has_trait(Traits::TERMINATOR)
                && !self.kept.contains(&op)
                && view.n_results() > 0
                && view.results().all(|result| !body.is_used(result) && Some(result) != kept)
                && (view.n_regions() > 0
                    || self.engine.calls.is_some_and(|table| table.get(view.kind()).is_some())
                    || self.engine.effects.all(view).removable());
            if unused {
                body.erase(op);
            }
        }
    }

    /// The active values from outside of an operation that its regions use, in the order of their first use.
    pub(super) fn captures(&self, body: &Body, op: Op) -> Vec<Value> {
        let inner = nested(body, op);
        let mut seen: FxHashSet<Value> = values_of(body, op).into_iter().collect();
        let mut found = Vec::new();
        for op in inner {
            for value in body.op(op).operands() {
                if self.is_active(value) && seen.insert(value) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// The key of a derivative of a callee.
    pub(super) fn name_of(&mut self, key: Key) -> Option<(minoan_ir::Name, Vec<Type>)> {
        self.engine.derivative(self.module, key, self.request)
    }
}

/// The operations in the regions of an operation, outer ones first.
pub(super) fn nested(body: &Body, op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let from = pending.len();
        for region in body.op(op).own_regions() {
            for block in body.region(region).blocks() {
                pending.extend(body.block(block).ops());
            }
        }
        found.extend_from_slice(&pending[from..]);
        pending[from..].reverse();
    }
    found
}

/// The results of an operation and the values defined in its regions, in an order that a clone shares.
pub(super) fn values_of(body: &Body, op: Op) -> Vec<Value> {
    let mut found: Vec<Value> = body.op(op).results().collect();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        for region in body.op(op).own_regions() {
            for block in body.region(region).blocks() {
                found.extend(body.block(block).args());
                for inner in body.block(block).ops() {
                    found.extend(body.op(inner).results());
                    pending.push(inner);
                }
            }
        }
    }
    found
}
