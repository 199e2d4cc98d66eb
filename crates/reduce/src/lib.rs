//! Makes a module that shows a bug small, while it goes on to show it.
//!
//! [`reduce`] tries edits, from the coarse to the fine, and keeps each after which a predicate still holds: it erases
//! operations, puts what is inside an operation in its place, makes functions declarations, uses earlier values, and drops attributes
//! and locations. It knows no dialect; those that answer [`Reduce`](minoan_services::Reduce) add simpler forms of their operations.
//! An edit that breaks a module is found by the verifier and taken back.
//!
//! Guarantees:
//! * The result satisfies the predicate, and verifies if the input does.
//! * The same input and predicate give the same result.
//! * With `n` operations of which `k` are needed, about `k log n` candidates are tried in each round.
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

/// How far a reduction is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Operations that are left.
    pub operations: usize,
    /// Candidates tried so far.
    pub tried: usize,
    /// Which round over all kinds of edits, from one.
    pub round: usize,
}

/// The smallest module found for which `interesting` holds, starting from one for which it does.
///
/// `progress` hears of each candidate.
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

/// The number of operations of a module, nested ones included, without the top-level one.
pub fn size(module: &Module) -> usize {
    let all: usize = bodies(module.body()).iter().map(|body| body.walk().len()).sum();
    // An unregistered top-level operation stands among them.
    if std::ptr::eq(module.body(), module.holder()) { all - 1 } else { all }
}

/// How much there is: operations, blocks, and ways from block to block.
fn parts(module: &Module) -> usize {
    let of_op = |body: &Body, op| {
        let view = body.op(op);
        let blocks: usize = view.regions().map(|region| body.region(region).blocks().len()).sum();
        1 + view.n_successors() + blocks
    };
    let of_body = |body: &Body| {
        let own: usize = body.regions().map(|region| body.region(region).blocks().len()).sum();
        own + body.walk().into_iter().map(|op| of_op(body, op)).sum::<usize>()
    };
    bodies(module.body()).into_iter().map(of_body).sum()
}

/// A body and those inside it, in the order of [`edit::paths`].
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
    /// Applies edits of one kind to as many operations as possible: to half of them at once, then to a quarter,
    /// down to single ones. Says whether anything was kept.
    fn minimize(&mut self, kind: Kind) -> bool {
        let mut changed = false;
        let mut chunk = self.sites(kind).len().div_ceil(2);
        while chunk > 0 {
            // From the end: users go before what they use.
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

    /// Operations on which an edit may do something.
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

    /// Keeps an edit if the module is still interesting afterwards.
    fn attempt(&mut self, edit: &Edit<'_>) -> bool {
        let mut candidate = self.best.clone();
        if !edit.apply(&mut candidate) || (self.must_verify && verify(&candidate).is_err()) {
            return false;
        }
        // What a dialect takes for simpler must be so by a measure that ends.
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
