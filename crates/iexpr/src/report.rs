//! Collects diagnostics up to a limit, so that hopeless input stays cheap.

use minoan_diag::{Diagnostic, Diagnostics, Place};

/// Errors reported per run before the rest is dropped.
const MOST_ERRORS: usize = 20;

#[derive(Default)]
pub(crate) struct Reporter {
    list: Diagnostics,
}

impl Reporter {
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        match self.list.error_count() {
            count if count < MOST_ERRORS => self.list.push(diagnostic),
            MOST_ERRORS => self.list.push(Diagnostic::error("too many errors; the rest is not reported")),
            _ => {}
        }
    }

    /// All that was reported, in the order of places in the file.
    pub(crate) fn finish(self) -> Diagnostics {
        let mut list: Vec<Diagnostic> = self.list.into_iter().collect();
        list.sort_by_key(|diagnostic| match diagnostic.place {
            Place::Span(span) => span.start,
            _ => u32::MAX,
        });
        list.into_iter().collect()
    }
}
