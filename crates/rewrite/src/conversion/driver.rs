//! The dialect conversion driver.

use super::casts::{Cast, Cause, reconcile};
use super::target::{Resolved, value_types};
use super::{ConversionTarget, Legality, TypeConverter};
use crate::attempt::{Attempt, Observer, try_pattern};
use crate::{Event, FrozenPatterns, Gate, Listener, SKIPPED, Trace, post_order, pre_order};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Context, Loc, Op, OpRef, Region, Traits, Type, Value};
use minoan_services::UnrealizedCast;
use rustc_hash::FxHashSet;

/// The legality that a conversion must achieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionMode {
    /// No operation that the target marks as illegal remains.
    Partial,
    /// All remaining operations are legal.
    Full,
}

/// Upper bound on the length of a chain of rewrites, each of an operation created by the previous one, beyond which
/// the patterns are considered nonterminating.
const MAX_CHAIN: u16 = 256;

/// A dialect conversion. It can be shared between threads.
pub struct Conversion<'c> {
    target: Resolved<'c>,
    patterns: &'c FrozenPatterns,
    converter: Option<&'c TypeConverter>,
    gate: Option<Gate<'c>>,
    mode: ConversionMode,
    backwards: bool,
}

impl<'c> Conversion<'c> {
    /// Creates a conversion of bodies of the context that the patterns were frozen for.
    pub fn new(
        ctx: &Context,
        target: &'c ConversionTarget,
        patterns: &'c FrozenPatterns,
        mode: ConversionMode,
    ) -> Self {
        Self { target: target.resolve(ctx), patterns, converter: None, gate: None, mode, backwards: false }
    }

    /// Sets the type converter, which materializes remaining casts.
    #[must_use]
    pub fn with_types(mut self, converter: &'c TypeConverter) -> Self {
        self.converter = Some(converter);
        self
    }

    /// Sets a gate that enables pattern applications; it is queried with `apply-pattern`, then with the name of the
    /// pattern.
    #[must_use]
    pub fn with_gate(mut self, gate: Gate<'c>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Visits the operations of a body from its end, but still before nested operations. For patterns that split
    /// blocks: the second half, which moves to a new block, is then short even if a block has many operations to
    /// convert.
    #[must_use]
    pub fn from_the_end(mut self) -> Self {
        self.backwards = true;
        self
    }

    /// Converts a body, without nested bodies; returns whether it changed.
    ///
    /// # Errors
    /// A diagnostic for each operation that could not be legalized, with the reason of each pattern, and for each
    /// remaining cast. The body is valid and partially converted.
    pub fn run(&self, body: &mut Body) -> Result<bool, Diagnostics> {
        self.run_traced(body, None)
    }

    /// Like [`run`](Self::run), with a trace of everything that happens to illegal operations.
    ///
    /// # Errors
    /// The same as for [`run`](Self::run).
    pub fn run_traced(&self, body: &mut Body, trace: Option<&mut dyn Trace>) -> Result<bool, Diagnostics> {
        let mut errors = Diagnostics::new();
        let (changed, _) = self.body(body, Vec::new(), trace, &mut errors);
        if errors.has_errors() { Err(errors) } else { Ok(changed) }
    }

    /// Converts a body and all nested bodies, outer ones first; returns whether a body changed.
    ///
    /// # Errors
    /// The same as for [`run`](Self::run), for all bodies.
    pub fn run_nested(&self, body: &mut Body) -> Result<bool, Diagnostics> {
        let mut errors = Diagnostics::new();
        let mut changed = false;
        let own: FxHashSet<Op> = head_casts_below(body);
        let mut pending = vec![(body, None)];
        while let Some((body, cause)) = pending.pop() {
            let made = head_casts(body).into_iter().filter(|cast| !own.contains(cast));
            let made: Vec<Cast> = made.map(|op| Cast { op, cause }).collect();
            let (edited, closed) = self.body(body, made, None, &mut errors);
            changed |= edited;
            let from = pending.len();
            let holders: Vec<Op> = body.nested_in_order().into_iter().map(|(op, _)| op).collect();
            let causes: Vec<Cause> = holders
                .into_iter()
                .map(|op| Cause { kind: body.op(op).kind(), loc: body.op(op).loc(), pattern: None })
                .collect();
            let nested = body.nested_in_order().into_iter().zip(causes);
            let nested = nested.filter(|((op, _), _)| !closed.contains(op));
            pending.extend(nested.map(|((_, body), cause)| (body, Some(cause))));
            pending[from..].reverse();
        }
        if errors.has_errors() { Err(errors) } else { Ok(changed) }
    }

    /// The first type of a value of an operation that the type converter does not keep.
    fn illegal_type(&self, op: OpRef<'_>) -> Option<Type> {
        value_types(op).find(|&ty| self.converter.is_some_and(|types| !types.is_legal(op.context(), ty)))
    }

    /// Converts one body. Returns whether it changed, and the operations whose nested bodies are already legal.
    /// `casts` are those that converting the body's signature created in it.
    fn body(
        &self,
        body: &mut Body,
        casts: Vec<Cast>,
        trace: Option<&mut dyn Trace>,
        errors: &mut Diagnostics,
    ) -> (bool, Vec<Op>) {
        let mut found = Diagnostics::new();
        let mut run = Run {
            conversion: self,
            edits: Edits { casts, trace, ..Edits::default() },
            within: vec![false; body.op_capacity()],
            closed: Vec::new(),
            created: Vec::new(),
            failed: FxHashSet::default(),
            errors: &mut found,
        };
        let roots: Vec<Region> = body.regions().collect();
        for root in roots {
            // The last operation is visited first.
            let mut order = if self.backwards { post_order(body, root) } else { pre_order(body, root) };
            if !self.backwards {
                order.reverse();
            }
            order.iter().for_each(|&op| run.edits.see(op, 0));
            run.edits.pending.extend(order);
            run.all(body);
        }
        let Run { edits, closed, .. } = run;
        let mut found: Vec<Diagnostic> = found.into_iter().collect();
        if self.backwards {
            found.reverse();
        }
        found.into_iter().for_each(|error| errors.push(error));
        reconcile(body, &edits.casts, self.converter, self.patterns, errors);
        (edits.count > 0, closed)
    }
}

/// The casts at the start of the blocks of a body, where converting a signature creates them.
fn head_casts(body: &Body) -> Vec<Op> {
    let entries = body.regions().flat_map(|region| body.region(region).blocks());
    let is_cast = |op: Op| body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some();
    entries.flat_map(|block| body.block(block).ops().take_while(|&op| is_cast(op))).collect()
}

/// The casts at the start of the blocks of a body and of all nested bodies. Before a conversion these belong to the
/// program and are kept unless another cast cancels them.
fn head_casts_below(body: &Body) -> FxHashSet<Op> {
    let mut found = FxHashSet::default();
    let mut pending = vec![body];
    while let Some(body) = pending.pop() {
        found.extend(head_casts(body));
        pending.extend(body.walk().into_iter().filter_map(|op| body.nested(op)));
    }
    found
}

/// Records the edits of patterns.
#[derive(Default)]
struct Edits<'t> {
    trace: Option<&'t mut dyn Trace>,
    /// The worklist; the next operation is last.
    pending: Vec<Op>,
    /// For each operation: whether it has been on the worklist, and the length of the chain of rewrites that led to
    /// it.
    seen: Vec<Option<(Op, u16)>>,
    /// The length of the chain of rewrites that led to the current operation.
    chain: u16,
    /// The operations that the current pattern created or changed.
    touched: Vec<Op>,
    /// All created casts, in order.
    casts: Vec<Cast>,
    /// The operation that is being converted.
    cause: Option<Cause>,
    count: u64,
}

