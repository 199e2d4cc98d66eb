//! `mem2reg`: storage that never escapes becomes values.
//!
//! A slot is storage for one value that is read and written as a whole, and not used otherwise. Reads become what was
//! written last. Where branches bring different values, blocks get arguments, at the iterated dominance frontiers of the
//! writes and only where the value is read later. Where writes are inside regions, the operations around them pass
//! the value through, if they can ([`PassThrough`]); reads alone need only to know that a region runs when control comes
//! to its operation.
//!
//! The time is linear in the number of operations, and for each slot in the blocks where it is live.

use crate::merge_points::{FlowGraph, InBlock};
use minoan_diag::Diagnostics;
use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Context, Op, OpRef, OpState, Point, Region, ServiceId, Traits, Value};
use minoan_pass::{OpHead, Pass, PassOptions, PassRun, pass_options};
use minoan_rewrite::{erase_unreachable_blocks, simplify_cfg};
use minoan_services::{
    Branches, ConstantMaterializer, PassThrough, RegionFlow, Slot, SlotAccess, SlotSource, SlotUse,
};
use rustc_hash::{FxHashMap, FxHashSet};

pass_options! {
    /// The options of the pass.
    pub struct Mem2RegOptions {
        /// Simplify the control flow between blocks where something was promoted.
        "region-simplify" region_simplify: bool = true,
    }
}

/// Promotes memory to values.
#[derive(Default)]
pub struct Mem2Reg {
    /// Its options.
    pub options: Mem2RegOptions,
}

impl Pass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn description(&self) -> &'static str {
        "promote memory slots into values"
    }

    fn options(&self) -> Option<&dyn PassOptions> {
        Some(&self.options)
    }

    fn options_mut(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-promoted", "Number of slots that became values"),
            ("num-arguments", "Number of block arguments added"),
        ]
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn SlotSource>(),
            ServiceId::of::<dyn SlotAccess>(),
            ServiceId::of::<dyn PassThrough>(),
            ServiceId::of::<dyn RegionFlow>(),
            ServiceId::of::<dyn Branches>(),
            ServiceId::of::<dyn ConstantMaterializer>(),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let simplify = self.options.region_simplify;
        let done = run.each_body_with(
            || (),
            |(), owner, body| {
                let done = promote(body, owner);
                if done.0 > 0 && simplify {
                    simplify_cfg(body);
                }
                done
            },
        );
        run.count("num-promoted", done.iter().map(|done| done.0).sum());
        run.count("num-arguments", done.iter().map(|done| done.1).sum());
        Ok(())
    }
}

/// Promotes the slots of a body, and says how many they were and how many block arguments that took.
fn promote(body: &mut Body, owner: OpHead) -> (u64, u64) {
    let ctx = body.context().clone();
    let Some(sources) = ctx.service_table::<dyn SlotSource>() else { return (0, 0) };
    let ordered = ctx.info(owner.kind).is_some_and(|info| !info.traits.has(Traits::GRAPH_REGION));
    let has_slots = |body: &Body| body.walk().iter().any(|&op| sources.get(body.op(op).kind()).is_some());
    if !ordered || !has_slots(body) {
        return (0, 0);
    }
    erase_unreachable_blocks(body);
    let order = body.walk();
    let mut plan = Plan::default();
    let dominance = Dominance::of(body);
    let mut analysis = Analysis::new(body, &dominance, &order);
    for &op in &order {
        let view = body.op(op);
        if let Some(slot) = sources.get(view.kind()).and_then(|source| source.slot(view)) {
            analysis.add(&mut plan, view, slot);
        }
    }
    if plan.slots.is_empty() {
        return (0, 0);
    }
    let added = plan.merges.values().map(|slots| slots.len() as u64).sum();
    let count = plan.slots.len() as u64;
    Renaming::new(plan, &dominance, &ctx).run(body);
    (count, added)
}

