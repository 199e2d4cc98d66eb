//! Collects diagnostics up to a limit, so that malformed input is rejected quickly.

use minoan_diag::{Diagnostic, Diagnostics, Place, Severity};

const MAX_WARNINGS: usize = 50;

/// Collects diagnostics. After [`MAX_ERRORS`](Self::MAX_ERRORS) errors it reports that there are too many and drops
/// the rest.
#[derive(Default)]
pub struct Reporter {
    list: Diagnostics,
    warnings: usize,
    full: bool,
}

impl Reporter {
    /// The maximum number of errors reported per run.
    pub const MAX_ERRORS: usize = 20;

    /// Adds a diagnostic unless the limit has been reached.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.full {
            return;
        }
        if diagnostic.severity != Severity::Error {
            self.warnings += 1;
            if self.warnings <= MAX_WARNINGS {
                self.list.push(diagnostic);
            }
            return;
        }
        if self.list.error_count() == Self::MAX_ERRORS {
            self.full = true;
            self.list.push(Diagnostic::error("too many errors; the rest is not reported"));
            return;
        }
        self.list.push(diagnostic);
    }

    /// Whether further errors would be dropped, so that work that only finds errors can stop.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The number of errors reported so far.
    pub fn error_count(&self) -> usize {
        self.list.error_count()
    }

    /// The reported diagnostics, sorted by source position.
    pub fn finish(self) -> Diagnostics {
        let mut list: Vec<Diagnostic> = self.list.into_iter().collect();
        list.sort_by_key(|diagnostic| match diagnostic.place {
            Place::Span(span) => (span.file, span.start),
            _ => (minoan_diag::FileId(u32::MAX), u32::MAX),
        });
        list.into_iter().collect()
    }
}

/// Truncates a word for use in a message.
pub fn clip(word: &str) -> String {
    const MAX_LENGTH: usize = 60;
    match word.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}