impl Observer for Edits<'_> {
    fn notify(&mut self, body: &Body, event: Event<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.event(body, event);
        }
    }

    fn n_edits(&self) -> u64 {
        self.count
    }
}

impl Edits<'_> {
    /// The length of the chain of rewrites that led to an operation; `None` for a new one.
    fn chain(&self, op: Op) -> Option<u16> {
        self.seen.get(op.index()).copied().flatten().filter(|&(seen, _)| seen == op).map(|(_, chain)| chain)
    }

    fn see(&mut self, op: Op, chain: u16) {
        if self.seen.len() <= op.index() {
            self.seen.resize(op.index() + 1, None);
        }
        self.seen[op.index()] = Some((op, chain));
    }
}

impl Listener for Edits<'_> {
    fn inserted(&mut self, body: &Body, op: Op) {
        self.notify(body, Event::Inserted(op));
        if body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some() {
            // A cast only represents a value.
            self.casts.push(Cast { op, cause: self.cause });
            return;
        }
        self.count += 1;
        // An operation that was only moved has been visited or will be.
        if self.chain(op).is_none() {
            self.see(op, self.chain + 1);
            self.touched.push(op);
        }
    }

    fn modified(&mut self, body: &Body, op: Op) {
        self.notify(body, Event::Modified(op));
        self.count += 1;
        if let Some(chain) = self.chain(op) {
            self.see(op, chain.saturating_add(1));
            self.touched.push(op);
        }
    }

    fn replaced(&mut self, body: &Body, op: Op, _: &[Value]) {
        self.notify(body, Event::Replaced(op));
        self.count += 1;
    }

    fn erased(&mut self, body: &Body, op: Op) {
        self.notify(body, Event::Erased(op));
        self.count += 1;
    }
}

/// The conversion of one body.
struct Run<'r, 'c, 't> {
    conversion: &'r Conversion<'c>,
    edits: Edits<'t>,
    /// For each operation: whether an enclosing operation is recursively legal.
    within: Vec<bool>,
    closed: Vec<Op>,
    created: Vec<Op>,
    /// The operations that have been reported.
    failed: FxHashSet<Op>,
    errors: &'r mut Diagnostics,
}