/// A slot that will go.
struct Promoted {
    source: Op,
    slot: Slot,
    /// What makes the value that is read before anything is written.
    initial: OpState,
    /// That value, once it was needed.
    default: Option<Value>,
}

/// What will be done; slots are named by number.
#[derive(Default)]
struct Plan {
    slots: Vec<Promoted>,
    /// What makes, reads or writes a slot; with the number of the operand that is the slot.
    accesses: FxHashMap<Op, (usize, Option<usize>)>,
    /// Which slots need an argument of a block.
    merges: FxHashMap<Block, Vec<usize>>,
    /// What has slots inside, and those of them that are written there.
    around: FxHashMap<Op, Vec<usize>>,
}

/// Finds out which slots can go.
struct Analysis<'a> {
    body: &'a Body,
    dominance: &'a Dominance,
    /// By operation: its place in the text.
    position: Vec<u32>,
    graphs: FxHashMap<Region, FlowGraph<'a>>,
}

/// What happens to a slot directly inside a region: where, in which block, whether it is read, and written.
type Event = (u32, Block, bool, bool);

impl<'a> Analysis<'a> {
    fn new(body: &'a Body, dominance: &'a Dominance, order: &[Op]) -> Self {
        let mut position = vec![0; body.op_capacity()];
        order.iter().enumerate().for_each(|(at, op)| position[op.index()] = at as u32);
        Self { body, dominance, position, graphs: FxHashMap::default() }
    }

    fn region_of(&self, op: Op) -> Option<Region> {
        self.body.block(self.body.op(op).block()?).region()
    }

    /// Adds a slot to what will be done, if it can go.
    fn add(&mut self, plan: &mut Plan, source: OpRef<'_>, slot: Slot) -> Option<()> {
        let (body, ctx) = (self.body, self.body.context());
        let home = self.region_of(source.id())?;
        if body.region(home).parent().is_some_and(|parent| !is_ordered(body.op(parent))) {
            return None;
        }
        let initial = <dyn ConstantMaterializer>::constant(ctx, source.kind(), slot.initial, slot.ty)?;
        let mut accesses: FxHashMap<Op, (usize, bool)> = FxHashMap::default();
        for user in body.uses(slot.value) {
            let store = match access(body.op(user.op), user.index)? {
                SlotUse::Load => {
                    body.op(user.op).result_types().eq([slot.ty]).then_some(())?;
                    false
                }
                SlotUse::Store(value) => {
                    (value != slot.value && body.ty(value) == slot.ty).then_some(())?;
                    true
                }
            };
            let known = accesses.insert(user.op, (user.index, store)).is_some();
            if known || plan.accesses.contains_key(&user.op) {
                return None;
            }
        }
        let around = self.around(home, accesses.iter().map(|(&op, &(_, store))| (op, store)))?;
        let merges = self.merges(source.id(), &accesses, &around)?;
        let number = plan.slots.len();
        plan.slots.push(Promoted { source: source.id(), slot, initial, default: None });
        plan.accesses.insert(source.id(), (number, None));
        plan.accesses.extend(accesses.into_iter().map(|(op, (operand, _))| (op, (number, Some(operand)))));
        merges.into_iter().for_each(|block| plan.merges.entry(block).or_default().push(number));
        for (op, written) in around {
            plan.around.entry(op).or_default().extend(written.then_some(number));
        }
        // What is around a slot is on the way to it, though no other slot is in it.
        for op in source.ancestors().skip(1).map(OpRef::id) {
            if plan.around.contains_key(&op) {
                break;
            }
            plan.around.insert(op, Vec::new());
        }
        Some(())
    }

