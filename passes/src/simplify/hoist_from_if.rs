//! `hoist-from-if`: hoists operations common to all branches of a conditional.
//!
//! If exactly one of an operation's regions executes, an operation that occurs in all of them, with equal operands
//! and attributes, is executed unconditionally: it is hoisted before the conditional, unless a preceding operation of
//! its region may end the execution or write what it reads. Inner conditionals are visited first, so that common
//! operations can be hoisted further. The time is linear.

use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Loc, Op, OpKind, OpRef, Traits, Type, Value};
use minoan_pass::{Pass, PassRun, queries, requires};
use minoan_services::{EffectSet, Effects, RegionExecution, RegionFlow, Speculation, SpeculationTable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Hoists common operations out of conditionals.
pub struct HoistFromIf;

impl Pass for HoistFromIf {
    fn name(&self) -> &'static str {
        "hoist-from-if"
    }

    fn description(&self) -> &'static str {
        "hoist operations that all regions of a condition have in common"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-hoisted", "Number of operations hoisted, those of all regions counted as one")]
    }

    requires!(RegionFlow);

    queries!(Effects, Speculation);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let hoisted = run.each_body(hoist);
        run.count("num-hoisted", hoisted.into_iter().sum());
        Ok(())
    }
}

/// Hoists operations of a body, without nested bodies; returns their number.
pub fn hoist(body: &mut Body) -> u64 {
    body.walk().into_iter().rev().map(|op| hoist_from(body, op)).sum()
}

/// The identity of an operation: equal keys compute equal results.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: OpKind,
    props: Attr,
    attrs: Attr,
    operands: SmallVec<[Value; 4]>,
    results: SmallVec<[Type; 2]>,
}

impl Key {
    fn of(op: OpRef<'_>) -> Key {
        Key {
            kind: op.kind(),
            props: op.props(),
            attrs: op.attrs(),
            operands: op.operands().collect(),
            results: op.result_types().collect(),
        }
    }
}

fn hoist_from(body: &mut Body, condition: Op) -> u64 {
    let Some(blocks) = alternatives(body, condition) else { return 0 };
    let mut hoisted = 0;
    let mut others: Vec<Ready> = blocks[1..].iter().map(|&block| Ready::new(body, block)).collect();
    let mut first = Ready::new(body, blocks[0]);
    while let Some(op) = first.step(body) {
        let key = Key::of(body.op(op));
        let twins: Option<Vec<Op>> = others.iter_mut().map(|ready| ready.find(body, &key)).collect();
        let Some(twins) = twins else { continue };
        body.move_op(op, InsertionPoint::Before(condition));
        hoisted += 1;
        for (twin, ready) in twins.into_iter().zip(&mut others) {
            ready.known.remove(&key);
            if body.op(op).loc() != body.op(twin).loc() {
                body.set_loc(op, Loc::UNKNOWN);
            }
            let results: SmallVec<[Value; 2]> = body.op(op).results().collect();
            body.replace(twin, &results);
            results.into_iter().for_each(|result| ready.is_outside(body, result));
        }
    }
    hoisted
}

/// The blocks of a conditional, exactly one of which executes; `None` for other operations.
fn alternatives(body: &Body, op: Op) -> Option<SmallVec<[Block; 2]>> {
    let view = body.op(op);
    if view.n_regions() < 2 || view.has_trait(Traits::ISOLATED) {
        return None;
    }
    if body.context().service::<dyn RegionFlow>(view.kind())?.execution(view) != RegionExecution::ExactlyOne {
        return None;
    }
    let single = |region| {
        let mut blocks = body.region(region).blocks();
        blocks.next().filter(|_| blocks.next().is_none())
    };
    view.own_regions().map(single).collect()
}

/// The operations of a region that can be hoisted, in order.
struct Ready {
    block: Block,
    next: Option<Op>,
    /// Union of the effects of the operations visited so far.
    before: EffectSet,
    /// The visited operations that can be hoisted.
    known: FxHashMap<Key, Op>,
    /// The visited operations that can be hoisted once their operands are available outside.
    waiting: FxHashSet<Op>,
}

impl Ready {
    fn new(body: &Body, block: Block) -> Self {
        Ready {
            block,
            next: body.block(block).first(),
            before: EffectSet::NONE,
            known: FxHashMap::default(),
            waiting: FxHashSet::default(),
        }
    }

    /// The next operation that can be hoisted.
    fn step(&mut self, body: &Body) -> Option<Op> {
        while let Some(op) = self.next {
            let view = body.op(op);
            self.next = view.next();
            let effects = if view.n_regions() > 0 { EffectSet::UNKNOWN } else { <dyn Effects>::of(view) };
            let may_leave = self.may_leave(view, effects);
            self.before = self.before.and(effects);
            if may_leave && self.operands_outside(view) {
                return Some(op);
            }
            if may_leave {
                self.waiting.insert(op);
            }
        }
        None
    }

    fn may_leave(&self, op: OpRef<'_>, effects: EffectSet) -> bool {
        if op.has_trait(Traits::TERMINATOR) || op.n_results() == 0 {
            return false;
        }
        let changed = EffectSet::WRITE.and(EffectSet::FREE).and(EffectSet::OUTSIDE);
        let stopped = EffectSet::OUTSIDE;
        match effects {
            EffectSet::NONE => {
                SpeculationTable::new(op.context()).is_harmless(op) || !self.before.intersects(stopped)
            }
            EffectSet::READ => !self.before.intersects(changed),
            _ => false,
        }
    }

    fn operands_outside(&self, op: OpRef<'_>) -> bool {
        op.operands().all(|value| op.body().block_of(value) != Some(self.block))
    }

    /// Marks a value as available outside, which may unblock operations.
    fn is_outside(&mut self, body: &Body, value: Value) {
        for used in body.uses(value) {
            let view = body.op(used.op);
            if self.waiting.contains(&used.op) && self.operands_outside(view) {
                self.waiting.remove(&used.op);
                self.known.entry(Key::of(view)).or_insert(used.op);
            }
        }
    }

    /// The operation with this key that can be hoisted. Visits no more operations than necessary.
    fn find(&mut self, body: &Body, key: &Key) -> Option<Op> {
        if let Some(&op) = self.known.get(key) {
            return Some(op);
        }
        while let Some(op) = self.step(body) {
            let found = Key::of(body.op(op));
            let same = found == *key;
            self.known.entry(found).or_insert(op);
            if same {
                return Some(op);
            }
        }
        None
    }
}
