//! `loop-invariant-code-motion`: hoists loop-invariant operations out of loops.
//!
//! An operation directly inside a loop moves before the loop if its operands are defined outside, and it and everything inside
//! it has no effects, terminates, and is speculatable ([`Speculation`]) because the loop may run zero times. Loops are visited
//! inside out, so an operation may leave several. The time is linear in the number of operations and of moves; moving an
//! operation with regions takes time linear in its size.

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Def, InsertionPoint, Op, OpRef, ServiceTable, Traits, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    Bound, EffectSet, Effects, EffectsTable, LoopLike, RegionExecution, RegionFlow, Speculatability,
    Speculation, SpeculationTable, constant_of,
};

/// Hoists operations out of loops.
pub struct LoopInvariantCodeMotion;

impl Pass for LoopInvariantCodeMotion {
    fn name(&self) -> &'static str {
        "loop-invariant-code-motion"
    }

    fn description(&self) -> &'static str {
        "hoist loop invariant instructions outside of the loop"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-hoisted", "Number of operations hoisted out of loops")]
    }

    queries!(LoopLike, RegionFlow, Effects, Speculation);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(loops) = ctx.service_table::<dyn LoopLike>() else { return Ok(()) };
        let moved = run.each_body(|body| leave_loops(body, loops));
        run.count("num-hoisted", moved.into_iter().sum());
        Ok(())
    }
}

/// Hoists operations of a body; returns the number of hoists.
fn leave_loops(body: &mut Body, loops: &ServiceTable<dyn LoopLike>) -> u64 {
    let order = body.walk();
    if !order.iter().any(|&op| loops.get(body.op(op).kind()).is_some()) {
        return 0;
    }
    let harmless = harmless(body, &order, loops);
    let mut levels = Levels::of(body, &order);
    let mut moved = 0;
    for &op in order.iter().rev() {
        let view = body.op(op);
        let Some(service) = loops.get(view.kind()) else { continue };
        for region in service.regions(view) {
            let blocks = body.region(region).blocks();
            let mut pending: Vec<Op> = blocks.rev().flat_map(|block| reversed(body, block)).collect();
            while let Some(inner) = pending.pop() {
                let view = body.op(inner);
                let inside = view.block().and_then(|block| body.block(block).region()) == Some(region);
                if !inside || !harmless[inner.index()] || !levels.move_out(body, op, inner) {
                    continue;
                }
                moved += 1;
                let results: Vec<Value> = body.op(inner).results().collect();
                pending.extend(results.into_iter().flat_map(|result| body.uses(result)).map(|user| user.op));
            }
        }
    }
    moved
}

/// The nesting depth of each operation.
struct Levels(Vec<u32>);

impl Levels {
    fn of(body: &Body, order: &[Op]) -> Self {
        let mut levels = vec![0; body.op_capacity()];
        for &op in order {
            levels[op.index()] = body.op(op).parent().map_or(0, |parent| levels[parent.index()] + 1);
        }
        Self(levels)
    }

    /// The depth of the operations in the block in which a value is defined.
    fn of_value(&self, body: &Body, value: Value) -> u32 {
        match body.def(value) {
            Def::Result(op, _) => self.0[op.index()],
            Def::Arg(block, _) => body.block(block).parent().map_or(0, |parent| self.0[parent.index()] + 1),
        }
    }

    /// Hoists an operation that is immediately nested in a loop; returns `false` if it uses a value of the loop.
    fn move_out(&mut self, body: &mut Body, around: Op, op: Op) -> bool {
        let (view, level) = (body.op(op), self.0[around.index()]);
        let region = view.block().and_then(|block| body.block(block).region());
        // In reachable code, operands are defined in enclosing blocks, so their depth identifies the block. Only a
        // region with several blocks has unreachable ones.
        let reached = region.is_some_and(|region| body.region(region).blocks().len() == 1);
        if view.n_regions() > 0 || !reached {
            let out = <dyn LoopLike>::try_move_out(body, around, op).is_ok();
            if out {
                self.rise(body, op);
            }
            return out;
        }
        let outside = view.operands().all(|value| self.of_value(body, value) <= level);
        if outside {
            body.move_op(op, InsertionPoint::Before(around));
            self.0[op.index()] = level;
        }
        outside
    }

    /// Decrements the depth of an operation and everything in it.
    fn rise(&mut self, body: &Body, op: Op) {
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            self.0[op.index()] -= 1;
            let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
    }
}

fn reversed(body: &Body, block: minoan_ir::Block) -> Vec<Op> {
    std::iter::successors(body.block(block).last(), |&op| body.op(op).prev()).collect()
}

/// For each operation: whether it is speculatable.
fn harmless(body: &Body, order: &[Op], loops: &ServiceTable<dyn LoopLike>) -> Vec<bool> {
    let mut harmless = vec![true; body.op_capacity()];
    let effects = EffectsTable::new(body.context());
    let speculation = SpeculationTable::new(body.context());
    // Nested operations follow an operation in `order`.
    for &op in order.iter().rev() {
        let view = body.op(op);
        let inner = harmless[op.index()] || view.has_trait(Traits::PURE);
        let kept = [Traits::TERMINATOR, Traits::SYMBOL, Traits::ISOLATED]
            .into_iter()
            .any(|kept| view.has_trait(kept));
        let own =
            effects.own(view) == EffectSet::NONE && speculation.of(view) != Speculatability::NotSpeculatable;
        harmless[op.index()] = inner && !kept && own && ends(view, loops);
        // A pure terminator only ends its region.
        let counts = !(view.has_trait(Traits::TERMINATOR) && view.has_trait(Traits::PURE));
        if let (false, true, Some(parent)) = (harmless[op.index()], counts, view.parent()) {
            harmless[parent.index()] = false;
        }
    }
    harmless
}

/// Whether the operation's regions execute a bounded number of times.
fn ends(op: OpRef<'_>, loops: &ServiceTable<dyn LoopLike>) -> bool {
    if op.n_regions() == 0 || op.has_trait(Traits::PURE) {
        return true;
    }
    let body = op.body();
    let single = op.own_regions().all(|region| body.region(region).blocks().len() <= 1);
    let runs = op.context().service::<dyn RegionFlow>(op.kind()).map(|flow| flow.execution(op));
    let bounded = match runs {
        Some(RegionExecution::ExactlyOne | RegionExecution::Parallel) => true,
        Some(RegionExecution::Repeated) | None => loops.get(op.kind()).is_some_and(|service| {
            let inductions = service.inductions(op);
            !inductions.is_empty() && inductions.iter().all(|induction| is_positive(op, induction.step))
        }),
    };
    single && bounded
}

fn is_positive(op: OpRef<'_>, step: Bound) -> bool {
    let constant = match step {
        Bound::Constant(attr) => Some(attr),
        Bound::Value(value) => constant_of(op.body(), value),
    };
    constant.and_then(|attr| attr.as_i64(op.context())).is_some_and(|step| step > 0)
}
