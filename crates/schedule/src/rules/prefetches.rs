//! The rule for prefetches: S11.

use super::{Around, Checker, Violation, violation};
use crate::kernel::{Axis, Source, Statement};
use crate::plan::Prefetch;

/// A part of an argument that is prefetched while a statement reads the part before it, a little at each of its innermost steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefetched {
    /// The number of the read.
    pub read: usize,
    /// The axis of the loop whose next step reads the part.
    pub strip: Axis,
    /// The step of that loop.
    pub step: i64,
    /// The axis of the innermost loop.
    pub along: Axis,
    /// The loops that read the same part again.
    pub passes: Vec<Pass>,
}

/// A loop over an axis that an argument does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The axis.
    pub axis: Axis,
    /// The step.
    pub step: i64,
    /// The number of iterations.
    pub trips: i64,
}

/// A prefetch for a statement that follows.
#[derive(Clone, Debug)]
pub(super) struct Pending<'p> {
    statement: usize,
    text: &'p Prefetch,
    /// The number of loops around it, and the innermost one.
    depth: usize,
    id: usize,
}

impl<'p> Checker<'_, 'p> {
    /// A prefetch, which needs the loops around the statement that follows.
    pub(super) fn prefetch(&mut self, text: &'p Prefetch) -> Result<(), Violation> {
        let statement = self.statement(&text.statement)?;
        let reader = &self.kernel.statements[statement];
        let access = reader.reads.get(text.operand);
        if !access.is_some_and(|access| matches!(access.source, Source::Argument(_))) {
            return violation(1, format!("'{text}' is of no argument of the kernel"));
        }
        if self.places[statement].is_some() {
            return violation(4, format!("'{text}' follows the statement that reads the argument"));
        }
        let has_axis = |around: &&Around<'_>| reader.axes_of_read(text.operand).contains(&around.axis);
        let Some(around) = self.around.last().filter(has_axis) else {
            return violation(11, format!("'{text}' is in no loop over an axis of the argument"));
        };
        self.prefetches.push(Pending { statement, text, depth: self.around.len(), id: around.id });
        Ok(())
    }

    /// The prefetches of a statement.
    pub(super) fn prefetched(&self, statement: usize) -> Result<Vec<Prefetched>, Violation> {
        let own = self.prefetches.iter().filter(|pending| pending.statement == statement);
        own.map(|pending| self.resolve_prefetch(&self.kernel.statements[statement], pending)).collect()
    }

    fn resolve_prefetch(&self, reader: &Statement, pending: &Pending<'_>) -> Result<Prefetched, Violation> {
        let (text, read) = (pending.text, pending.text.operand);
        let (outside, inside) = self.around.split_at(pending.depth.min(self.around.len()));
        let Some(strip) = outside.last().filter(|around| around.id == pending.id) else {
            return violation(11, format!("'{text}' is not in a loop around '{}'", reader.name));
        };
        let axes = reader.axes_of_read(read);
        let known = |around: &Around<'_>| self.kernel.known_extent(around.axis).filter(|&extent| extent > 0);
        let only = |around: &&Around<'_>| {
            self.around.iter().filter(|other| other.axis == around.axis).count() == 1
                && known(around).is_some()
        };
        let innermost = inside.last().filter(|around| axes.contains(&around.axis)).filter(only);
        let Some((innermost, extent)) = innermost.and_then(|around| Some((around, known(around)?))) else {
            let message = format!(
                "'{text}' needs an innermost loop over an axis of the argument, of known extent and with no other loop over it"
            );
            return violation(11, message);
        };
        let mut passes = Vec::new();
        let mut all: i64 = 1;
        for around in inside.iter().filter(|around| !axes.contains(&around.axis)) {
            let Some(extent) = Some(around).filter(only).and_then(known) else {
                let message = format!("'{text}' needs to know how often '{}' runs", around.text);
                return violation(11, message);
            };
            let trips = extent.unsigned_abs().div_ceil(around.step.unsigned_abs()) as i64;
            all = all.saturating_mul(trips);
            passes.push(Pass { axis: around.axis, step: around.step, trips });
        }
        let steps = extent / innermost.step;
        if all > steps {
            let message =
                format!("'{text}' is spread over {all} passes, but '{}' runs {steps} times", innermost.text);
            return violation(11, message);
        }
        Ok(Prefetched { read, strip: strip.axis, step: strip.step, along: innermost.axis, passes })
    }
}
