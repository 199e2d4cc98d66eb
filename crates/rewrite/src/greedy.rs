//! The greedy driver: folds and applies patterns until nothing changes.

use crate::constants::{Constants, Seen};
use crate::dead::DeadOps;
use crate::regions::erase_unreachable_blocks;
use crate::walk::walk;
use crate::worklist::Worklist;
use crate::{
    CfgStatistics, Event, FrozenPatterns, Gate, LEFT_OUT, Listener, NoMatch, Rewriter, Statistics, Trace,
    erase_unused_args, merge_identical_blocks, simplify_cfg,
};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Context, InsertionPoint, Op, Region, Traits, Value};
use minoan_services::{Change, ConstantMaterializer, FoldResult, Folded, Folder, Operands, constant_of};
use smallvec::SmallVec;
use std::fmt;

/// How the driver simplifies control flow between rounds. Unreachable blocks are always erased.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegionSimplify {
    /// Not at all.
    Disabled,
    /// Erases unreachable blocks and unused block arguments.
    #[default]
    Normal,
    /// In addition forwards block arguments that have one incoming value, and merges identical blocks.
    Aggressive,
}

/// How far the driver goes. The defaults are those of `mlir-opt`'s `canonicalize`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedyConfig {
    /// Whether operations are visited in text order at first; from the last to the first otherwise.
    pub top_down: bool,
    /// Whether operations are folded.
    pub fold: bool,
    /// Rounds over all operations; `None` for as many as it takes.
    pub max_iterations: Option<u32>,
    /// Applications of patterns in one round; `None` for any number.
    pub max_num_rewrites: Option<u64>,
    /// Applications of one pattern, and folds in place, in one body; `None` for a bound that grows with the body. A body
    /// where it is hit is left as it is then, with a warning.
    pub max_pattern_rewrites: Option<u64>,
    /// What is done to control flow.
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

/// A bound on what a driver does to one body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// So many rounds.
    Rounds(u32),
    /// So many applications of patterns in one round.
    Rewrites(u64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        match *self {
            Bound::Rounds(count) => write!(f, "{count} round{}", plural(count.into())),
            Bound::Rewrites(count) => {
                write!(f, "{count} application{} of patterns in a round", plural(count))
            }
        }
    }
}

/// What became of a body.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether it was changed.
    pub changed: bool,
    /// Whether no bound was hit: another run would change nothing.
    pub converged: bool,
    /// The bound on all patterns that was hit.
    pub bound: Option<Bound>,
    /// What is to be said: a warning for each bound on one pattern that was hit.
    pub diagnostics: Diagnostics,
}

/// Folds and applies patterns to bodies, one after another, until nothing changes.
///
/// A round first erases unreachable blocks, then puts all operations on a worklist and takes one after another from it:
/// dead operations are erased, operations that fold are replaced, and the patterns are tried on the others. Changed
/// operations and their users return to the worklist. Constants of equal value and type are merged at the front of the
/// entry block. Rounds follow until one changes nothing.
///
/// The result depends on nothing but the body, the patterns and the configuration. Isolated operations have bodies of their
/// own, which are not entered: they can be given to drivers in parallel.
pub struct GreedyDriver<'p> {
    patterns: &'p FrozenPatterns,
    config: GreedyConfig,
    state: State<'p>,
    gate: Option<Gate<'p>>,
    created: Vec<Op>,
    statistics: Statistics,
}

/// What hears of edits while the driver runs.
struct State<'p> {
    worklist: Worklist,
    trace: Option<&'p mut (dyn Trace + Send)>,
    listener: Option<&'p mut (dyn Listener + Send)>,
    edits: u64,
}

impl<'p> GreedyDriver<'p> {
    /// A driver for bodies of the context that the patterns were frozen for.
    pub fn new(patterns: &'p FrozenPatterns, config: GreedyConfig) -> Self {
        let state = State { worklist: Worklist::default(), trace: None, listener: None, edits: 0 };
        let statistics = Statistics::new(patterns);
        Self { patterns, config, state, gate: None, created: Vec::new(), statistics }
    }

