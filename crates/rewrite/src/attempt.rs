//! The attempt to apply a pattern, by any driver.

use crate::{Event, Gate, Listener, NoMatch, Pattern, Rewriter, SKIPPED};
use minoan_ir::{Body, Op};

/// The state of a driver that observes edits.
pub(crate) trait Observer: Listener {
    /// Reports an event to the trace.
    fn notify(&mut self, body: &Body, event: Event<'_>);
    /// The number of edits so far.
    fn n_edits(&self) -> u64;
}

/// The result of an attempt.
pub(crate) enum Attempt {
    Applied,
    /// The gate is closed.
    Skipped,
    NoMatch(NoMatch),
    /// The pattern does not apply, but has changed the IR.
    Edited(NoMatch),
}

impl Attempt {
    /// The message of [`Attempt::Edited`].
    pub(crate) fn edited(pattern: &str) -> String {
        format!("pattern '{pattern}' returned NoMatch but changed the IR")
    }
}

/// Tries a pattern on an operation, and reports the events to `state`. `explain` is whether reasons are needed.
pub(crate) fn try_pattern(
    body: &mut Body,
    op: Op,
    pattern: &dyn Pattern,
    gate: Option<Gate<'_>>,
    explain: bool,
    created: &mut Vec<Op>,
    state: &mut impl Observer,
) -> Attempt {
    state.notify(body, Event::Try(pattern.name()));
    if gate.is_some_and(|gate| !(gate("apply-pattern") && gate(pattern.name()))) {
        state.notify(body, Event::NoMatch(Some(SKIPPED)));
        return Attempt::Skipped;
    }
    let before = state.n_edits();
    let mut rewriter = Rewriter::new(body, state, created).explain(explain).at(op);
    let result = pattern.rewrite(op, &mut rewriter);
    rewriter.flush();
    match result {
        Ok(_) => {
            state.notify(body, Event::Applied);
            Attempt::Applied
        }
        Err(no_match) => {
            state.notify(body, Event::NoMatch(no_match.reason()));
            match state.n_edits() == before {
                true => Attempt::NoMatch(no_match),
                false => Attempt::Edited(no_match),
            }
        }
    }
}
