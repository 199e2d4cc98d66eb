//! How diagnostics are shown.

use crate::{Session, output};
use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use minoan_diag::{Diagnostic, Diagnostics, Severity, render_plain};
use std::io::Write;

/// What is said at all.
#[derive(Clone, Copy, ValueEnum)]
enum Verbosity {
    /// Errors only.
    Errors,
    /// Errors and warnings.
    Warnings,
    /// Errors, warnings and remarks.
    Remarks,
}

/// What a diagnostic looks like.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiagnosticForm {
    /// The message, then where that is, with the lines and everything that belongs to it.
    Snippet,
    /// `file:line:column: error: message` and the line, as `mlir-opt` does, for tools that look for places.
    Line,
}

#[derive(Args)]
#[command(next_help_heading = "Diagnostics")]
pub(in crate::opt) struct DiagnosticArgs {
    /// What is said at all.
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "remarks")]
    mlir_diagnostic_verbosity_level: Verbosity,
    /// Leave out the notes of diagnostics.
    #[arg(long)]
    mlir_disable_diagnostic_notes: bool,
    /// Show the operation that an error is about, as it is now, in a note. So it is with --diagnostic-format=line, unless
    /// --verify-diagnostics is there.
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new()
    )]
    mlir_print_op_on_diagnostic: Option<bool>,
    /// Show the calls inside the tool that made a diagnostic, in a note.
    #[arg(long)]
    pub(in crate::opt) mlir_print_stacktrace_on_diagnostic: bool,
    /// What a diagnostic looks like.
    #[arg(long, value_name = "FORM", value_enum, default_value = "snippet")]
    diagnostic_format: DiagnosticForm,
}

impl DiagnosticArgs {
    /// Whether errors show the operation that they are about; `compared` says whether they are compared with comments.
    pub(in crate::opt) fn prints_op(&self, compared: bool) -> bool {
        let as_upstream = self.diagnostic_format == DiagnosticForm::Line && !compared;
        self.mlir_print_op_on_diagnostic.unwrap_or(as_upstream)
    }

    /// Prints diagnostics to standard error.
    pub(in crate::opt) fn report(&self, session: &Session, diagnostics: &Diagnostics) {
        let is_shown = |diagnostic: &&Diagnostic| match self.mlir_diagnostic_verbosity_level {
            Verbosity::Errors => diagnostic.severity == Severity::Error,
            Verbosity::Warnings => matches!(diagnostic.severity, Severity::Error | Severity::Warning),
            Verbosity::Remarks => true,
        };
        let mut shown = Diagnostics::new();
        for diagnostic in diagnostics.iter().filter(is_shown) {
            let mut diagnostic = diagnostic.clone();
            if self.mlir_disable_diagnostic_notes {
                diagnostic.notes.clear();
            }
            shown.push(diagnostic);
        }
        if self.diagnostic_format == DiagnosticForm::Snippet {
            return output::report(session, &shown);
        }
        let mut stderr = std::io::stderr().lock();
        for diagnostic in &shown {
            // Nothing is left to do when standard error is gone.
            let _ = write!(stderr, "{}", render_plain(diagnostic, session.sources()));
        }
    }
}