    /// The operations between accesses and the region that the slot is in, and whether it is written in them; `None`
    /// when one of them stands in the way.
    fn around(
        &self,
        home: Region,
        accesses: impl Iterator<Item = (Op, bool)>,
    ) -> Option<FxHashMap<Op, bool>> {
        let (body, ctx) = (self.body, self.body.context());
        let mut around: FxHashMap<Op, bool> = FxHashMap::default();
        for (op, store) in accesses {
            let mut region = self.region_of(op)?;
            while region != home {
                let parent = body.op(body.region(region).parent()?);
                match around.insert(parent.id(), store) {
                    Some(true) => {
                        around.insert(parent.id(), true);
                        break;
                    }
                    Some(false) if !store => break,
                    _ => {}
                }
                let through = ctx.service::<dyn PassThrough>(parent.kind());
                let through = through.is_some_and(|service| service.can_thread(parent));
                let runs_here = ctx.service::<dyn RegionFlow>(parent.kind()).is_some();
                if !(is_ordered(parent) && (through || (runs_here && !store))) {
                    return None;
                }
                region = self.region_of(parent.id())?;
            }
        }
        Some(around)
    }

    /// The blocks that need an argument; `None` when a branch to one of them cannot be changed.
    fn merges(
        &mut self,
        source: Op,
        accesses: &FxHashMap<Op, (usize, bool)>,
        around: &FxHashMap<Op, bool>,
    ) -> Option<Vec<Block>> {
        let body = self.body;
        let mut events: FxHashMap<Region, Vec<Event>> = FxHashMap::default();
        let mut add = |op: Op, read: bool, written: bool| {
            let block = body.op(op).block()?;
            let region = body.block(block).region()?;
            if body.region(region).blocks().len() > 1 {
                events.entry(region).or_default().push((self.position[op.index()], block, read, written));
            }
            Some(())
        };
        add(source, false, true)?;
        accesses.iter().try_for_each(|(&op, &(_, store))| add(op, !store, store))?;
        around.iter().try_for_each(|(&op, &written)| add(op, true, written))?;
        // A region that the slot passes through is left with its value.
        for region in around.iter().filter(|around| *around.1).flat_map(|(&op, _)| body.op(op).regions()) {
            if body.region(region).blocks().len() > 1 {
                let events = events.entry(region).or_default();
                let first = body.region(region).entry().map(|entry| (0, entry, false, true));
                let ends =
                    body.region(region).blocks().filter(|&block| body.block(block).successors().is_empty());
                events.extend(first.into_iter().chain(ends.map(|block| (u32::MAX, block, true, false))));
            }
        }
        let mut merges = Vec::new();
        for (region, mut events) in events {
            if !events.iter().any(|event| event.3) {
                continue;
            }
            events.sort_unstable();
            let mut variable: FxHashMap<Block, InBlock> = FxHashMap::default();
            for (_, block, read, written) in events {
                let inside = variable.entry(block).or_default();
                inside.read |= read && !inside.written;
                inside.written |= written;
            }
            let graph = self.graphs.entry(region);
            let graph = graph.or_insert_with(|| FlowGraph::new(body, self.dominance, region));
            for block in graph.merge_points(&variable) {
                let mut ends = graph.preds(block).iter().filter_map(|&pred| body.block(pred).last());
                ends.all(|end| body.context().service::<dyn Branches>(body.op(end).kind()).is_some())
                    .then_some(())?;
                merges.push(block);
            }
        }
        Some(merges)
    }
}

fn access(op: OpRef<'_>, operand: usize) -> Option<SlotUse> {
    op.context().service::<dyn SlotAccess>(op.kind())?.access(op, operand)
}

/// Whether the operations in its regions come one after another.
fn is_ordered(op: OpRef<'_>) -> bool {
    op.spec().is_some() && !op.has_trait(Traits::GRAPH_REGION)
}

/// A step of the walk over dominator trees.
enum Step {
    /// What was written since is forgotten.
    Undo(usize),
    Block(Block),
    /// The operations of a block from one on.
    From(Op),
    /// The last operation of a block.
    Leave(Block),
    /// A region begins, with these values of slots.
    Region(Block, Vec<(usize, Value)>),
    /// An operation with regions is done; these are the values behind it.
    Set(Vec<(usize, Value)>),
}

