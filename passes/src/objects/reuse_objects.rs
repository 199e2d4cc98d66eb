//! `reuse-objects`: creates objects in the memory of others that die before.
//!
//! Where an owner of an object of known layout is dropped, and an object of the same size class is created later in the block,
//! or in at least one of the regions of an operation that executes exactly one of them, the drop becomes a reset. If the reset
//! removes the last owner, the new object takes the memory, and the retained fields of the old object are moved, without
//! touching their counts. Otherwise the reset increments the counts of these fields, and the new object takes new memory. A
//! drop of an object with retained fields becomes a reset even if no object is created later: the memory is freed, and the
//! counts of the fields do not change.
//!
//! The pass follows `place-counts`. Each drop takes the nearest unpaired creation, so the time is linear.

use crate::analysis::owners::Objects;
use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Builder, Context, InsertionPoint, Op, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{CountOps, Ownership, RegionExecution, RegionFlow, ReuseOps};
use rustc_hash::FxHashMap;

/// Creates objects in the memory of others.
pub struct ReuseObjects;

impl Pass for ReuseObjects {
    fn name(&self) -> &'static str {
        "reuse-objects"
    }

    fn description(&self) -> &'static str {
        "create objects in the memory of dying objects of the same size"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-reused", "Number of dying objects whose memory is used again"),
            ("num-moved", "Number of parts that keep their owners"),
        ]
    }

    queries!(CountOps, Ownership, RegionFlow, ReuseOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (Some(counts), Some(reuse)) = (<dyn CountOps>::any(&ctx), <dyn ReuseOps>::any(&ctx)) else {
            return Ok(());
        };
        let (mut reused, mut moved) = (0, 0);
        for (more_reused, more_moved) in run.each_body(|body| reuse_in(body, &ctx, counts, reuse)) {
            (reused, moved) = (reused + more_reused, moved + more_moved);
        }
        run.count("num-reused", reused);
        run.count("num-moved", moved);
        Ok(())
    }
}

/// Reuses memory in a body; returns the numbers of reused objects and moved parts.
fn reuse_in(body: &mut Body, ctx: &Context, counts: &dyn CountOps, reuse: &dyn ReuseOps) -> (u64, u64) {
    let ops = body.walk();
    if !ops.iter().any(|&op| counts.is_count(body.op(op))) {
        return (0, 0);
    }
    let objects = Objects::new(body, &ops, ctx, counts);
    let mut reuser = Reuser {
        objects,
        counts,
        reuse,
        parts: FxHashMap::default(),
        inner: FxHashMap::default(),
        reused: 0,
        moved: 0,
    };
    let blocks: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
    for block in blocks {
        reuser.block(body, block);
    }
    (reuser.reused, reuser.moved)
}

/// The unpaired creations of objects, by size class, the nearest one last.
type Creations = FxHashMap<u32, Vec<Op>>;

struct Reuser<'a> {
    objects: Objects<'a>,
    counts: &'a dyn CountOps,
    reuse: &'a dyn ReuseOps,
    /// The operations in scope that read parts of an object.
    parts: FxHashMap<Value, Vec<Op>>,
    /// For each operation that executes one of its regions: the entry blocks with unpaired creations.
    inner: FxHashMap<Op, Vec<(Block, Creations)>>,
    reused: u64,
    moved: u64,
}

