//! `place-counts`: makes the owners of objects on the heap explicit.
//!
//! Before the pass an object is used any number of times and never freed. After it, every object has a count of owners:
//! `CountOps` adds and removes them.
//!
//! * A result is an owner, unless it is a part of an operand. The block that defines it either passes it on at its last use
//!   or drops it there, so objects are freed as early as possible.
//! * An operand is borrowed, or its ownership is taken, according to `Ownership`. Terminators take the operands that they
//!   forward, and operations take those that they forward to their regions, whose arguments are owners (`RegionFlow`). An
//!   owner is added where ownership is taken and the value is used again, or is borrowed.
//! * Functions borrow their arguments, except for those that `infer-borrow` lets them take, and their results are owners.
//! * The regions of an operation that executes exactly one of them take the values that die with the operation. Loops
//!   borrow the values that they capture, and those that `infer-borrow` lets them carry without being owners.
//! * A part of a borrowed value is borrowed: traversing an argument does not change counts.
//!
//! Structured control flow is required where objects are owned: a function with objects has regions of one block. The time
//! is linear in the number of operations and of captured values per nesting level.

use crate::analysis::owners::{Objects, TAKES, Uses, indices};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, Builder, Context, InsertionPoint, Op, Traits, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{CountOps, Ownership, RegionExecution, RegionFlow, ResultOwner};
use rustc_hash::{FxHashMap, FxHashSet};

/// Places reference counts.
pub struct PlaceCounts;

impl Pass for PlaceCounts {
    fn name(&self) -> &'static str {
        "place-counts"
    }

    fn description(&self) -> &'static str {
        "make the owners of objects on the heap explicit by reference counts"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-dups", "Number of added owners"), ("num-drops", "Number of removed owners")]
    }

    queries!(CountOps, Ownership, RegionFlow);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(counts) = <dyn CountOps>::any(&ctx) else { return Ok(()) };
        let takes = ctx.name(TAKES);
        let outcomes = run.each_body_with(
            || (),
            |(), owner, body| place(body, &ctx, counts, &indices(&ctx, owner.attrs.get(&ctx, takes))),
        );
        let (mut errors, mut dups, mut drops) = (Diagnostics::new(), 0, 0);
        for outcome in outcomes {
            match outcome {
                Ok((more_dups, more_drops)) => (dups, drops) = (dups + more_dups, drops + more_drops),
                Err(error) => errors.push(error),
            }
        }
        run.count("num-dups", dups);
        run.count("num-drops", drops);
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

/// Places the counts of a body that owns the arguments `takes`; returns the numbers of inserted increments and decrements.
fn place(
    body: &mut Body,
    ctx: &Context,
    counts: &dyn CountOps,
    takes: &[usize],
) -> Result<(u64, u64), Diagnostic> {
    let ops = body.walk();
    let is_counted = |value: Value| counts.is_counted(ctx, body.ty(value));
    let results = || ops.iter().flat_map(|&op| body.op(op).results());
    let entry: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
    let args = || entry.iter().flat_map(|&block| body.block(block).args());
    if !results().any(is_counted) && !args().any(is_counted) {
        return Ok((0, 0));
    }
    if let Some(&op) = ops.iter().find(|&&op| counts.is_count(body.op(op))) {
        let message = format!(
            "'{}' op is a reference-count operation, but the input of place-counts must have none",
            body.op(op).name()
        );
        return Err(Diagnostic::error(message).at(body.op(op).loc().place(ctx)));
    }
    let regions = body.regions().chain(ops.iter().flat_map(|&op| body.op(op).own_regions()));
    for region in regions.collect::<Vec<_>>() {
        let blocks: Vec<Block> = body.region(region).blocks().collect();
        if let [first, _, ..] = blocks[..] {
            let op = body.block(first).first().or_else(|| body.region(region).parent());
            let place = op.map(|op| body.op(op).loc().place(ctx)).unwrap_or_default();
            let error = Diagnostic::error("owners of objects can only be placed in structured control flow");
            return Err(error.at(place));
        }
    }
    let objects = Objects::new(body, &ops, ctx, counts);
    let mut placer = Placer { objects, counts, borrowed: FxHashSet::default(), dups: 0, drops: 0 };
    for block in entry {
        let args: Vec<Value> = body.block(block).args().collect();
        let taken: Vec<Value> = takes.iter().filter_map(|&index| args.get(index).copied()).collect();
        placer.borrowed.extend(args.into_iter().filter(|arg| !taken.contains(arg)));
        placer.block(body, block, &taken, false);
    }
    Ok((placer.dups, placer.drops))
}

struct Placer<'a> {
    objects: Objects<'a>,
    counts: &'a dyn CountOps,
    /// Borrowed values, which another owner keeps alive as long as they are in scope.
    borrowed: FxHashSet<Value>,
    dups: u64,
    drops: u64,
}