/// Replaces reads by what was written.
struct Renaming<'a> {
    plan: Plan,
    dominance: &'a Dominance,
    /// How many blocks `dominance` knows.
    known_blocks: usize,
    ctx: &'a Context,
    /// By slot: its value, if something was written.
    current: Vec<Option<Value>>,
    undo: Vec<(usize, Option<Value>)>,
    /// The terminators that tell the operation around them the values of slots, from an operand on.
    ends: FxHashMap<Op, (usize, Vec<usize>)>,
    steps: Vec<Step>,
    gone: Vec<Op>,
}

impl<'a> Renaming<'a> {
    fn new(plan: Plan, dominance: &'a Dominance, ctx: &'a Context) -> Self {
        let current = vec![None; plan.slots.len()];
        let (undo, ends, steps, gone) = Default::default();
        Self { plan, dominance, known_blocks: 0, ctx, current, undo, ends, steps, gone }
    }

    fn run(mut self, body: &mut Body) {
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

    /// What a slot holds.
    fn get(&mut self, body: &mut Body, slot: usize) -> Value {
        if let Some(value) = self.current[slot] {
            return value;
        }
        let Promoted { source, initial, default, .. } = &mut self.plan.slots[slot];
        *default.get_or_insert_with(|| {
            let loc = body.op(*source).loc();
            let constant = body.create(&initial.clone().loc(loc), Point::Before(*source));
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

    /// The operations of a block, up to one with slots inside.
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
            None => self.set(slot, None),
            Some(SlotUse::Store(value)) => self.set(slot, Some(value)),
            Some(SlotUse::Load) => {
                let (value, result) = (self.get(body, slot), body.op(op).result(0));
                body.replace_all_uses(result, value);
            }
        }
        self.gone.push(op);
    }

    /// The regions of an operation come next, then what follows it.
    fn pass_through(&mut self, body: &mut Body, op: Op, slots: Vec<usize>) {
        let values: Vec<Value> = slots.iter().map(|&slot| self.get(body, slot)).collect();
        let service = self.ctx.service::<dyn PassThrough>(body.op(op).kind());
        let named = |values: Vec<Value>| slots.iter().copied().zip(values).collect::<Vec<_>>();
        let (op, args) = match service.filter(|_| !slots.is_empty()) {
            Some(service) => {
                let threaded = service.thread(body, op, &values);
                self.steps.push(Step::Set(named(threaded.results)));
                self.ends.extend(threaded.ends.into_iter().map(|(end, first)| (end, (first, slots.clone()))));
                (threaded.op, threaded.args)
            }
            None => (op, Vec::new()),
        };
        let entries: Vec<_> = body.op(op).regions().map(|region| body.region(region).entry()).collect();
        for (region, entry) in entries.into_iter().enumerate().rev() {
            let args = args.get(region).cloned().unwrap_or_default();
            self.steps.extend(entry.map(|entry| Step::Region(entry, named(args))));
        }
    }

    /// The last operation of a block tells others what slots hold.
    fn leave(&mut self, body: &mut Body, end: Op) {
        if let Some((first, slots)) = self.ends.remove(&end) {
            for (at, slot) in slots.into_iter().enumerate() {
                let value = self.get(body, slot);
                body.set_operand(end, first + at, value);
            }
        }
        let ways: Vec<Block> = body.op(end).successors().collect();
        for (at, to) in ways.into_iter().enumerate() {
            let Some(slots) = self.plan.merges.get(&to).cloned() else { continue };
            let service = self.ctx.service::<dyn Branches>(body.op(end).kind());
            let service = service.expect("the branch was looked at before");
            let mut passed = service.operands(body.op(end), at);
            passed.extend(slots.into_iter().map(|slot| self.get(body, slot)));
            service.set_passed(body, end, at, &passed);
        }
        let block = body.op(end).block().expect("it ends a block");
        // A block that was made on the way is alone in its region.
        if block.index() < self.known_blocks {
            self.steps.extend(self.dominance.children(block).iter().rev().map(|&child| Step::Block(child)));
        }
    }
}
