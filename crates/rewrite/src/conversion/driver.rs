//! The driver of conversions.

use super::casts::reconcile;
use super::target::Resolved;
use super::{ConversionTarget, Legality, TypeConverter};
use crate::{Event, FrozenPatterns, Gate, LEFT_OUT, Listener, Rewriter, Trace, post_order, pre_order};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Context, Op, Region, Traits, Value};
use minoan_services::UnrealizedCast;
use rustc_hash::FxHashSet;

/// How much must be legal in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionMode {
    /// Nothing that the target says is illegal stays.
    Partial,
    /// Everything that stays is legal.
    Full,
}

/// How often an operation, and what it becomes, is rewritten one after another. More is taken for patterns that never
/// come to an end.
const MAX_CHAIN: u16 = 256;

/// Converts bodies for a target. Threads may share one.
pub struct Conversion<'c> {
    target: Resolved<'c>,
    patterns: &'c FrozenPatterns,
    converter: Option<&'c TypeConverter>,
    gate: Option<Gate<'c>>,
    mode: ConversionMode,
    backwards: bool,
}

impl<'c> Conversion<'c> {
    /// A conversion of bodies of the context that the patterns were frozen for.
    pub fn new(
        ctx: &Context,
        target: &'c ConversionTarget,
        patterns: &'c FrozenPatterns,
        mode: ConversionMode,
    ) -> Self {
        Self { target: target.resolve(ctx), patterns, converter: None, gate: None, mode, backwards: false }
    }

    /// The converter that makes casts real where they are left over.
    #[must_use]
    pub fn with_types(mut self, converter: &'c TypeConverter) -> Self {
        self.converter = Some(converter);
        self
    }

    /// Asks before a pattern is tried, by `apply-pattern` and then by the name of the pattern.
    #[must_use]
    pub fn with_gate(mut self, gate: Gate<'c>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Visits the operations of a body from its end on, each still before what is inside it. For patterns that cut blocks in
    /// two: the second half, which moves to a new block, is short then, where there is much to convert in one block.
    #[must_use]
    pub fn from_the_end(mut self) -> Self {
        self.backwards = true;
        self
    }

    /// Converts one body; nested bodies are not entered. True when something changed.
    ///
    /// # Errors
    /// Every operation that is left over, with what each pattern said; every cast that is. The body is valid and
    /// converted in part then.
    pub fn run(&self, body: &mut Body) -> Result<bool, Diagnostics> {
        self.run_traced(body, None)
    }

    /// As [`run`](Self::run), and tells a log everything that happens to what is not legal.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_traced(&self, body: &mut Body, trace: Option<&mut dyn Trace>) -> Result<bool, Diagnostics> {
        let mut errors = Diagnostics::new();
        let (changed, _) = self.body(body, Vec::new(), trace, &mut errors);
        if errors.has_errors() { Err(errors) } else { Ok(changed) }
    }

    /// Converts a body and all bodies nested in it, outer ones first. True when something changed.
    ///
    /// # Errors
    /// As [`run`](Self::run), for all bodies.
    pub fn run_nested(&self, body: &mut Body) -> Result<bool, Diagnostics> {
        let mut errors = Diagnostics::new();
        let mut changed = false;
        let own: FxHashSet<Op> = head_casts_below(body);
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            let made: Vec<Op> = head_casts(body).into_iter().filter(|cast| !own.contains(cast)).collect();
            let (edited, closed) = self.body(body, made, None, &mut errors);
            changed |= edited;
            let from = pending.len();
            let nested = body.nested_in_order().into_iter().filter(|(op, _)| !closed.contains(op));
            pending.extend(nested.map(|(_, body)| body));
            pending[from..].reverse();
        }
        if errors.has_errors() { Err(errors) } else { Ok(changed) }
    }

    /// Converts one body; whether it changed, and the operations whose nested bodies are legal as they are. `casts` are
    /// those that the conversion of the body's signature has made in it.
    fn body(
        &self,
        body: &mut Body,
        casts: Vec<Op>,
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
            // The last one is visited first.
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
        reconcile(body, &edits.casts, self.converter, errors);
        (edits.count > 0, closed)
    }
}

/// The casts at the head of the blocks of a body, where the conversion of a signature makes them.
fn head_casts(body: &Body) -> Vec<Op> {
    let entries = body.regions().flat_map(|region| body.region(region).blocks());
    let is_cast = |op: Op| body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some();
    entries.flat_map(|block| body.block(block).ops().take_while(|&op| is_cast(op))).collect()
}

/// The casts at the head of the blocks of a body and of all bodies nested in it. Before a conversion these belong to the
/// program: they stay where nothing undoes them.
fn head_casts_below(body: &Body) -> FxHashSet<Op> {
    let mut found = FxHashSet::default();
    let mut pending = vec![body];
    while let Some(body) = pending.pop() {
        found.extend(head_casts(body));
        pending.extend(body.walk().into_iter().filter_map(|op| body.nested(op)));
    }
    found
}

