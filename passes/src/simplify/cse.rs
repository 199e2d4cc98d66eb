//! `cse`: replaces an operation by an equivalent one that dominates it.
//!
//! An operation without side effects is eliminated if an equivalent one dominates it: of the same kind, with equal
//! attributes, operands, result types, and regions. The operands of commutative operations are unordered. An
//! operation that only reads memory is eliminated if an equivalent one precedes it in its block without an
//! intervening write. An assertion is erased if one with the same condition dominates it, also where their messages differ.
//! Dead operations are erased when they are visited.
//!
//! Expressions available before an operation are available in its regions; those computed in a region are removed at
//! its end. Operations with regions are hashed with the values from outside that they use, at any depth. The time is linear
//! in the number of operations, except for comparisons of nested equal regions.

use minoan_diag::Diagnostics;
use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Context, Loc, Op, OpRef, Region, ServiceTable, Traits, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{Assertion, EffectSet, Effects, EffectsTable, Liveness};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// Eliminates common subexpressions.
pub struct Cse;

impl Pass for Cse {
    fn name(&self) -> &'static str {
        "cse"
    }

    fn description(&self) -> &'static str {
        "eliminate common subexpressions"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-cse'd", "Number of operations CSE'd"), ("num-dce'd", "Number of operations DCE'd")]
    }

    queries!(Effects, Assertion);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let done = run.each_body_with(
            || Eliminator::new(&ctx),
            |eliminator, op, body| {
                let graph = ctx.info(op.kind).is_some_and(|info| info.traits.has(Traits::GRAPH_REGION));
                eliminator.run(body, !graph);
                eliminator.take_statistics()
            },
        );
        run.count("num-cse'd", done.iter().map(|done| done.replaced).sum());
        run.count("num-dce'd", done.iter().map(|done| done.dead).sum());
        Ok(())
    }
}

/// Statistics of the pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CseStatistics {
    /// `num-cse'd`: operations replaced by an equivalent one.
    pub replaced: u64,
    /// `num-dce'd`: dead operations.
    pub dead: u64,
    /// Pairs of operations of equal hash that were compared.
    pub compared: u64,
}

/// Eliminates common subexpressions in one body after another, reusing its tables.
pub struct Eliminator<'c> {
    effects: EffectsTable<'c>,
    assertions: Option<&'c ServiceTable<dyn Assertion>>,
    known: AvailableOps,
    steps: Vec<Step>,
    inside: Vec<Inside>,
    /// For each block, the number of operations of the body around it; `u32::MAX` for unvisited blocks.
    depths: Vec<u32>,
    /// The number of possible writes so far.
    writes: u32,
    statistics: CseStatistics,
}

/// Properties of the operations nested in the current operation.
#[derive(Clone, Copy)]
struct Inside {
    effects: EffectSet,
    hash: u64,
    /// Sum over the operands inside that are defined outside.
    free: u64,
    /// The part of `free` that is defined in the block of the operation, and so is not free in the operation around that block.
    local: u64,
}

impl Inside {
    const NOTHING: Inside = Inside { effects: EffectSet::NONE, hash: 0, free: 0, local: 0 };
}

enum Step {
    /// The rest of a block. At its end, the table is truncated to `mark`.
    Block { next: Option<Op>, mark: usize, ordered: bool },
    /// A block, with the blocks that it dominates.
    Dominating(Block),
    /// A region of an operation.
    Region(Region, bool),
    /// The end of an operation's regions.
    Close(Op, bool),
}

impl<'c> Eliminator<'c> {
    /// Creates the state for bodies of a context.
    pub fn new(ctx: &'c Context) -> Self {
        Self {
            effects: EffectsTable::new(ctx),
            assertions: ctx.service_table(),
            known: AvailableOps::default(),
            steps: Vec::new(),
            inside: Vec::new(),
            depths: Vec::new(),
            writes: 0,
            statistics: CseStatistics::default(),
        }
    }

    /// Returns and resets the statistics.
    pub fn take_statistics(&mut self) -> CseStatistics {
        std::mem::take(&mut self.statistics)
    }

