//! The greedy pattern rewrite driver: folds and applies patterns until a fixed point.

mod fold;
mod state;

use crate::attempt::{Attempt, Observer, try_pattern};
use crate::constants::{Constants, Seen};
use crate::dead::DeadOps;
use crate::regions::{branching, erase_unreachable_blocks};
use crate::walk::{Order, walk};
use crate::worklist::Worklist;
use crate::{
    CfgStatistics, Event, FrozenPatterns, Gate, Listener, Statistics, Trace, eliminate_dead_code,
    merge_identical_blocks, simplify_cfg,
};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Context, Op, Region};
use minoan_services::Folder;
use state::State;
use std::fmt;

/// Simplification of control flow by the driver between iterations. Unreachable blocks are always erased.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegionSimplify {
    /// No simplification.
    Disabled,
    /// Erases unreachable blocks, and dead block arguments and operations of regions with several blocks.
    #[default]
    Normal,
    /// In addition forwards block arguments that have one incoming value, and merges identical blocks.
    Aggressive,
}

/// The limits of the driver. The defaults are those of `mlir-opt`'s `canonicalize`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedyConfig {
    /// Whether operations are initially visited in text order; otherwise in reverse.
    pub top_down: bool,
    /// Whether operations are folded.
    pub fold: bool,
    /// Limit on the number of iterations over all operations; `None` if unlimited.
    pub max_iterations: Option<u32>,
    /// Limit on the number of rewrites per iteration; `None` if unlimited.
    pub max_num_rewrites: Option<u64>,
    /// Limit on the number of applications of one pattern, and of in-place folds, per body; `None` for a limit
    /// proportional to the size of the body. When it is reached, the driver leaves the body as it is and emits a
    /// warning.
    pub max_pattern_rewrites: Option<u64>,
    /// The simplification of regions.
    pub region_simplify: RegionSimplify,
}

impl Default for GreedyConfig {
    fn default() -> Self {
        Self {
            top_down: true,
            fold: true,
            max_iterations: Some(10),
            max_num_rewrites: None,
            max_pattern_rewrites: None,
            region_simplify: RegionSimplify::Normal,
        }
    }
}

/// A limit of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// A number of iterations.
    Iterations(u32),
    /// A number of rewrites per iteration.
    Rewrites(u64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        match *self {
            Bound::Iterations(count) => write!(f, "{count} iteration{}", plural(count.into())),
            Bound::Rewrites(count) => {
                write!(f, "{count} application{} of patterns in an iteration", plural(count))
            }
        }
    }
}

/// The outcome of the driver on a body.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether the body was changed.
    pub changed: bool,
    /// Whether a fixed point was reached within the limits.
    pub converged: bool,
    /// The limit that was reached.
    pub bound: Option<Bound>,
    /// A warning for each pattern whose limit was reached.
    pub diagnostics: Diagnostics,
}

/// Folds and applies patterns to bodies, one after another, until a fixed point.
///
/// An iteration first erases unreachable blocks, then puts all operations on a worklist and takes one after another from it:
/// dead operations are erased, operations that fold are replaced, and the patterns are tried on the others. Changed operations
/// and their users return to the worklist, with the operations around changed terminators. Constants of equal value and type
/// are merged at the front of the entry block. Iterations follow until one changes nothing.
///
/// The result depends only on the body, the patterns and the configuration. Isolated operations have their own
/// bodies, which are not entered and can be processed in parallel.
pub struct GreedyDriver<'p> {
    patterns: &'p FrozenPatterns,
    config: GreedyConfig,
    state: State<'p>,
    gate: Option<Gate<'p>>,
    created: Vec<Op>,
    statistics: Statistics,
}

impl<'p> GreedyDriver<'p> {
    /// Creates a driver for bodies of the context that the patterns were frozen for.
    pub fn new(patterns: &'p FrozenPatterns, config: GreedyConfig) -> Self {
        let state = State { worklist: Worklist::default(), trace: None, listener: None, edits: 0 };
        let statistics = Statistics::new(patterns);
        Self { patterns, config, state, gate: None, created: Vec::new(), statistics }
    }