impl Reuser<'_> {
    /// Reuses memory in a block; returns the creations that are left.
    fn block(&mut self, body: &mut Body, block: Block) -> Creations {
        minoan_ir::with_stack(|| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut read: Vec<Value> = Vec::new();
            for &op in &ops {
                if let Some((operand, _)) = self.reuse.part(body.op(op)) {
                    let object = body.op(op).operand(operand);
                    self.parts.entry(object).or_default().push(op);
                    read.push(object);
                }
                if body.op(op).n_regions() > 0 {
                    self.regions(body, op);
                }
            }
            let order = Order::new(body, &ops);
            let mut left = Creations::default();
            for &op in ops.iter().rev() {
                // Skips counts that have been merged into a reset.
                if !body.contains(op) {
                    continue;
                }
                if let Some(class) = self.reuse.creates(body.op(op)) {
                    left.entry(class).or_default().push(op);
                } else if let Some(inner) = self.inner.get(&op) {
                    let mut most: FxHashMap<u32, usize> = FxHashMap::default();
                    for (&class, ops) in inner.iter().flat_map(|(_, left)| left) {
                        let most = most.entry(class).or_default();
                        *most = ops.len().max(*most);
                    }
                    for (class, count) in most {
                        left.entry(class).or_default().extend(std::iter::repeat_n(op, count));
                    }
                } else if let Some(object) = self.dropped(body, op) {
                    self.drop(body, op, object, &order, &mut left);
                }
            }
            for object in read {
                self.parts.get_mut(&object).map(Vec::pop);
            }
            left
        })
    }

    /// Reuses memory in the regions of an operation.
    fn regions(&mut self, body: &mut Body, op: Op) {
        let blocks: Vec<Vec<Block>> =
            body.op(op).own_regions().map(|region| body.region(region).blocks().collect()).collect();
        let all_there = blocks.iter().all(|blocks| blocks.len() == 1);
        let flow = self.objects.flow(body, op);
        let once = flow.is_some_and(|flow| flow.execution(body.op(op)) == RegionExecution::ExactlyOne);
        let mut inner = Vec::new();
        for block in blocks.into_iter().flatten() {
            let left = self.block(body, block);
            inner.push((block, left));
        }
        if once && all_there && inner.iter().any(|(_, left)| left.values().any(|ops| !ops.is_empty())) {
            self.inner.insert(op, inner);
        }
    }

    /// The object whose owner an operation drops.
    fn dropped(&self, body: &Body, op: Op) -> Option<Value> {
        let view = body.op(op);
        let is_drop = self.counts.is_count(view) && view.n_operands() == 1 && view.n_results() == 0;
        let object = is_drop.then(|| view.operand(0))?;
        self.takes(body, op, object).then_some(object)
    }

    fn takes(&self, body: &Body, op: Op, object: Value) -> bool {
        self.objects.uses(body, op).iter().any(|(value, uses)| *value == object && uses.taken > 0)
    }

    /// Replaces a drop by a reset, if that pays.
    fn drop(&mut self, body: &mut Body, op: Op, object: Value, order: &Order, left: &mut Creations) {
        let Some(parts) = self.parts.get(&object) else { return };
        let Some(&known) = parts.last() else { return };
        let Some((_, class)) = self.reuse.part(body.op(known)) else { return };
        let kept: Vec<(Op, Op)> =
            parts.iter().filter_map(|&part| Some((part, self.own_owner(body, part, op, order)?))).collect();
        let creation = left.get_mut(&class).and_then(Vec::pop);
        if kept.is_empty() && creation.is_none() {
            return;
        }
        let loc = body.op(op).loc();
        let reads: Vec<Op> = kept.iter().map(|&(part, _)| part).collect();
        let memory = self.reuse.reset(&mut Builder::before(body, op).with_loc(loc), known, &reads);
        match creation {
            Some(creation) => {
                self.reused += 1;
                self.assign(body, creation, class, memory);
            }
            None => self.counts.drop(&mut Builder::before(body, op).with_loc(loc), memory),
        }
        self.moved += kept.len() as u64;
        kept.into_iter().for_each(|(_, dup)| body.erase(dup));
        body.erase(op);
    }

    /// The operation that adds an owner to a part, if the owner can be added as late as at the drop of the object.
    fn own_owner(&self, body: &Body, part: Op, drop: Op, order: &Order) -> Option<Op> {
        // A part without a position is read in an enclosing block, before this one.
        let (first, &last) = (order.positions.get(&part).copied().unwrap_or(0), order.positions.get(&drop)?);
        let value = body.op(part).result(0);
        let uses = || body.uses(value).map(|at| at.op);
        let within = |op: &Op| order.positions.get(op).is_some_and(|at| (first..last).contains(at));
        let dup = uses()
            .find(|op| within(op) && self.counts.is_count(body.op(*op)) && !self.takes(body, *op, value))?;
        let stays = order.regions[first] == order.regions[last]
            && uses().filter(|op| *op != dup && within(op)).all(|op| !self.takes(body, op, value));
        stays.then_some(dup)
    }

    /// Lets a creation take memory; in regions without one, the memory is freed.
    fn assign(&mut self, body: &mut Body, creation: Op, class: u32, memory: Value) {
        let Some(mut inner) = self.inner.remove(&creation) else {
            return self.reuse.reuse(body, creation, memory);
        };
        for (block, left) in &mut inner {
            match (left.get_mut(&class).and_then(Vec::pop), body.block(*block).first()) {
                (Some(creation), _) => self.assign(body, creation, class, memory),
                (None, Some(first)) => {
                    let loc = body.op(first).loc();
                    let mut b = Builder::new(body, InsertionPoint::Before(first)).with_loc(loc);
                    self.counts.drop(&mut b, memory);
                }
                (None, None) => {}
            }
        }
        self.inner.insert(creation, inner);
    }
}

/// The order of the operations of a block.
struct Order {
    positions: FxHashMap<Op, usize>,
    /// For each position, the number of operations with regions before it.
    regions: Vec<usize>,
}

impl Order {
    fn new(body: &Body, ops: &[Op]) -> Self {
        let before = ops.iter().scan(0, |count, &op| {
            let before = *count;
            *count += usize::from(body.op(op).n_regions() > 0);
            Some(before)
        });
        Self { regions: before.collect(), positions: ops.iter().copied().zip(0..).collect() }
    }
}
