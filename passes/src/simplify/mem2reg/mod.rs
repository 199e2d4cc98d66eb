//! `mem2reg`: promotes memory slots to SSA values.
//!
//! A slot is storage for one value that is loaded and stored as a whole and does not escape; storage for several values is
//! split into slots first. Loads are replaced by the reaching definition. Block arguments are inserted at the iterated
//! dominance frontiers of the stores, where the slot is live. If regions contain stores, the enclosing operations pass the
//! value through, if possible ([`PassThrough`]); loads only require that the region executes within its operation.
//!
//! The time is linear in the number of operations, and for each slot in the number of blocks where it is live.

mod merge_points;
mod renaming;

use merge_points::{FlowGraph, InBlock};
use minoan_diag::Diagnostics;
use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Op, OpRef, OpState, Region, Traits, Value};
use minoan_pass::{OpHeader, Pass, PassRun, own_options, pass_options, queries};
use minoan_rewrite::{erase_unreachable_blocks, simplify_cfg};
use minoan_services::{
    Branches, ConstantMaterializer, PassThrough, RegionFlow, Slot, SlotAccess, SlotContents, SlotSource,
    SlotUse,
};
use renaming::Renaming;
use rustc_hash::FxHashMap;

pass_options! {
    /// The options of the pass.
    pub struct Mem2RegOptions {
        /// Simplify the control flow between blocks after promotion
        "region-simplify" region_simplify: bool = true,
    }
}

/// Promotes memory slots to values.
#[derive(Default)]
pub struct Mem2Reg {
    /// The options of this pass.
    pub options: Mem2RegOptions,
}

impl Pass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn description(&self) -> &'static str {
        "promote memory slots into values"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-promoted", "Number of slots promoted"), ("num-arguments", "Number of block arguments added")]
    }

    queries!(SlotSource, SlotAccess, PassThrough, RegionFlow, Branches, ConstantMaterializer);

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

/// Promotes the slots of a body; returns the number of slots and of added block arguments.
fn promote(body: &mut Body, owner: OpHeader) -> (u64, u64) {
    let ctx = body.context().clone();
    let Some(sources) = ctx.service_table::<dyn SlotSource>() else { return (0, 0) };
    let ordered = ctx.info(owner.kind).is_some_and(|info| !info.traits.has(Traits::GRAPH_REGION));
    let has_slots = |body: &Body| body.walk().iter().any(|&op| sources.get(body.op(op).kind()).is_some());
    if !ordered || !has_slots(body) {
        return (0, 0);
    }
    erase_unreachable_blocks(body);
    let source_of = |body: &Body, op: Op| sources.get(body.op(op).kind());
    let created: Vec<Op> = body.walk().into_iter().filter(|&op| source_of(body, op).is_some()).collect();
    for op in created {
        if let Some(source) = source_of(body, op) {
            source.split(body, op);
        }
    }
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

/// A promoted slot.
struct Promoted {
    source: Op,
    slot: Slot,
    /// The constant that a load before every store reads, if there is one.
    initial: Option<OpState>,
    /// The value of that constant, created on demand.
    default: Option<Value>,
}

/// The planned promotions; slots are identified by index.
#[derive(Default)]
struct Plan {
    slots: Vec<Promoted>,
    /// The operations that create, load or store a slot; with the index of the slot operand.
    accesses: FxHashMap<Op, (usize, Option<usize>)>,
    /// The slots that need an argument of a block.
    merges: FxHashMap<Block, Vec<usize>>,
    /// The operations with accesses in their regions, and the slots that are stored there.
    around: FxHashMap<Op, Vec<usize>>,
}

/// Determines the slots that can be promoted.
struct Analysis<'a> {
    body: &'a Body,
    dominance: &'a Dominance,
    /// The position of each operation in the text.
    position: Vec<u32>,
    graphs: FxHashMap<Region, FlowGraph<'a>>,
}

/// An access directly in a region: position, block, whether the slot is loaded, and stored.
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

    /// Plans the promotion of a slot, if possible.
    fn add(&mut self, plan: &mut Plan, source: OpRef<'_>, slot: Slot) -> Option<()> {
        let (body, ctx) = (self.body, self.body.context());
        let home = self.region_of(source.id())?;
        if body.region(home).parent().is_some_and(|parent| !is_ordered(body.op(parent))) {
            return None;
        }
        let initial = match slot.initial {
            SlotContents::Constant(initial) => {
                <dyn ConstantMaterializer>::constant(ctx, source.kind(), initial, slot.ty)
            }
            SlotContents::Unknown | SlotContents::Operand(_) => None,
        };
        let has_contents =
            matches!(slot.initial, SlotContents::Operand(at) if body.ty(source.operand(at)) == slot.ty);
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
        if initial.is_none() && !has_contents && !self.is_stored_first(source.id(), &accesses) {
            return None;
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
        // The operations around a slot are on the path to it, even if they contain no other slot.
        for op in source.ancestors().skip(1).map(OpRef::id) {
            if plan.around.contains_key(&op) {
                break;
            }
            plan.around.insert(op, Vec::new());
        }
        Some(())
    }

    /// Whether the first access is a store in the block of the slot; it dominates all others.
    fn is_stored_first(&self, source: Op, accesses: &FxHashMap<Op, (usize, bool)>) -> bool {
        let first = accesses.iter().min_by_key(|(op, _)| self.position[op.index()]);
        first.is_none_or(|(&op, &(_, store))| {
            store && self.body.op(op).block() == self.body.op(source).block()
        })
    }

    /// The operations between the accesses and the slot's region, and whether the slot is stored to in them; `None`
    /// if one of them cannot pass the value through.
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

    /// The blocks that need an argument; `None` if a branch to one of them cannot be changed.
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
        // A region that the slot passes through ends with its value.
        for region in around.iter().filter(|around| *around.1).flat_map(|(&op, _)| body.op(op).own_regions())
        {
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

/// Whether the regions of an operation have SSA dominance.
fn is_ordered(op: OpRef<'_>) -> bool {
    op.spec().is_some() && !op.has_trait(Traits::GRAPH_REGION)
}
