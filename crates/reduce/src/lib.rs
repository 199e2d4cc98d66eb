//! Test-case reduction: minimizes a module while a predicate, such as "shows the bug", holds.
//!
//! [`reduce`] tries edits from coarse to fine and keeps each one after which the predicate still holds: it erases
//! operations, inlines regions, turns functions into declarations, replaces operands by earlier values, and drops
//! attributes and locations. It knows no dialect; dialects that implement [`Reduce`](minoan_services::Reduce) add
//! simplifications of their operations. An edit after which the module does not verify is rolled back.
//!
//! Guarantees:
//! * The result satisfies the predicate, and verifies if the input does.
//! * The result is deterministic: it depends only on the input and the predicate.
//! * With `n` operations, `k` of which are required, each round tries about `k log n` candidates.
//!
//! ```
//! use minoan_ir::{Builder, Context, Loc, Module, OpState};
//! let ctx = Context::bare();
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! for name in ["test.a", "test.culprit", "test.b"] {
//!     b.create(OpState::named(&ctx, name));
//! }
//! let has_culprit = |module: &Module| {
//!     module.body().walk().iter().any(|&op| module.body().op(op).name() == "test.culprit")
//! };
//! let small = minoan_reduce::reduce(&module, &mut |candidate| has_culprit(candidate), &mut |_| {});
//! assert_eq!(minoan_reduce::size(&small), 1);
//! ```
#![forbid(unsafe_code)]

mod edit;

use edit::{Edit, Kind, Site};
use minoan_ir::{Body, Module, verify::verify};

/// The progress of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of remaining operations.
    pub operations: usize,
    /// The number of candidates tried so far.
    pub tried: usize,
    /// The current round over all kinds of edits, starting from 1.
    pub round: usize,
}

/// Returns the smallest module found for which `interesting` holds; the input must satisfy it.
///
/// `progress` is called after each candidate.
pub fn reduce(
    module: &Module,
    interesting: &mut dyn FnMut(&Module) -> bool,
    progress: &mut dyn FnMut(Progress),
) -> Module {
    let must_verify = verify(module).is_ok();
    let mut reduction =
        Reduction { best: module.clone(), must_verify, interesting, progress, tried: 0, round: 0 };
    loop {
        reduction.round += 1;
        let mut changed = false;
        for kind in Kind::ALL {
            changed |= reduction.minimize(kind);
        }
        if !changed {
            return reduction.best;
        }
    }
}

/// The number of operations of a module, including nested ones and excluding the top-level operation.
pub fn size(module: &Module) -> usize {
    let all: usize = bodies(module.body()).iter().map(|body| body.walk().len()).sum();
    // The body of an unregistered top-level operation contains that operation.
    if std::ptr::eq(module.body(), module.holder()) { all - 1 } else { all }
}

/// The size of a module: operations, blocks and CFG edges.
fn parts(module: &Module) -> usize {
    let of_op = |body: &Body, op| {
        let view = body.op(op);
        let blocks: usize = view.own_regions().map(|region| body.region(region).blocks().len()).sum();
        1 + view.n_successors() + blocks
    };
    let of_body = |body: &Body| {
        let own: usize = body.regions().map(|region| body.region(region).blocks().len()).sum();
        own + body.walk().into_iter().map(|op| of_op(body, op)).sum::<usize>()
    };
    bodies(module.body()).into_iter().map(of_body).sum()
}

/// A body and all bodies nested in it, in the order of [`edit::paths`].
fn bodies(top: &Body) -> Vec<&Body> {
    let reach =
        |path: Vec<minoan_ir::Op>| path.iter().fold(top, |body, &op| body.nested(op).expect("a body's path"));
    edit::paths(top).into_iter().map(reach).collect()
}

struct Reduction<'a> {
    best: Module,
    must_verify: bool,
    interesting: &'a mut dyn FnMut(&Module) -> bool,
    progress: &'a mut dyn FnMut(Progress),
    tried: usize,
    round: usize,
}

impl Reduction<'_> {
    /// Applies edits of one kind to the largest possible number of operations: to halves of them, then to quarters, down to
    /// single operations. Returns whether an edit was kept.
    fn minimize(&mut self, kind: Kind) -> bool {
        let mut changed = false;
        let mut chunk = self.sites(kind).len().div_ceil(2);
        while chunk > 0 {
            // From the end, so that users are erased before the values they use.
            let mut end = self.sites(kind).len();
            while end > 0 {
                let sites = self.sites(kind);
                end = end.min(sites.len());
                let start = end.saturating_sub(chunk);
                changed |= self.attempt(&Edit { kind, sites: &sites[start..end] });
                end = start;
            }
            chunk /= 2;
        }
        changed
    }

    /// The operations to which an edit may apply.
    fn sites(&self, kind: Kind) -> Vec<Site> {
        let mut sites = Vec::new();
        for (number, body) in bodies(self.best.body()).into_iter().enumerate() {
            for (index, op) in body.walk().into_iter().enumerate() {
                let is_top = std::ptr::eq(body, self.best.holder()) && op == self.best.op();
                if !is_top && kind.applies(body, op) {
                    sites.push(Site { body: number, op: index });
                }
            }
        }
        sites
    }

    /// Applies an edit to a copy and keeps the copy if it is still interesting.
    fn attempt(&mut self, edit: &Edit<'_>) -> bool {
        let mut candidate = self.best.clone();
        if !edit.apply(&mut candidate) || (self.must_verify && verify(&candidate).is_err()) {
            return false;
        }
        // A dialect's simplification must decrease the size, so that the reduction terminates.
        if matches!(edit.kind, Kind::Simplify(_)) && parts(&candidate) >= parts(&self.best) {
            return false;
        }
        self.tried += 1;
        let progress = Progress { operations: size(&self.best), tried: self.tried, round: self.round };
        (self.progress)(progress);
        let keep = (self.interesting)(&candidate);
        if keep {
            self.best = candidate;
        }
        keep
    }
}
