//! The state of the greedy driver that observes edits: changed operations and their users return to the worklist.

use crate::attempt::Observer;
use crate::worklist::Worklist;
use crate::{Event, Listener, Trace};
use minoan_ir::{Body, Op, Traits, Value};

/// The state of the driver that observes edits.
pub(super) struct State<'p> {
    pub(super) worklist: Worklist,
    pub(super) trace: Option<&'p mut (dyn Trace + Send)>,
    pub(super) listener: Option<&'p mut (dyn Listener + Send)>,
    pub(super) edits: u64,
}

impl Observer for State<'_> {
    #[inline]
    fn notify(&mut self, body: &Body, event: Event<'_>) {
        if let Some(trace) = &mut self.trace {
            trace.event(body, event);
        }
    }

    fn n_edits(&self) -> u64 {
        self.edits
    }
}

impl State<'_> {
    /// Returns a changed operation to the worklist. The operands of a terminator may concern the operation around it.
    fn revisit(&mut self, body: &Body, op: Op) {
        self.worklist.push(op);
        let view = body.op(op);
        if view.has_trait(Traits::TERMINATOR) {
            view.parent().into_iter().for_each(|parent| self.worklist.push(parent));
        }
    }

    #[inline]
    pub(super) fn notify_listener(&mut self, notify_listener: impl FnOnce(&mut dyn Listener)) {
        if let Some(listener) = &mut self.listener {
            notify_listener(*listener);
        }
    }
}

impl Listener for State<'_> {
    fn inserted(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.worklist.push(op);
        self.notify(body, Event::Inserted(op));
        self.notify_listener(|listener| listener.inserted(body, op));
    }

    fn modified(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.revisit(body, op);
        self.notify(body, Event::Modified(op));
        self.notify_listener(|listener| listener.modified(body, op));
    }

    fn replaced(&mut self, body: &Body, op: Op, with: &[Value]) {
        self.edits += 1;
        for result in body.op(op).results() {
            body.uses(result).for_each(|at| self.revisit(body, at.op));
        }
        self.notify(body, Event::Replaced(op));
        self.notify_listener(|listener| listener.replaced(body, op, with));
    }

    fn erased(&mut self, body: &Body, op: Op) {
        self.edits += 1;
        self.worklist.push_operands(body, op);
        self.notify(body, Event::Erased(op));
        self.notify_listener(|listener| listener.erased(body, op));
    }
}