    /// Runs on a body, without nested bodies; `ordered` is whether its regions have SSA dominance.
    pub fn run(&mut self, body: &mut Body, ordered: bool) {
        let mut dominance = None;
        self.depths.clear();
        self.depths.resize(body.block_capacity(), u32::MAX);
        self.inside.push(Inside::NOTHING);
        self.steps.extend(body.regions().map(|region| Step::Region(region, ordered)));
        while let Some(step) = self.steps.last_mut() {
            match *step {
                Step::Block { next: Some(op), ordered, .. } => {
                    let view = body.op(op);
                    let following = view.next();
                    if let Step::Block { next, .. } = step {
                        *next = following;
                    }
                    if view.n_regions() == 0 || view.has_trait(Traits::ISOLATED) {
                        self.visit(body, op, Inside::NOTHING, ordered);
                    } else {
                        let inner = !view.has_trait(Traits::GRAPH_REGION);
                        self.inside.push(Inside::NOTHING);
                        self.steps.push(Step::Close(op, ordered));
                        self.steps.extend(view.own_regions().rev_regions(inner));
                    }
                }
                Step::Block { next: None, mark, .. } => {
                    self.steps.pop();
                    self.known.forget(mark);
                }
                Step::Dominating(block) => {
                    self.steps.pop();
                    let first = body.block(block).first();
                    // The steps of dominated blocks lie above the block's own step on the stack: they see its
                    // expressions, which the step below them removes.
                    let mark = self.known.len();
                    self.steps.push(Step::Block { next: None, mark, ordered: true });
                    let dominance: &Dominance = dominance.get_or_insert_with(|| Dominance::of(body));
                    let children = dominance.children(block).iter().rev();
                    self.steps.extend(children.map(|&child| Step::Dominating(child)));
                    self.steps.push(Step::Block { next: first, mark: usize::MAX, ordered: true });
                }
                Step::Region(region, ordered) => {
                    self.steps.pop();
                    let depth = self.inside.len() as u32 - 1;
                    body.region(region).blocks().for_each(|block| self.depths[block.index()] = depth);
                    let mut blocks = body.region(region).blocks();
                    match (blocks.next(), blocks.next()) {
                        (Some(entry), Some(_)) => self.steps.push(Step::Dominating(entry)),
                        (Some(entry), None) => {
                            let next = body.block(entry).first();
                            self.steps.push(Step::Block { next, mark: self.known.len(), ordered });
                        }
                        (None, _) => {}
                    }
                }
                Step::Close(op, ordered) => {
                    self.steps.pop();
                    let inside = self.inside.pop().expect("one for each operation with regions");
                    self.visit(body, op, inside, ordered);
                }
            }
        }
        self.inside.clear();
        self.known.forget(0);
    }

    /// Visits an operation whose regions have been processed.
    fn visit(&mut self, body: &mut Body, op: Op, inside: Inside, ordered: bool) {
        let view = body.op(op);
        let (traits, kind) = (view.traits(), view.kind());
        let own = self.effects.own(view);
        let effects = own.and(inside.effects);
        let kept = traits.has(Traits::TERMINATOR)
            || traits.has(Traits::SYMBOL)
            || traits.has(Traits::ISOLATED)
            || <dyn Liveness>::is_part_of_terminator(view);
        if !kept && effects.removable() && !view.results().any(|result| body.is_used(result)) {
            body.erase(op);
            self.statistics.dead += 1;
            return;
        }
        let assertions = self.assertions;
        let asserted = condition(assertions, view);
        if let Some(value) = asserted
            && ordered
        {
            let hash = hash_of_assertion(value);
            let is_equal = |earlier| condition(assertions, body.op(earlier)) == Some(value);
            let found = self.known.find(hash, &mut self.statistics.compared, is_equal);
            if found.is_some() {
                body.erase(op);
                self.statistics.replaced += 1;
                return;
            }
            self.known.insert(op, Key { hash, writes: self.writes }, None);
        }
        let may_write = own.intersects(EffectSet::WRITE.and(EffectSet::FREE).and(EffectSet::OUTSIDE));
        if may_write && asserted.is_none() {
            self.writes += 1;
        }
        let reads = effects == EffectSet::READ;
        if !kept && (effects == EffectSet::NONE || (reads && ordered)) && single_blocks(view) {
            let nested = inside.hash ^ inside.free.rotate_left(32);
            let key = Key { hash: hash_of(view, traits, nested), writes: self.writes };
            let is_equal = |earlier| is_equal(body.op(earlier), view, traits);
            let found = self.known.find(key.hash, &mut self.statistics.compared, is_equal);
            if let Some((at, earlier)) = found
                && (!reads || self.known.reaches(body, at, view, self.writes))
            {
                replace(body, op, earlier);
                self.statistics.replaced += 1;
                return;
            }
            self.known.insert(op, key, found.map(|(at, _)| at));
        }
        for value in body.op(op).operands() {
            let block = body.block_of(value).map_or(u32::MAX, |block| self.depths[block.index()]);
            // The entries after `block` are the enclosing operations that do not contain the definition of the operand.
            if let Some(around) = self.inside.get_mut(block as usize + 1..).and_then(<[Inside]>::first_mut) {
                let term = spread(value.index());
                around.local = around.local.wrapping_add(term);
                let innermost = self.inside.last_mut().expect("the body's own");
                innermost.free = innermost.free.wrapping_add(term);
            }
        }
        let outer = self.inside.last_mut().expect("the body's own");
        outer.free = outer.free.wrapping_add(inside.free.wrapping_sub(inside.local));
        outer.effects = outer.effects.and(effects);
        let mut hasher = FxHasher::default();
        hasher.write_u64(outer.hash);
        hasher.write_u32(kind.index() as u32);
        hasher.write_u64((body.op(op).props().index() as u64) << 32 | inside.hash & 0xffff_ffff);
        outer.hash = hasher.finish();
    }
}