    /// Asks before each step. The steps are `fold`, before an operation becomes what it folds to; `erase-dead`, before one
    /// that is dead goes; `apply-pattern`, and then the name of the pattern, before a pattern is tried. What is left out in
    /// one round may be done in the next one, as another step.
    #[must_use]
    pub fn with_gate(mut self, gate: Gate<'p>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Tells everything that happens to a log.
    #[must_use]
    pub fn with_trace(mut self, trace: &'p mut (dyn Trace + Send)) -> Self {
        self.state.trace = Some(trace);
        self
    }

    /// Tells every edit to a listener.
    #[must_use]
    pub fn with_listener(mut self, listener: &'p mut (dyn Listener + Send)) -> Self {
        self.state.listener = Some(listener);
        self
    }

    /// What was done so far, over all bodies.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Works on one body.
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

    /// Works on a body and on all bodies nested in it.
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

/// The driver on one body.
struct Run<'r, 'p, 'c> {
    driver: &'r mut GreedyDriver<'p>,
    ctx: &'c Context,
    folder: Folder<'c>,
    constants: Constants,
    dead: DeadOps<'c>,
    /// Applications of each pattern in this body; the last one counts folds in place.
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
        let mut round = 0;
        loop {
            if let Some(most) = config.max_iterations.filter(|&most| round >= most) {
                self.outcome.converged = false;
                self.outcome.bound = Some(Bound::Rounds(most));
                return;
            }
            round += 1;
            self.driver.statistics.rounds += 1;
            self.driver.state.tell(body, Event::Round(round));
            // Values of unreachable code may use themselves: patterns on them need not terminate.
            self.outcome.changed |= erase_unreachable_blocks(body);
            let mut changed = self.seed(body);
            self.dead.forget(body);
            let Some(rewritten) = self.round(body) else {
                self.driver.state.worklist.clear();
                self.outcome.changed = true;
                self.outcome.converged = false;
                return;
            };
            changed |= rewritten;
            if config.region_simplify != RegionSimplify::Disabled {
                changed |= erase_unreachable_blocks(body);
                changed |= erase_unused_args(body);
            }
            if config.region_simplify == RegionSimplify::Aggressive {
                let merged = merge_identical_blocks(body);
                changed |= merged > 0 || simplify_cfg(body) != CfgStatistics::default();
            }
            self.outcome.changed |= changed;
            // Constants that only moved need no second look.
            if !changed {
                return;
            }
        }
    }

