//! `replay-assertions`: executes a loop again if an assertion in it fails, to determine the values of the message.
//!
//! An optimizer checks a condition that is affine in the iteration before a loop without effects, and need not find the first
//! iteration that fails. It cannot do so if the message of the assertion shows a value of that iteration. Such an assertion loses
//! its values, and where its condition is false, a copy of the outermost loop around it without effects is executed before
//! it: the copy has all assertions with their values, and fails exactly where the program would have.
//!
//! An assertion is replayed if its condition is computed without reading memory, in the body of a loop that only reads memory. The copies
//! of a nest together have at most [`MOST`] operations; further assertions keep their values. The time is linear in the
//! size of the body.

use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Body, Builder, Context, InsertionPoint, Mapping, Op, OpRef, ServiceTable, Traits, Value,
};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{Assertion, EffectSet, Effects, EffectsTable, IndexOps, LoopLike, LoopOps};
use rustc_hash::{FxHashMap, FxHashSet};

/// Upper bound on the operations in the copies of a nest.
const MOST: usize = 512;

/// Replays loops whose assertions fail.
pub struct ReplayAssertions;

impl Pass for ReplayAssertions {
    fn name(&self) -> &'static str {
        "replay-assertions"
    }

    fn description(&self) -> &'static str {
        "execute loops again whose assertions fail, to determine the values of the message"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-replayed", "Number of assertions before which a loop is executed again")]
    }

    queries!(Assertion, LoopLike, Effects, IndexOps, LoopOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(tables) = Tables::of(&ctx) else { return Ok(()) };
        for replayed in run.each_body(|body| replay(body, &tables)) {
            run.count("num-replayed", replayed);
        }
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    assertions: &'c ServiceTable<dyn Assertion>,
    loops: &'c ServiceTable<dyn LoopLike>,
    effects: EffectsTable<'c>,
    index_ops: &'c dyn IndexOps,
    loop_ops: &'c dyn LoopOps,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            assertions: ctx.service_table()?,
            loops: ctx.service_table()?,
            effects: EffectsTable::new(ctx),
            index_ops: <dyn IndexOps>::any(ctx)?,
            loop_ops: <dyn LoopOps>::any(ctx)?,
        })
    }

    /// Whether an operation is a loop.
    fn is_loop(&self, op: OpRef<'_>) -> bool {
        self.loops.get(op.kind()).is_some()
    }

    /// Whether an operation is a loop that is not a copy of one that `hoist-assertions` executes for its assertions alone.
    fn is_root(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        let is_conditional = op.parent().is_some_and(|parent| !self.is_loop(body.op(parent)));
        self.is_loop(op) && (!is_conditional || op.results().any(|result| body.is_used(result)))
    }

    /// Whether an operation in a nest, without those in its regions, may be executed again.
    fn only_reads(&self, op: OpRef<'_>) -> bool {
        let is_read = matches!(self.effects.own(op), EffectSet::NONE | EffectSet::READ);
        !op.has_trait(Traits::ISOLATED) && (is_read || self.assertions.get(op.kind()).is_some())
    }
}

/// The place of an operation in a nest.
#[derive(Clone, Copy)]
struct Place {
    /// The outermost loop without effects around the operation.
    root: Op,
    /// Whether every operation between the two is a loop.
    only_loops: bool,
}

/// The places of the operations that are in a nest.
type Places = FxHashMap<Op, Place>;

