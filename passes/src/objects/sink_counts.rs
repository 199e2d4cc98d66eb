//! `sink-counts`: sinks reference-count increments to their uses.
//!
//! `place-counts` adds an owner to a field of an owned object where the field is read. The object itself keeps the field alive
//! for some time more, so the owner can be added later, or never:
//!
//! * A `dup` of a field followed by its `drop`, with the parent live in between, cancels.
//! * If the next use of the field is an operation that executes exactly one of its regions and uses the field in some of them,
//!   and the field is not used afterwards, the `dup` moves to the start of each region. In regions that do not use the field, it
//!   cancels with the `drop` there.
//!
//! `reuse-objects` then finds the increments and the drop of the object in one block, and moves the fields. The time is linear in
//! the number of operations and of captured values per nesting level.

use crate::analysis::owners::{Objects, Uses};
use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Builder, Context, InsertionPoint, Op, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{CountOps, Ownership, RegionExecution, RegionFlow, ResultOwner};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sinks increments of reference counts into branches, and removes those that a decrement cancels.
pub struct SinkCounts;

impl Pass for SinkCounts {
    fn name(&self) -> &'static str {
        "sink-counts"
    }

    fn description(&self) -> &'static str {
        "sink reference-count increments to their uses"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-sunk", "Number of added owners moved into branches"),
            ("num-removed", "Number of added owners that are dropped again"),
        ]
    }

    queries!(CountOps, Ownership, RegionFlow);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(counts) = <dyn CountOps>::any(&ctx) else { return Ok(()) };
        let (mut sunk, mut removed) = (0, 0);
        for (more_sunk, more_removed) in run.each_body(|body| sink_in(body, &ctx, counts)) {
            (sunk, removed) = (sunk + more_sunk, removed + more_removed);
        }
        run.count("num-sunk", sunk);
        run.count("num-removed", removed);
        Ok(())
    }
}

/// Moves owners in a body; returns the numbers of moved and removed ones.
fn sink_in(body: &mut Body, ctx: &Context, counts: &dyn CountOps) -> (u64, u64) {
    let ops = body.walk();
    if !ops.iter().any(|&op| counts.is_count(body.op(op))) {
        return (0, 0);
    }
    let mut sinking = Sinking { objects: Objects::new(body, &ops, ctx, counts), counts, sunk: 0, removed: 0 };
    let blocks: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
    for block in blocks {
        sinking.block(body, block);
    }
    (sinking.sunk, sinking.removed)
}

/// The uses of values in a block, by position.
type Events = FxHashMap<Value, Vec<(usize, Uses)>>;

/// The action on an added owner.
enum Change {
    /// Erase it together with the drop at this position.
    Remove(usize),
    /// Move it into the regions of this operation.
    Sink(Op),
}

struct Sinking<'a> {
    objects: Objects<'a>,
    counts: &'a dyn CountOps,
    sunk: u64,
    removed: u64,
}

impl Sinking<'_> {
    fn block(&mut self, body: &mut Body, block: Block) {
        minoan_ir::with_stack(|| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut events = Events::default();
            for (position, &op) in ops.iter().enumerate() {
                for (value, uses) in self.objects.uses(body, op) {
                    events.entry(value).or_default().push((position, uses));
                }
            }
            let mut gone: FxHashSet<usize> = FxHashSet::default();
            for (position, &op) in ops.iter().enumerate() {
                if gone.contains(&position) {
                    continue;
                }
                let Some(part) = self.added(body, op) else { continue };
                let Some(change) = self.change(body, &ops, position, part, &events, &gone) else { continue };
                let loc = body.op(op).loc();
                match change {
                    Change::Remove(drop) => {
                        gone.insert(drop);
                        body.erase(ops[drop]);
                        self.removed += 1;
                    }
                    Change::Sink(choice) => {
                        for inner in blocks(body, choice) {
                            let first = body.block(inner).first();
                            let point = first.map_or(InsertionPoint::End(inner), InsertionPoint::Before);
                            self.counts.dup(&mut Builder::new(body, point).with_loc(loc), part);
                        }
                        self.sunk += 1;
                    }
                }
                gone.insert(position);
                body.erase(op);
            }
            for (_, &op) in ops.iter().enumerate().filter(|(position, _)| !gone.contains(position)) {
                for inner in blocks(body, op) {
                    self.block(body, inner);
                }
            }
        });
    }

    /// The value to which an operation adds an owner.
    fn added(&self, body: &Body, op: Op) -> Option<Value> {
        let view = body.op(op);
        let is_count = self.counts.is_count(view) && view.n_operands() == 1 && view.n_results() == 0;
        let value = is_count.then(|| view.operand(0))?;
        let uses = self.objects.uses(body, op);
        uses.iter().all(|(_, uses)| uses.taken == 0).then_some(value)
    }

    fn change(
        &self,
        body: &Body,
        ops: &[Op],
        position: usize,
        part: Value,
        events: &Events,
        gone: &FxHashSet<usize>,
    ) -> Option<Change> {
        let read = body.op(body.defining_op(part)?);
        let index = read.results().position(|result| result == part)?;
        let ResultOwner::Operand(operand) = self.counts.owner(read, index) else { return None };
        let whole = read.operand(operand);
        let later = |value: Value| {
            let all = events.get(&value).map_or(&[][..], |all| all);
            let first = all.partition_point(|&(at, _)| at <= position);
            all[first..].iter().filter(|(at, _)| !gone.contains(at))
        };
        let is_end = |uses: &Uses| uses.taken > 0 || uses.captured;
        let (end, uses) = later(part).find(|(_, uses)| is_end(uses))?;
        // The whole object must keep its owner up to `end`; the operation at `end` may release it.
        if later(whole).any(|(at, uses)| at < end && is_end(uses)) {
            return None;
        }
        let view = body.op(ops[*end]);
        if uses.taken > 0 {
            let is_drop = self.counts.is_count(view) && view.n_operands() == 1 && view.n_results() == 0;
            return is_drop.then_some(Change::Remove(*end));
        }
        let flow = self.objects.flow(body, ops[*end])?;
        let single = view.own_regions().all(|region| body.region(region).blocks().len() == 1);
        let is_last = later(part).next_back().is_some_and(|(at, _)| at == end);
        (single && is_last && flow.execution(view) == RegionExecution::ExactlyOne)
            .then_some(Change::Sink(ops[*end]))
    }
}

/// The blocks in the regions of an operation.
fn blocks(body: &Body, op: Op) -> Vec<Block> {
    body.op(op).own_regions().flat_map(|region| body.region(region).blocks()).collect()
}
