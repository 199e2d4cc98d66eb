//! Operations without users and without observable effects.

use minoan_ir::{Body, Context, Op, OpRef, Traits};
use minoan_services::{EffectsTable, Liveness};

/// Decides whether operations are dead: their results have no uses, and neither they nor the operations inside them have an
/// observable effect.
///
/// An inner operation that has such an effect is cached for all operations around it, so that asking about each of many
/// nested operations stays linear.
pub struct DeadOps<'c> {
    effects: EffectsTable<'c>,
    /// By operation: an operation inside it that is not removable.
    kept_by: Vec<Option<Op>>,
}

impl<'c> DeadOps<'c> {
    /// Creates the analysis for bodies of a context; call [`forget`](Self::forget) before each body.
    pub fn new(ctx: &'c Context) -> Self {
        Self { effects: EffectsTable::new(ctx), kept_by: Vec::new() }
    }

    /// Clears the cache: operations may have moved.
    pub fn forget(&mut self, body: &Body) {
        self.kept_by.clear();
        self.kept_by.resize(body.op_capacity(), None);
    }

    /// Whether an operation is dead.
    #[inline]
    pub fn is_dead(&mut self, body: &Body, op: Op) -> bool {
        let view = body.op(op);
        if view.results().any(|result| body.is_used(result)) {
            return false;
        }
        let traits = view.traits();
        let kept = [Traits::TERMINATOR, Traits::SYMBOL, Traits::ISOLATED];
        if kept.into_iter().any(|kept| traits.has(kept)) || !self.removable(view) {
            return false;
        }
        !<dyn Liveness>::is_part_of_terminator(view)
            && (view.n_regions() == 0 || self.removable_inside(body, op))
    }

    /// Whether an operation itself, without its regions, has no observable effect.
    fn removable(&self, op: OpRef<'_>) -> bool {
        self.effects.own(op).removable()
    }

    fn removable_inside(&mut self, body: &Body, op: Op) -> bool {
        let mut pending = vec![op];
        while let Some(at) = pending.pop() {
            let view = body.op(at);
            let known = self.kept_by.get(at.index()).copied().flatten().filter(|&inner| body.contains(inner));
            let kept_by = known.or_else(|| (at != op && !self.removable(view)).then_some(at));
            if let Some(inner) = kept_by {
                self.remember(body, op, at, inner);
                return false;
            }
            for block in view.own_regions().flat_map(|region| body.region(region).blocks()) {
                pending.extend(body.block(block).ops());
            }
        }
        true
    }

    /// Caches that `inner`, which is `at` or inside it, keeps all operations from there up to `op`.
    fn remember(&mut self, body: &Body, op: Op, at: Op, inner: Op) {
        for around in body.op(at).ancestors() {
            if around.own_regions().len() > 0 {
                if self.kept_by.len() <= around.id().index() {
                    self.kept_by.resize(body.op_capacity(), None);
                }
                self.kept_by[around.id().index()] = Some(inner);
            }
            if around.id() == op {
                return;
            }
        }
    }
}