    /// Puts all operations on the list, and makes constants unique; true when one was moved or went.
    fn seed(&mut self, body: &mut Body) -> bool {
        let mut changed = false;
        let roots: Vec<Region> = body.regions().collect();
        let top_down = self.driver.config.top_down;
        for root in roots {
            for (op, scope) in walk(body, root, top_down) {
                match self.constants.see(body, scope, op) {
                    Seen::NotConstant => self.driver.state.worklist.push(op),
                    Seen::Kept { moved } => {
                        self.outcome.changed |= moved;
                        self.driver.state.worklist.push(op);
                    }
                    Seen::Duplicate(first) => {
                        let value = body.op(first).result(0);
                        self.driver.state.tell(body, Event::Visit(op));
                        self.driver.state.tell(body, Event::DuplicateConstant);
                        self.driver.state.hear(|listener| {
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

    /// Works until the list is empty; true when something changed. `None` when a bound on one pattern was hit.
    fn round(&mut self, body: &mut Body) -> Option<bool> {
        let mut changed = false;
        let mut left = self.driver.config.max_num_rewrites;
        while let Some(op) = self.driver.state.worklist.pop(body) {
            if left == Some(0) {
                self.outcome.converged = false;
                self.outcome.bound = self.driver.config.max_num_rewrites.map(Bound::Rewrites);
                self.driver.state.worklist.clear();
                break;
            }
            self.driver.state.tell(body, Event::Visit(op));
            if self.dead.is_dead(body, op) && self.permits("erase-dead") {
                self.driver.state.erased(body, op);
                self.driver.state.tell(body, Event::Dead);
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

    /// Folds an operation; true when that changed it.
    fn fold(&mut self, body: &mut Body, op: Op) -> Option<bool> {
        let view = body.op(op);
        if view.has_trait(Traits::CONSTANT_LIKE) {
            return Some(false);
        }
        let known: Operands = view.operands().map(|value| constant_of(body, value)).collect();
        match self.folder.fold(view, &known) {
            Folded::Unchanged | Folded::Stays => Some(false),
            _ if !self.permits("fold") => {
                self.driver.state.tell(body, Event::LeftOut);
                Some(false)
            }
            Folded::Results(results) => Some(self.replace_by_known(body, op, &results)),
            Folded::Changed(change) => {
                if !apply_change(body, op, change) {
                    return Some(false);
                }
                self.driver.state.modified(body, op);
                self.driver.state.tell(body, Event::Folded { in_place: true });
                self.driver.statistics.folded_in_place += 1;
                self.count(body, op, self.driver.patterns.len())?;
                Some(true)
            }
        }
    }

    /// Replaces an operation whose results are known; false when a constant cannot be made.
    fn replace_by_known(&mut self, body: &mut Body, op: Op, known: &[FoldResult]) -> bool {
        let view = body.op(op);
        let results: SmallVec<[Value; 4]> = view.results().collect();
        if results.is_empty() || results.len() != known.len() {
            return false;
        }
        let (kind, loc) = (view.kind(), view.loc());
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        let mut constants: SmallVec<[Op; 4]> = SmallVec::new();
        for (&result, &known) in results.iter().zip(known) {
            let ty = body.ty(result);
            let value = match known {
                FoldResult::Value(value) => {
                    (body.ty(value) == ty && !results.contains(&value)).then_some(value)
                }
                FoldResult::Constant(attr) => <dyn ConstantMaterializer>::constant(self.ctx, kind, attr, ty)
                    .map(|state| {
                        let constant = body.create(&state.loc(loc), InsertionPoint::Before(op));
                        constants.push(constant);
                        body.op(constant).result(0)
                    }),
            };
            let Some(value) = value else {
                constants.into_iter().for_each(|constant| body.erase(constant));
                return false;
            };
            values.push(value);
        }
        let state = &mut self.driver.state;
        constants.into_iter().for_each(|constant| state.inserted(body, constant));
        state.replaced(body, op, &values);
        state.erased(body, op);
        state.tell(body, Event::Folded { in_place: false });
        body.replace(op, &values);
        self.driver.statistics.folded += 1;
        true
    }

    /// Tries the patterns on an operation; true when one applied.
    fn apply(&mut self, body: &mut Body, op: Op) -> Option<bool> {
        let GreedyDriver { patterns, state, gate, created, statistics, .. } = &mut *self.driver;
        let patterns: &FrozenPatterns = patterns;
        let explain = state.trace.is_some();
        for &number in patterns.of(body.op(op).kind()) {
            let pattern = patterns.pattern(number);
            state.tell(body, Event::Try(pattern.name()));
            if gate.is_some_and(|gate| !(gate("apply-pattern") && gate(pattern.name()))) {
                state.tell(body, Event::NoMatch(Some(LEFT_OUT)));
                continue;
            }
            statistics.patterns[number as usize].tried += 1;
            let before = state.edits;
            let mut rewriter = Rewriter::new(body, state, created).explain(explain).at(op);
            let result = pattern.rewrite(op, &mut rewriter);
            rewriter.flush();
            match result {
                Ok(_) => state.tell(body, Event::Applied),
                Err(no_match) => {
                    state.tell(body, Event::NoMatch(no_match.reason()));
                    if state.edits == before {
                        continue;
                    }
                    self.outcome.diagnostics.push(edited(pattern.name(), &no_match));
                }
            }
            statistics.patterns[number as usize].applied += 1;
            self.count(body, op, number as usize)?;
            return Some(true);
        }
        Some(false)
    }

    /// Counts an application; `None` when there were too many.
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
            Diagnostic::warning(format!("{what} more than {} times: it may never end", self.limit));
        if let Ok(op) = body.try_op(op) {
            warning = warning.at(op.loc().place(self.ctx)).note(format!("the last time on '{}'", op.name()));
        }
        self.outcome.diagnostics.push(warning);
        None
    }
}

fn edited(pattern: &str, no_match: &NoMatch) -> Diagnostic {
    Diagnostic::warning(format!("pattern '{pattern}' said that it does not apply, but changed the program"))
        .note(format!("it said: {no_match}"))
}

/// Changes an operation in place; false when nothing is different then.
fn apply_change(body: &mut Body, op: Op, change: Change) -> bool {
    let Change { kind, operands, props } = change;
    let view = body.op(op);
    let kind = kind.filter(|&kind| kind != view.kind());
    let operands = operands.filter(|operands| !view.operands().eq(operands.iter().copied()));
    let props = props.filter(|&props| props != view.props());
    if let Some(kind) = kind {
        body.set_kind(op, kind);
    }
    if let Some(operands) = &operands {
        body.set_operands(op, operands);
    }
    if let Some(props) = props {
        body.set_props(op, props);
    }
    kind.is_some() || operands.is_some() || props.is_some()
}

impl State<'_> {
    #[inline]
    fn tell(&mut self, body: &Body, event: Event<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.event(body, event);
        }
    }

    #[inline]
    fn hear(&mut self, hear: impl FnOnce(&mut dyn Listener)) {
        if let Some(listener) = &mut self.listener {
            hear(*listener);
        }
    }
}

impl Listener for State<'_> {
    fn inserted(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.worklist.push(op);
        self.tell(body, Event::Inserted(op));
        self.hear(|listener| listener.inserted(body, op));
    }

    fn modified(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.worklist.push(op);
        self.tell(body, Event::Modified(op));
        self.hear(|listener| listener.modified(body, op));
    }

    fn replaced(&mut self, body: &Body, op: Op, with: &[Value]) {
        self.edits += 1;
        for result in body.op(op).results() {
            body.uses(result).for_each(|at| self.worklist.push(at.op));
        }
        self.tell(body, Event::Replaced(op));
        self.hear(|listener| listener.replaced(body, op, with));
    }

    fn erased(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.worklist.push_operands(body, op);
        self.tell(body, Event::Erased(op));
        self.hear(|listener| listener.erased(body, op));
    }
}