    /// Sets a gate. It is queried with `fold` before an operation is folded, with `erase-dead` before a dead
    /// operation is erased, and with `apply-pattern` and then the name of the pattern before a pattern is tried. An
    /// action that is skipped may be executed in a later iteration, as another action.
    #[must_use]
    pub fn with_gate(mut self, gate: Gate<'p>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Sets a trace that receives all events.
    #[must_use]
    pub fn with_trace(mut self, trace: &'p mut (dyn Trace + Send)) -> Self {
        self.state.trace = Some(trace);
        self
    }

    /// Sets a listener for all edits.
    #[must_use]
    pub fn with_listener(mut self, listener: &'p mut (dyn Listener + Send)) -> Self {
        self.state.listener = Some(listener);
        self
    }

    /// The statistics over all bodies.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Runs on a body, without nested bodies.
    pub fn run(&mut self, body: &mut Body) -> Outcome {
        let ctx = body.context().clone();
        let mut run = Run {
            driver: self,
            folder: Folder::new(&ctx),
            ctx: &ctx,
            constants: Constants::default(),
            dead: DeadOps::new(&ctx),
            applied: Vec::new(),
            limit: 0,
            outcome: Outcome { converged: true, ..Outcome::default() },
        };
        run.all(body);
        run.outcome
    }

    /// Runs on a body and all nested bodies.
    pub fn run_nested(&mut self, body: &mut Body) -> Outcome {
        let mut total = Outcome { converged: true, ..Outcome::default() };
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            let Outcome { changed, converged, bound, diagnostics } = self.run(body);
            total.changed |= changed;
            total.converged &= converged;
            total.bound = total.bound.or(bound);
            total.diagnostics.append(diagnostics);
            let from = pending.len();
            pending.extend(body.nested_bodies_mut());
            pending[from..].reverse();
        }
        total
    }
}

/// The driver's run on one body.
struct Run<'r, 'p, 'c> {
    driver: &'r mut GreedyDriver<'p>,
    ctx: &'c Context,
    folder: Folder<'c>,
    constants: Constants,
    dead: DeadOps<'c>,
    /// The number of applications of each pattern in this body; the last entry counts in-place folds.
    applied: Vec<u64>,
    limit: u64,
    outcome: Outcome,
}