impl Run<'_, '_, '_> {
    fn all(&mut self, body: &mut Body) {
        while let Some(op) = self.edits.pending.pop() {
            if body.contains(op) && !self.is_within(body, op) {
                self.legalize(body, op);
            }
        }
    }

    /// Whether an enclosing operation is recursively legal. Must be queried for parents first.
    fn is_within(&mut self, body: &Body, op: Op) -> bool {
        let parent = body.op(op).parent();
        let within = parent.is_some_and(|parent| self.within.get(parent.index()).copied().unwrap_or(false));
        self.mark(op, within);
        within
    }

    fn mark(&mut self, op: Op, within: bool) {
        if self.within.len() <= op.index() {
            self.within.resize(op.index() + 1, false);
        }
        self.within[op.index()] = within;
    }

    fn legalize(&mut self, body: &mut Body, op: Op) {
        let chain = self.edits.chain(op).unwrap_or(0);
        self.edits.chain = chain;
        let Conversion { target, mode, .. } = self.conversion;
        let view = body.op(op);
        let legality = target.legality(view);
        match legality {
            Legality::Legal => return,
            Legality::LegalWithin => {
                self.mark(op, true);
                if view.has_trait(Traits::ISOLATED) {
                    self.closed.push(op);
                }
                return;
            }
            Legality::Illegal | Legality::Unknown => {}
        }
        self.edits.notify(body, Event::Visit(op));
        let must = legality == Legality::Illegal || *mode == ConversionMode::Full;
        let subject = Subject { op, name: view.name().to_owned(), loc: view.loc(), chain };
        let Some(failures) = self.attempt(body, &subject, must) else { return };
        if must && self.failed.insert(op) {
            self.report_illegal(body, &subject, legality, failures);
        }
    }

    /// Tries the patterns on an operation. Returns the reasons why none applies; `None` if one applied, or changed the
    /// IR without applying, which is reported.
    fn attempt(&mut self, body: &mut Body, subject: &Subject, must: bool) -> Option<Failures> {
        let &Subject { op, loc, chain, .. } = subject;
        let Conversion { patterns, gate, .. } = self.conversion;
        let kind = body.op(op).kind();
        let mut failures = Failures::default();
        let numbers = if chain < MAX_CHAIN { patterns.of(kind) } else { &[] };
        for &number in numbers {
            let pattern = patterns.pattern(number);
            self.edits.cause = Some(Cause { kind, loc, pattern: Some(number) });
            let explain = must || self.edits.trace.is_some();
            let attempt = try_pattern(body, op, pattern, *gate, explain, &mut self.created, &mut self.edits);
            let touched = std::mem::take(&mut self.edits.touched);
            match attempt {
                Attempt::Applied => {
                    if body.contains(op) && !touched.contains(&op) {
                        self.edits.pending.push(op);
                        self.edits.see(op, chain + 1);
                    }
                    self.edits.pending.extend(touched.into_iter().rev());
                    return None;
                }
                Attempt::Skipped => failures.reasons.push(format!("pattern '{}': {SKIPPED}", pattern.name())),
                Attempt::NoMatch(no_match) if no_match.is_error() && failures.message.is_none() => {
                    failures.message = Some(no_match.to_string());
                }
                Attempt::NoMatch(no_match) => {
                    failures.reasons.push(format!("pattern '{}': {no_match}", pattern.name()));
                }
                Attempt::Edited(no_match) => {
                    let error = Diagnostic::error(Attempt::edited(pattern.name()));
                    let error = error.at(loc.place(body.context()));
                    self.errors.push(error.note(format!("reason: {no_match}")));
                    return None;
                }
            }
        }
        Some(failures)
    }

    /// Reports an operation that remains illegal, with the reasons of the patterns.
    fn report_illegal(&mut self, body: &Body, subject: &Subject, legality: Legality, failures: Failures) {
        let &Subject { op, ref name, loc, chain } = subject;
        let Failures { message, reasons } = failures;
        if let Some(message) = message {
            let error = Diagnostic::error(message).at(loc.place(body.context()));
            return self.errors.push(reasons.into_iter().fold(error, Diagnostic::note));
        }
        let marked = if legality == Legality::Illegal { " that was explicitly marked illegal" } else { "" };
        let error = Diagnostic::error(format!("failed to legalize operation '{name}'{marked}"));
        let mut error = error.at(loc.place(body.context()));
        if chain >= MAX_CHAIN {
            error = error
                .note(format!("it results from a chain of {MAX_CHAIN} rewrites, which may not terminate"));
        } else if reasons.is_empty() {
            error = error.note("no pattern matches it");
        }
        if let Some(ty) = self.conversion.illegal_type(body.op(op)) {
            error = error.note(format!("type '{}' is illegal", print_type(body.context(), ty)));
        }
        self.errors.push(reasons.into_iter().fold(error, Diagnostic::note));
    }
}

/// The reasons why no pattern applies.
#[derive(Default)]
struct Failures {
    /// The message of the first one that is an error.
    message: Option<String>,
    /// The other ones, with the names of the patterns.
    reasons: Vec<String>,
}

/// The operation to legalize, as it was before any pattern.
struct Subject {
    op: Op,
    name: String,
    loc: Loc,
    /// The length of the chain of rewrites that led to it.
    chain: u16,
}