/// Treats the nests of a body; returns the number of assertions that are replayed.
fn replay(body: &mut Body, tables: &Tables<'_>) -> u64 {
    let ops: Vec<Op> = body.walk().into_iter().collect();
    if !ops.iter().any(|&op| tables.assertions.get(body.op(op).kind()).is_some()) {
        return 0;
    }
    let places = places(body, tables, &ops);
    // The numbers of nested operations. In reverse of pre-order, these come before those around them.
    let mut sizes: FxHashMap<Op, usize> = FxHashMap::default();
    for &op in ops.iter().rev() {
        let own = sizes.get(&op).copied().unwrap_or(0) + 1;
        if let Some(parent) = body.op(op).parent() {
            *sizes.entry(parent).or_default() += own;
        }
    }
    let mut found: Vec<(Op, Vec<Op>)> = Vec::new();
    // Operations in a nest that have effects or regions, and those that depend on them.
    let mut impure: FxHashSet<Op> = FxHashSet::default();
    for &op in &ops {
        let Some(&Place { root, only_loops }) = places.get(&op) else { continue };
        let view = body.op(op);
        let is_impure = |value: Value| body.defining_op(value).is_some_and(|op| impure.contains(&op));
        if view.n_regions() > 0
            || tables.effects.own(view) != EffectSet::NONE
            || view.operands().any(is_impure)
        {
            impure.insert(op);
        }
        if !only_loops || !is_replayed(body, tables, root, op, &impure) {
            continue;
        }
        match found.last_mut().filter(|(last, _)| *last == root) {
            Some((_, asserts)) if (asserts.len() + 1) * sizes[&root] <= MOST => asserts.push(op),
            Some(_) => {}
            None if sizes[&root] <= MOST => found.push((root, vec![op])),
            None => {}
        }
    }
    let mut replayed = 0;
    for (root, asserts) in found {
        replayed += asserts.len() as u64;
        rewrite(body, tables, root, &asserts);
    }
    replayed
}

/// The places of operations in nests; `ops` are all operations in pre-order.
fn places(body: &Body, tables: &Tables<'_>, ops: &[Op]) -> Places {
    let mut others: FxHashSet<Op> = FxHashSet::default();
    // In reverse of pre-order, nested operations come before those around them.
    for &op in ops.iter().rev() {
        let view = body.op(op);
        if others.contains(&op) || !tables.only_reads(view) {
            others.insert(op);
            others.extend(view.parent());
        }
    }
    let mut places = Places::default();
    for &op in ops {
        let Some(parent) = body.op(op).parent() else { continue };
        let is_loop = tables.is_loop(body.op(parent));
        let is_root = || !others.contains(&parent) && tables.is_root(body.op(parent));
        let place = match places.get(&parent) {
            Some(around) => Place { only_loops: around.only_loops && is_loop, ..*around },
            None if is_root() => Place { root: parent, only_loops: true },
            None => continue,
        };
        places.insert(op, place);
    }
    places
}

/// Whether an assertion in the nest of `root` shows values of an iteration, and has a condition that does not depend on `impure`
/// operations.
fn is_replayed(body: &Body, tables: &Tables<'_>, root: Op, op: Op, impure: &FxHashSet<Op>) -> bool {
    let view = body.op(op);
    let Some(assertion) = tables.assertions.get(view.kind()) else { return false };
    let condition = view.operand(assertion.condition(view));
    let varies = |value: Value| !<dyn LoopLike>::is_outside(body, root, value);
    assertion.values(view).any(|at| varies(view.operand(at)))
        && body.defining_op(condition).is_none_or(|producer| !impure.contains(&producer))
}

/// Replaces assertions in the nest of `root` by those that replay it.
fn rewrite(body: &mut Body, tables: &Tables<'_>, root: Op, asserts: &[Op]) {
    // Every copy is one of the nest with all assertions.
    let original = body.clone_op(root, InsertionPoint::Before(root), &mut Mapping::new());
    for &op in asserts {
        let view = body.op(op);
        let Some(assertion) = tables.assertions.get(view.kind()) else { continue };
        let (condition, loc) = (view.operand(assertion.condition(view)), view.loc());
        let mut b = Builder::before(body, op).with_loc(loc);
        let mut replay = |b: &mut Builder<'_>| {
            let place = b.insertion_point();
            b.body_mut().clone_op(original, place, &mut Mapping::new());
            let never = tables.index_ops.constant(b, Attr::FALSE);
            assertion.without_values(b, op, never);
            Vec::new()
        };
        tables.loop_ops.choose(&mut b, condition, &[], &mut |_| Vec::new(), &mut replay);
        body.erase(op);
    }
    body.erase(original);
}