/// The condition of an assertion.
fn condition(assertions: Option<&ServiceTable<dyn Assertion>>, op: OpRef<'_>) -> Option<Value> {
    assertions?.get(op.kind()).map(|service| op.operand(service.condition(op)))
}

/// The regions of an operation as steps, the first on top.
trait RevRegions {
    fn rev_regions(self, ordered: bool) -> impl Iterator<Item = Step>;
}

impl<I: Iterator<Item = Region>> RevRegions for I {
    fn rev_regions(self, ordered: bool) -> impl Iterator<Item = Step> {
        let regions: smallvec::SmallVec<[Region; 2]> = self.collect();
        regions.into_iter().rev().map(move |region| Step::Region(region, ordered))
    }
}

/// Replaces an operation by an earlier one; the earlier one inherits the location if it has none.
fn replace(body: &mut Body, op: Op, earlier: Op) {
    if body.op(earlier).loc() == Loc::UNKNOWN {
        let loc = body.op(op).loc();
        body.set_loc(earlier, loc);
    }
    for index in 0..body.op(op).n_results() {
        let (from, to) = (body.op(op).result(index), body.op(earlier).result(index));
        body.replace_all_uses(from, to);
    }
    body.erase(op);
}

fn single_blocks(op: OpRef<'_>) -> bool {
    op.n_regions() == 0 || op.own_regions().all(|region| op.body().region(region).blocks().len() <= 1)
}

fn hash_of(op: OpRef<'_>, traits: Traits, inside: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64((op.kind().index() as u64) << 32 | op.props().index() as u64);
    if traits.has(Traits::COMMUTATIVE) {
        // A commutative hash.
        let sum = op.operands().map(|value| spread(value.index())).fold(0u64, u64::wrapping_add);
        hasher.write_u64(sum);
    } else {
        op.operands().for_each(|value| hasher.write_u32(value.index() as u32));
    }
    hasher.write_u64(inside);
    // The low bits select the slot.
    hasher.finish() ^ hasher.finish() >> 32
}

/// A hash that differs from those of operations with this operand.
fn hash_of_assertion(condition: Value) -> u64 {
    spread(condition.index()).rotate_left(32)
}

