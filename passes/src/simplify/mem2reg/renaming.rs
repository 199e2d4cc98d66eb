//! Renaming of `mem2reg`: replaces loads of slots by reaching definitions, in dominator tree order.

use super::{Plan, Promoted, access};
use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Context, InsertionPoint, Op, Value};
use minoan_services::{Branches, PassThrough, SlotContents, SlotUse, ThreadedEnd};
use rustc_hash::{FxHashMap, FxHashSet};

/// A step of the traversal of the dominator trees.
enum Step {
    /// Restores the definitions at the start of a scope.
    Undo(usize),
    Block(Block),
    /// Visits the operations of a block from this one on.
    From(Op),
    /// Visits the terminator of a block.
    Leave(Block),
    /// Enters a region with these slot values.
    Region(Block, Vec<(usize, Value)>),
    /// Sets the slot values after an operation with regions.
    Set(Vec<(usize, Value)>),
}

/// Replaces loads by reaching definitions.
pub(super) struct Renaming<'a> {
    plan: Plan,
    dominance: &'a Dominance,
    /// The number of blocks that `dominance` covers.
    known_blocks: usize,
    ctx: &'a Context,
    /// The reaching definition of each slot.
    current: Vec<Option<Value>>,
    undo: Vec<(usize, Option<Value>)>,
    /// The ends of regions, by their terminators, that forward slot values to the enclosing operation.
    ends: FxHashMap<Op, (ThreadedEnd, Vec<usize>)>,
    steps: Vec<Step>,
    gone: Vec<Op>,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(plan: Plan, dominance: &'a Dominance, ctx: &'a Context) -> Self {
        let current = vec![None; plan.slots.len()];
        let (undo, ends, steps, gone) = Default::default();
        Self { plan, dominance, known_blocks: 0, ctx, current, undo, ends, steps, gone }
    }

    pub(super) fn run(mut self, body: &mut Body) {
        self.known_blocks = body.block_capacity();
        for (&block, slots) in &self.plan.merges {
            for &slot in slots {
                let Promoted { source, slot, .. } = &self.plan.slots[slot];
                let loc = body.op(*source).loc();
                body.add_arg(block, slot.ty, loc);
            }
        }
        let entries: Vec<Block> = body.regions().filter_map(|region| body.region(region).entry()).collect();
        self.steps.extend(entries.into_iter().rev().map(Step::Block));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Undo(mark) => {
                    for (slot, value) in self.undo.drain(mark..).rev() {
                        self.current[slot] = value;
                    }
                }
                Step::Block(block) => self.enter(body, block),
                Step::From(op) => self.walk(body, op),
                Step::Leave(block) => {
                    let end = body.block(block).last().expect("it has an operation");
                    self.leave(body, end);
                }
                Step::Region(entry, values) => {
                    self.steps.push(Step::Undo(self.undo.len()));
                    values.into_iter().for_each(|(slot, value)| self.set(slot, Some(value)));
                    self.steps.push(Step::Block(entry));
                }
                Step::Set(values) => values.into_iter().for_each(|(slot, value)| self.set(slot, Some(value))),
            }
        }
        let sources: FxHashSet<Op> = self.plan.slots.iter().map(|promoted| promoted.source).collect();
        self.gone.into_iter().filter(|op| !sources.contains(op)).for_each(|op| body.erase(op));
        for Promoted { source, default, .. } in self.plan.slots {
            body.erase(source);
            if let Some(default) = default.filter(|&default| !body.is_used(default)) {
                body.erase(body.defining_op(default).expect("a constant"));
            }
        }
    }

    fn set(&mut self, slot: usize, value: Option<Value>) {
        let old = std::mem::replace(&mut self.current[slot], value);
        self.undo.push((slot, old));
    }

    /// The value of a slot.
    fn get(&mut self, body: &mut Body, slot: usize) -> Value {
        if let Some(value) = self.current[slot] {
            return value;
        }
        let Promoted { source, initial, default, .. } = &mut self.plan.slots[slot];
        *default.get_or_insert_with(|| {
            let loc = body.op(*source).loc();
            let initial =
                initial.clone().expect("what is read is stored first where no constant has the type");
            let constant = body.create(&initial.loc(loc), InsertionPoint::Before(*source));
            body.op(constant).result(0)
        })
    }

    fn enter(&mut self, body: &mut Body, block: Block) {
        self.steps.push(Step::Undo(self.undo.len()));
        if let Some(slots) = self.plan.merges.get(&block).cloned() {
            let first = body.block(block).n_args() - slots.len();
            for (at, slot) in slots.into_iter().enumerate() {
                self.set(slot, Some(body.block(block).arg(first + at)));
            }
        }
        if let Some(first) = body.block(block).first() {
            self.walk(body, first);
        }
    }

    /// Visits the operations of a block, up to one with accesses in its regions.
    fn walk(&mut self, body: &mut Body, first: Op) {
        let mut next = Some(first);
        while let Some(op) = next {
            next = body.op(op).next();
            if let Some(&(slot, operand)) = self.plan.accesses.get(&op) {
                self.visit(body, op, slot, operand);
            } else if let Some(slots) = self.plan.around.remove(&op) {
                let block = body.op(op).block().expect("it is in a block");
                self.steps.push(next.map_or(Step::Leave(block), Step::From));
                return self.pass_through(body, op, slots);
            }
            if next.is_none() {
                self.leave(body, op);
            }
        }
    }

    fn visit(&mut self, body: &mut Body, op: Op, slot: usize, operand: Option<usize>) {
        match operand.and_then(|operand| access(body.op(op), operand)) {
            None => {
                let contents = match self.plan.slots[slot].slot.initial {
                    SlotContents::Operand(at) => Some(body.op(op).operand(at)),
                    SlotContents::Unknown | SlotContents::Constant(_) => None,
                };
                self.set(slot, contents);
            }
            Some(SlotUse::Store(value)) => self.set(slot, Some(value)),
            Some(SlotUse::Load) => {
                let (value, result) = (self.get(body, slot), body.op(op).result(0));
                body.replace_all_uses(result, value);
            }
        }
        self.gone.push(op);
    }

    /// Schedules the regions of an operation, then the operations after it.
    fn pass_through(&mut self, body: &mut Body, op: Op, slots: Vec<usize>) {
        let values: Vec<Value> = slots.iter().map(|&slot| self.get(body, slot)).collect();
        let service = self.ctx.service::<dyn PassThrough>(body.op(op).kind());
        let named = |values: Vec<Value>| slots.iter().copied().zip(values).collect::<Vec<_>>();
        let (op, args) = match service.filter(|_| !slots.is_empty()) {
            Some(service) => {
                let threaded = service.thread(body, op, &values);
                self.steps.push(Step::Set(named(threaded.results)));
                self.ends.extend(threaded.ends.into_iter().map(|end| (end.end, (end, slots.clone()))));
                (threaded.op, threaded.args)
            }
            None => (op, Vec::new()),
        };
        let entries: Vec<_> = body.op(op).own_regions().map(|region| body.region(region).entry()).collect();
        for (region, entry) in entries.into_iter().enumerate().rev() {
            let args = args.get(region).cloned().unwrap_or_default();
            self.steps.extend(entry.map(|entry| Step::Region(entry, named(args))));
        }
    }

    /// Adds slot values to the operands of a terminator.
    fn leave(&mut self, body: &mut Body, end: Op) {
        if let Some((ThreadedEnd { user, first, .. }, slots)) = self.ends.remove(&end) {
            for (at, slot) in slots.into_iter().enumerate() {
                let value = self.get(body, slot);
                body.set_operand(user, first + at, value);
            }
        }
        let successors: Vec<Block> = body.op(end).successors().collect();
        for (at, to) in successors.into_iter().enumerate() {
            let Some(slots) = self.plan.merges.get(&to).cloned() else { continue };
            let service = self.ctx.service::<dyn Branches>(body.op(end).kind());
            let service = service.expect("the branch was looked at before");
            let mut passed = service.operands(body.op(end), at);
            passed.extend(slots.into_iter().map(|slot| self.get(body, slot)));
            service.set_forwarded_operands(body, end, at, &passed);
        }
        let block = body.op(end).block().expect("it ends a block");
        // A block created in the meantime is the only one in its region.
        if block.index() < self.known_blocks {
            self.steps.extend(self.dominance.children(block).iter().rev().map(|&child| Step::Block(child)));
        }
    }
}