/// What patterns did.
#[derive(Default)]
struct Edits<'t> {
    trace: Option<&'t mut dyn Trace>,
    /// Operations to look at, the next one last.
    pending: Vec<Op>,
    /// By operation: that it was, or is, pending, and how many rewrites led to it.
    seen: Vec<Option<(Op, u16)>>,
    /// How many rewrites led to the operation that is rewritten.
    chain: u16,
    /// What the pattern that is tried created and changed.
    touched: Vec<Op>,
    /// Every cast that was created, in the order of creation.
    casts: Vec<Op>,
    count: u64,
}

impl Edits<'_> {
    fn tell(&mut self, body: &Body, event: Event<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.event(body, event);
        }
    }

    /// How many rewrites led to an operation; `None` for one that is new.
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
        self.tell(body, Event::Inserted(op));
        if body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some() {
            // It stands for a value, and changes nothing.
            self.casts.push(op);
            return;
        }
        self.count += 1;
        // What only moved is looked at in its turn, or was.
        if self.chain(op).is_none() {
            self.see(op, self.chain + 1);
            self.touched.push(op);
        }
    }

    fn modified(&mut self, body: &Body, op: Op) {
        self.tell(body, Event::Modified(op));
        self.count += 1;
        if let Some(chain) = self.chain(op) {
            self.see(op, chain.saturating_add(1));
            self.touched.push(op);
        }
    }

    fn replaced(&mut self, body: &Body, op: Op, _: &[Value]) {
        self.tell(body, Event::Replaced(op));
        self.count += 1;
    }

    fn erased(&mut self, body: &Body, op: Op) {
        self.tell(body, Event::Erased(op));
        self.count += 1;
    }
}

/// A conversion of one body.
struct Run<'r, 'c, 't> {
    conversion: &'r Conversion<'c>,
    edits: Edits<'t>,
    /// By operation: whether it is inside one that is legal with all that is in it.
    within: Vec<bool>,
    closed: Vec<Op>,
    created: Vec<Op>,
    /// Operations that were reported.
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

    /// Whether an operation is inside one that is legal with what is in it. Parents are asked first.
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
        let Conversion { target, patterns, mode, gate, .. } = self.conversion;
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
        let (name, loc, kind) = (view.name().to_owned(), view.loc(), view.kind());
        self.edits.tell(body, Event::Visit(op));
        let must = legality == Legality::Illegal || *mode == ConversionMode::Full;
        let mut reasons: Vec<String> = Vec::new();
        let tried = if chain < MAX_CHAIN { patterns.of(kind) } else { &[] };
        for &number in tried {
            let pattern = patterns.pattern(number);
            self.edits.tell(body, Event::Try(pattern.name()));
            if gate.is_some_and(|gate| !(gate("apply-pattern") && gate(pattern.name()))) {
                self.edits.tell(body, Event::NoMatch(Some(LEFT_OUT)));
                reasons.push(format!("pattern '{}': {LEFT_OUT}", pattern.name()));
                continue;
            }
            let before = self.edits.count;
            let explain = must || self.edits.trace.is_some();
            let mut rewriter =
                Rewriter::new(body, &mut self.edits, &mut self.created).explain(explain).at(op);
            let result = pattern.rewrite(op, &mut rewriter);
            rewriter.flush();
            let touched = std::mem::take(&mut self.edits.touched);
            let event = match &result {
                Ok(_) => Event::Applied,
                Err(no_match) => Event::NoMatch(no_match.reason()),
            };
            self.edits.tell(body, event);
            match result {
                Ok(_) => {
                    if body.contains(op) && !touched.contains(&op) {
                        self.edits.pending.push(op);
                        self.edits.see(op, chain + 1);
                    }
                    self.edits.pending.extend(touched.into_iter().rev());
                    return;
                }
                Err(no_match) if self.edits.count == before => {
                    reasons.push(format!("pattern '{}': {no_match}", pattern.name()));
                }
                Err(no_match) => {
                    let message = format!(
                        "pattern '{}' said that it does not apply, but changed the program",
                        pattern.name()
                    );
                    let error = Diagnostic::error(message).at(loc.place(body.context()));
                    self.errors.push(error.note(format!("it said: {no_match}")));
                    return;
                }
            }
        }
        if !must {
            return;
        }
        let marked = if legality == Legality::Illegal { " that was explicitly marked illegal" } else { "" };
        let error = Diagnostic::error(format!("failed to legalize operation '{name}'{marked}"));
        let mut error = error.at(loc.place(body.context()));
        if chain >= MAX_CHAIN {
            error = error.note(format!(
                "it comes from {MAX_CHAIN} rewrites, one of what another created: they may never end"
            ));
        } else if reasons.is_empty() {
            error = error.note("no pattern is tried on it");
        }
        if !self.failed.insert(op) {
            return;
        }
        self.errors.push(reasons.into_iter().fold(error, Diagnostic::note));
    }
}
