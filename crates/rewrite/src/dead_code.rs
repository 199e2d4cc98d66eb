//! Elimination of dead code, by liveness.

use crate::branch_table::BranchTable;
use crate::erase_unreachable_blocks;
use minoan_ir::{Block, Body, Def, Op, OpRef, Traits, Value};
use minoan_services::{Branches, EffectSet, EffectsTable, ForwardedRemovals, GraphBoundary, Liveness};

/// Removes dead code from a body, without nested bodies; returns whether there was any.
///
/// Live are operations with observable effects, the terminators of live regions, and the operations that define their
/// operands; an operation is live if an operation inside it is. Everything else is removed, cycles of dead values included:
/// operations, block arguments with the operands that branches forward to them, and unreachable blocks. The time is linear.
pub fn eliminate_dead_code(body: &mut Body) -> bool {
    let mut changed = erase_unreachable_blocks(body);
    let order = body.walk();
    let live = Live::of(body, &order);
    let dead: Vec<Op> = order.iter().copied().filter(|op| !live.ops[op.index()]).collect();
    // Drop uses first, since dead operations and arguments may form cycles.
    for &op in &dead {
        body.set_operands(op, &[]);
    }
    changed |= erase_dead_args(body, &live);
    for &op in dead.iter().rev() {
        body.erase(op);
    }
    changed || !dead.is_empty()
}

/// The live operations and values, by index.
struct Live {
    ops: Vec<bool>,
    values: Vec<bool>,
    branches: BranchTable,
    pending: Vec<Op>,
}

impl Live {
    fn of(body: &Body, order: &[Op]) -> Self {
        let mut live = Live {
            ops: vec![false; body.op_capacity()],
            values: vec![false; body.value_capacity()],
            branches: BranchTable::of(body, order),
            pending: Vec::new(),
        };
        live.keep_made_args(body);
        let effects = EffectsTable::new(body.context());
        for &op in order {
            let view = body.op(op);
            if is_live_root(view, effects) {
                live.mark(op);
            }
        }
        while let Some(op) = live.pending.pop() {
            live.spread(body, op);
        }
        live
    }

    /// Marks arguments that a branch produces itself, and all arguments of blocks that are targets of unknown
    /// branches, as live.
    fn keep_made_args(&mut self, body: &Body) {
        for at in 0..self.branches.all().len() {
            let edge = &self.branches.all()[at];
            let Some(block) = body.op(edge.op).successors().nth(edge.successor as usize) else { continue };
            let made = edge.forwarded.as_ref().map_or(usize::MAX, |forwarded| forwarded.produced);
            for arg in body.block(block).args().take(made) {
                self.mark_value(body, arg);
            }
        }
    }

    fn mark(&mut self, op: Op) {
        if !std::mem::replace(&mut self.ops[op.index()], true) {
            self.pending.push(op);
        }
    }

    /// Marks everything that is live because an operation is.
    fn spread(&mut self, body: &Body, op: Op) {
        let view = body.op(op);
        if let Some(parent) = view.parent() {
            self.mark(parent);
        }
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        for end in blocks.filter_map(|block| body.block(block).last()) {
            if body.op(end).has_trait(Traits::TERMINATOR) {
                self.mark(end);
            }
        }
        if view.has_trait(Traits::TERMINATOR) {
            let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
            let inside = blocks.flat_map(|block| body.block(block).ops());
            inside
                .filter(|&op| <dyn Liveness>::is_part_of_terminator(body.op(op)))
                .for_each(|op| self.mark(op));
        }
        for user in view.results().flat_map(|result| body.uses(result)).map(|user| user.op) {
            let liveness = body.context().service::<dyn Liveness>(body.op(user).kind());
            if liveness.is_some_and(|service| service.part_of(body.op(user)) == Some(op)) {
                self.mark(user);
            }
        }
        let service = body.context().service::<dyn Branches>(view.kind()).filter(|_| view.n_successors() > 0);
        let mut passed = vec![false; if service.is_some() { view.n_operands() } else { 0 }];
        for forwarded in service.map_or_else(Vec::new, |service| service.all_forwarded_operands(view)) {
            passed[forwarded.operands].fill(true);
        }
        for (index, operand) in view.operands().enumerate() {
            if !passed.get(index).is_some_and(|passed| *passed) {
                self.mark_value(body, operand);
            }
        }
    }

    fn mark_value(&mut self, body: &Body, value: Value) {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            if std::mem::replace(&mut self.values[value.index()], true) {
                continue;
            }
            let (block, number) = match body.def(value) {
                Def::Result(op, _) => {
                    self.mark(op);
                    continue;
                }
                Def::Arg(block, number) => (block, number),
            };
            if let Some(parent) = body.block(block).parent() {
                self.mark(parent);
            }
            for edge in self.branches.to(block) {
                let operand = edge.forwarded.as_ref().and_then(|forwarded| forwarded.operand(number));
                values.extend(operand.map(|operand| body.op(edge.op).operand(operand)));
            }
        }
    }
}

/// Whether an operation is live by itself: for its effects, as a symbol, or as a terminator with successors.
pub fn is_live_root(op: OpRef<'_>, effects: EffectsTable<'_>) -> bool {
    let traits = op.traits();
    let at_top = op.parent().is_none();
    let kept = traits.has(Traits::SYMBOL)
        || traits.has(Traits::ISOLATED)
        || (traits.has(Traits::TERMINATOR) && (at_top || op.n_successors() > 0));
    let own = effects.own(op);
    // A terminator without declared effects is live if the enclosing operation is.
    let unsaid = traits.has(Traits::TERMINATOR) && own == EffectSet::UNKNOWN;
    kept || !(own.removable() || unsaid) || is_bound(op)
}

/// Whether an operation binds an input or output of the graph.
fn is_bound(op: OpRef<'_>) -> bool {
    let service = op.context().service::<dyn GraphBoundary>(op.kind());
    service.is_some_and(|service| !service.inputs(op).is_empty() || !service.outputs(op).is_empty())
}

/// Erases dead block arguments, except those of entry blocks.
fn erase_dead_args(body: &mut Body, live: &Live) -> bool {
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    let blocks = body.regions().chain(inner).flat_map(|region| body.region(region).blocks().skip(1));
    let is_dead =
        |body: &Body, block: Block, number: usize| !live.values[body.block(block).arg(number).index()];
    let has_dead = |&block: &Block| (0..body.block(block).n_args()).any(|at| is_dead(body, block, at));
    let blocks: Vec<Block> = blocks.filter(has_dead).collect();
    // Drop the forwarded operands first, since arguments may be forwarded to each other.
    let mut removals = ForwardedRemovals::default();
    for &block in &blocks {
        let keep: Vec<bool> = (0..body.block(block).n_args()).map(|at| !is_dead(body, block, at)).collect();
        for edge in live.branches.to(block) {
            removals.keep(edge.op, edge.successor as usize, keep.clone());
        }
    }
    removals.apply(body);
    for &block in &blocks {
        for number in (0..body.block(block).n_args()).rev() {
            if is_dead(body, block, number) {
                body.erase_arg(block, number);
            }
        }
    }
    !blocks.is_empty()
}