impl Run<'_, '_, '_> {
    fn all(&mut self, body: &mut Body) {
        self.applied = vec![0; self.driver.patterns.len() + 1];
        let config = self.driver.config.clone();
        self.limit = config
            .max_pattern_rewrites
            .unwrap_or_else(|| 10_000u64.saturating_add(64 * body.op_capacity() as u64));
        let mut iteration = 0;
        loop {
            if let Some(most) = config.max_iterations.filter(|&most| iteration >= most) {
                self.outcome.converged = false;
                self.outcome.bound = Some(Bound::Iterations(most));
                return;
            }
            iteration += 1;
            self.driver.statistics.iterations += 1;
            self.driver.state.notify(body, Event::Iteration(iteration));
            // In unreachable code values may use themselves, and patterns on them need not terminate.
            self.outcome.changed |= erase_unreachable_blocks(body);
            let mut changed = self.seed(body);
            self.dead.forget(body);
            let Some(rewritten) = self.iteration(body) else {
                self.driver.state.worklist.clear();
                self.outcome.changed = true;
                self.outcome.converged = false;
                return;
            };
            changed |= rewritten;
            if config.region_simplify != RegionSimplify::Disabled {
                // Patterns erase other dead code, but not cycles through block arguments.
                changed |= !branching(body).is_empty() && eliminate_dead_code(body);
            }
            if config.region_simplify == RegionSimplify::Aggressive {
                let merged = merge_identical_blocks(body);
                changed |= merged > 0 || simplify_cfg(body) != CfgStatistics::default();
            }
            self.outcome.changed |= changed;
            // Constants that were only moved need no further visit.
            if !changed {
                return;
            }
        }
    }

    /// Fills the worklist and merges constants; returns whether one was moved or erased.
    fn seed(&mut self, body: &mut Body) -> bool {
        let mut changed = false;
        let roots: Vec<Region> = body.regions().collect();
        let top_down = self.driver.config.top_down;
        let order = if top_down { Order::Pre } else { Order::Post };
        for root in roots {
            for (op, scope) in walk(body, root, order) {
                match self.constants.see(body, scope, op) {
                    Seen::NotConstant => self.driver.state.worklist.push(op),
                    Seen::Kept { moved } => {
                        self.outcome.changed |= moved;
                        self.driver.state.worklist.push(op);
                    }
                    Seen::Duplicate(first) => {
                        let value = body.op(first).result(0);
                        self.driver.state.notify(body, Event::Visit(op));
                        self.driver.state.notify(body, Event::DuplicateConstant);
                        self.driver.state.notify_listener(|listener| {
                            listener.replaced(body, op, &[value]);
                            listener.erased(body, op);
                        });
                        body.replace(op, &[value]);
                        self.driver.statistics.duplicate_constants += 1;
                        changed = true;
                    }
                }
            }
        }
        if top_down {
            self.driver.state.worklist.reverse();
        }
        changed
    }

    /// Processes the worklist until it is empty; returns whether anything changed. `None` if the limit of a pattern
    /// was reached.
    fn iteration(&mut self, body: &mut Body) -> Option<bool> {
        let mut changed = false;
        let mut left = self.driver.config.max_num_rewrites;
        while let Some(op) = self.driver.state.worklist.pop(body) {
            if left == Some(0) {
                self.outcome.converged = false;
                self.outcome.bound = self.driver.config.max_num_rewrites.map(Bound::Rewrites);
                self.driver.state.worklist.clear();
                break;
            }
            self.driver.state.notify(body, Event::Visit(op));
            if self.dead.is_dead(body, op) && self.permits("erase-dead") {
                self.driver.state.erased(body, op);
                self.driver.state.notify(body, Event::Dead);
                body.erase(op);
                self.driver.statistics.dead += 1;
                changed = true;
                continue;
            }
            if self.driver.config.fold && self.fold(body, op)? {
                changed = true;
                continue;
            }
            if self.apply(body, op)? {
                changed = true;
                left = left.map(|left| left - 1);
            }
        }
        Some(changed)
    }

    fn permits(&self, step: &str) -> bool {
        self.driver.gate.is_none_or(|gate| gate(step))
    }

    /// Tries the patterns on an operation; returns whether one applied.
    fn apply(&mut self, body: &mut Body, op: Op) -> Option<bool> {
        let GreedyDriver { patterns, state, gate, created, statistics, .. } = &mut *self.driver;
        let patterns: &FrozenPatterns = patterns;
        let explain = state.trace.is_some();
        for &number in patterns.of(body.op(op).kind()) {
            let pattern = patterns.pattern(number);
            let counts = &mut statistics.patterns[number as usize];
            let attempt = try_pattern(body, op, pattern, *gate, explain, created, state);
            counts.tried += u64::from(!matches!(attempt, Attempt::Skipped));
            match attempt {
                Attempt::Skipped | Attempt::NoMatch(_) => continue,
                Attempt::Applied => {}
                Attempt::Edited(no_match) => {
                    let warning = Diagnostic::warning(Attempt::edited(pattern.name()));
                    self.outcome.diagnostics.push(warning.note(format!("reason: {no_match}")));
                }
            }
            counts.applied += 1;
            self.count(body, op, number as usize)?;
            return Some(true);
        }
        Some(false)
    }

    /// Counts an application; `None` if the limit was reached.
    fn count(&mut self, body: &Body, op: Op, number: usize) -> Option<()> {
        self.applied[number] += 1;
        if self.applied[number] <= self.limit {
            return Some(());
        }
        let what = match u32::try_from(number) {
            Ok(pattern) if number < self.driver.patterns.len() => {
                format!("pattern '{}' was applied", self.driver.patterns.pattern(pattern).name())
            }
            _ => "operations were folded in place".to_owned(),
        };
        let mut warning =
            Diagnostic::warning(format!("{what} more than {} times: it may not terminate", self.limit));
        if let Ok(op) = body.try_op(op) {
            warning = warning.at(op.loc().place(self.ctx)).note(format!("the last time on '{}'", op.name()));
        }
        self.outcome.diagnostics.push(warning);
        None
    }
}