impl Placer<'_> {
    fn dup(&mut self, body: &mut Body, point: InsertionPoint, at: Op, value: Value) {
        let loc = body.op(at).loc();
        self.counts.dup(&mut Builder::new(body, point).with_loc(loc), value);
        self.dups += 1;
    }

    fn drop(&mut self, body: &mut Body, point: InsertionPoint, at: Op, value: Value) {
        let loc = body.op(at).loc();
        self.counts.drop(&mut Builder::new(body, point).with_loc(loc), value);
        self.drops += 1;
    }

    /// Places the counts of a block, which owns `inherited`, and its arguments if `owns_args`.
    fn block(&mut self, body: &mut Body, block: Block, inherited: &[Value], owns_args: bool) {
        minoan_ir::with_stack(|| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let all: Vec<Vec<(Value, Uses)>> = ops.iter().map(|&op| self.objects.uses(body, op)).collect();
            let mut last_use: FxHashMap<Value, usize> = FxHashMap::default();
            for (position, uses) in all.iter().enumerate() {
                last_use.extend(uses.iter().map(|&(value, _)| (value, position)));
            }
            let args: Vec<Value> =
                body.block(block).args().filter(|&arg| self.objects.is_counted(body, arg)).collect();
            let (lent, own): (Vec<Value>, Vec<Value>) =
                args.into_iter().partition(|&arg| self.objects.borrows(arg));
            self.borrowed.extend(lent);
            let own_args = own.into_iter().filter(|_| owns_args);
            let mut owned: FxHashSet<Value> = FxHashSet::default();
            for value in inherited.iter().copied().chain(own_args) {
                match (last_use.contains_key(&value), ops.first()) {
                    (true, _) => _ = owned.insert(value),
                    (false, Some(&first)) => self.drop(body, InsertionPoint::Before(first), first, value),
                    (false, None) => {}
                }
            }
            for (position, (&op, uses)) in ops.iter().zip(all).enumerate() {
                let next = ops.get(position + 1).copied();
                let after = next.map_or(InsertionPoint::End(block), InsertionPoint::Before);
                let is_last = |value: &Value| last_use.get(value) == Some(&position);
                self.op(body, op, &uses, after, &mut owned, &is_last);
                self.results(body, op, after, &mut owned, &|value| last_use.contains_key(&value));
            }
        });
    }

    /// Places the counts of the operands and regions of an operation.
    fn op(
        &mut self,
        body: &mut Body,
        op: Op,
        uses: &[(Value, Uses)],
        after: InsertionPoint,
        owned: &mut FxHashSet<Value>,
        is_last: &dyn Fn(&Value) -> bool,
    ) {
        let before = InsertionPoint::Before(op);
        // An empty region cannot drop the objects that are passed to it.
        let all_there = body.op(op).own_regions().all(|region| !body.region(region).is_empty());
        let flow = self.objects.flow(body, op);
        let once =
            all_there && flow.is_some_and(|flow| flow.execution(body.op(op)) == RegionExecution::ExactlyOne);
        let (mut passed_on, mut dead) = (Vec::new(), Vec::new());
        for &(value, Uses { taken, borrowed, captured }) in uses {
            let dies = is_last(&value) && owned.remove(&value);
            let mut missing = taken;
            if dies && taken > 0 && borrowed == 0 && !captured {
                missing -= 1;
            } else if dies && once && captured && taken == 0 && borrowed == 0 {
                passed_on.push(value);
            } else if dies {
                dead.push(value);
            }
            for _ in 0..missing {
                self.dup(body, before, op, value);
            }
        }
        let owns_args = self.objects.flow(body, op).is_some();
        for region in body.op(op).own_regions().collect::<Vec<_>>() {
            for block in body.region(region).blocks().collect::<Vec<_>>() {
                self.block(body, block, &passed_on, owns_args);
            }
        }
        let point = if body.op(op).has_trait(Traits::TERMINATOR) { before } else { after };
        for value in dead {
            self.drop(body, point, op, value);
        }
    }

    /// Decides who owns the results of an operation.
    fn results(
        &mut self,
        body: &mut Body,
        op: Op,
        after: InsertionPoint,
        owned: &mut FxHashSet<Value>,
        is_used: &dyn Fn(Value) -> bool,
    ) {
        let results: Vec<Value> = body.op(op).results().collect();
        for (index, result) in results.into_iter().enumerate() {
            if !self.objects.is_counted(body, result) {
                continue;
            }
            if self.objects.borrows(result) {
                self.borrowed.insert(result);
                continue;
            }
            let is_new = match self.counts.owner(body.op(op), index) {
                ResultOwner::Operand(operand) if self.borrowed.contains(&body.op(op).operand(operand)) => {
                    self.borrowed.insert(result);
                    continue;
                }
                ResultOwner::Operand(_) | ResultOwner::Shared if !is_used(result) => continue,
                ResultOwner::Operand(_) | ResultOwner::Shared => {
                    self.dup_first(body, op, after, result);
                    false
                }
                ResultOwner::Itself => {
                    self.counts.mark(body, op);
                    true
                }
            };
            if is_used(result) {
                owned.insert(result);
            } else if is_new {
                self.drop(body, after, op, result);
            }
        }
    }

    /// Adds an owner of a result directly after the operation, before the owner of the operand may be dropped.
    fn dup_first(&mut self, body: &mut Body, op: Op, after: InsertionPoint, result: Value) {
        let point = body.op(op).next().map_or(after, InsertionPoint::Before);
        self.dup(body, point, op, result);
    }
}