fn spread(index: usize) -> u64 {
    (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[derive(Clone, Copy)]
struct Key {
    hash: u64,
    /// The number of possible writes before the operation.
    writes: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    op: Op,
    /// The index of the entry that previously occupied the slot, plus one.
    instead_of: u32,
}

/// A scoped hash table of available operations, whose entries are removed in reverse order of insertion.
#[derive(Default)]
struct AvailableOps {
    /// The index of an entry plus one, or zero. The length is a power of two.
    slots: Vec<u32>,
    entries: Vec<Entry>,
}

impl AvailableOps {
    fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entry of a hash whose operation satisfies `is_equal`, and that operation. Adds the comparisons to `compared`.
    #[inline]
    fn find(&self, hash: u64, compared: &mut u64, is_equal: impl Fn(Op) -> bool) -> Option<(usize, Op)> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        while let Some(number) = (self.slots[at] as usize).checked_sub(1) {
            let entry = self.entries[number];
            if entry.key.hash == hash {
                *compared += 1;
                if is_equal(entry.op) {
                    return Some((number, entry.op));
                }
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Whether entry `at` is in the block of `op`, without a possible write in between.
    fn reaches(&self, body: &Body, at: usize, op: OpRef<'_>, writes: u32) -> bool {
        let entry = self.entries[at];
        entry.key.writes == writes && body.op(entry.op).block() == op.block()
    }

    /// Inserts an operation; reuses the slot of an equivalent one.
    fn insert(&mut self, op: Op, key: Key, instead_of: Option<usize>) {
        let instead_of = instead_of.map_or(0, |at| at as u32 + 1);
        self.entries.push(Entry { key, op, instead_of });
        if self.entries.len() * 2 > self.slots.len() {
            self.slots = vec![0; (self.slots.len() * 2).max(256)];
            (0..self.entries.len()).for_each(|number| self.place(number));
        } else {
            self.place(self.entries.len() - 1);
        }
    }

    /// The slot in the probe sequence of a hash that holds `wanted`.
    fn slot(&self, hash: u64, wanted: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != wanted {
            at = (at + 1) & mask;
        }
        at
    }

    fn place(&mut self, number: usize) {
        let Entry { key, instead_of, .. } = self.entries[number];
        let at = self.slot(key.hash, instead_of);
        self.slots[at] = number as u32 + 1;
    }

    /// Removes all entries from `mark` on. Entries are removed in reverse order, so probe sequences stay intact.
    fn forget(&mut self, mark: usize) {
        while self.entries.len() > mark {
            let number = self.entries.len() as u32;
            let Entry { key, instead_of, .. } = self.entries[number as usize - 1];
            let at = self.slot(key.hash, number);
            self.slots[at] = instead_of;
            self.entries.pop();
        }
    }
}

/// Whether two operations are equivalent.
fn is_equal(a: OpRef<'_>, b: OpRef<'_>, traits: Traits) -> bool {
    let shell = |a: OpRef<'_>, b: OpRef<'_>| {
        a.kind() == b.kind()
            && a.props() == b.props()
            && a.attrs() == b.attrs()
            && a.n_operands() == b.n_operands()
            && a.n_results() == b.n_results()
            && a.n_regions() == b.n_regions()
            && a.result_types().eq(b.result_types())
    };
    if !shell(a, b) || !same_operands(a, b, traits, |value| value) {
        return false;
    }
    if a.n_regions() == 0 {
        return true;
    }
    let body = a.body();
    let mut twins: FxHashMap<Value, Value> = FxHashMap::default();
    let mut pending: Vec<(OpRef<'_>, OpRef<'_>)> = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        for (left, right) in a.own_regions().zip(b.own_regions()) {
            let (left, right) = (body.region(left), body.region(right));
            if left.blocks().len() != right.blocks().len() || left.blocks().len() > 1 {
                return false;
            }
            let (Some(left), Some(right)) = (left.entry(), right.entry()) else { continue };
            let (left, right) = (body.block(left), body.block(right));
            if left.n_args() != right.n_args() || left.len() != right.len() {
                return false;
            }
            for (left, right) in left.args().zip(right.args()) {
                if body.ty(left) != body.ty(right) {
                    return false;
                }
                twins.insert(left, right);
            }
            for (left, right) in left.ops().zip(right.ops()) {
                let (left, right) = (body.op(left), body.op(right));
                let twin = |value: Value| twins.get(&value).copied().unwrap_or(value);
                if left.has_trait(Traits::ISOLATED)
                    || left.n_successors() + right.n_successors() > 0
                    || !shell(left, right)
                    || !same_operands(left, right, left.traits(), twin)
                {
                    return false;
                }
                twins.extend(left.results().zip(right.results()));
                if left.n_regions() > 0 {
                    pending.push((left, right));
                }
            }
        }
    }
    true
}

fn same_operands(a: OpRef<'_>, b: OpRef<'_>, traits: Traits, twin: impl Fn(Value) -> Value) -> bool {
    if a.operands().map(&twin).eq(b.operands()) {
        return true;
    }
    if !traits.has(Traits::COMMUTATIVE) {
        return false;
    }
    let mut left: smallvec::SmallVec<[usize; 4]> = a.operands().map(|value| twin(value).index()).collect();
    let mut right: smallvec::SmallVec<[usize; 4]> = b.operands().map(Value::index).collect();
    left.sort_unstable();
    right.sort_unstable();
    left == right
}
