//! The flags for diagnostics.

use crate::{Session, output};
use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use minoan_diag::{Diagnostic, Diagnostics, Severity, render_plain};
use std::io::Write;

/// The lowest severity that is printed.
#[derive(Clone, Copy, ValueEnum)]
enum Verbosity {
    /// Errors only.
    Errors,
    /// Errors and warnings.
    Warnings,
    /// Errors, warnings and remarks.
    Remarks,
}

/// The format of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiagnosticForm {
    /// The message, followed by the source lines with underlined spans, notes and suggestions.
    Snippet,
    /// `file:line:column: error: message` and the source line, as `mlir-opt` prints them, for tools that parse locations.
    Line,
}

#[derive(Args)]
#[command(next_help_heading = "Diagnostics")]
pub(in crate::opt) struct DiagnosticArgs {
    /// The lowest severity of diagnostics that are printed.
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "remarks")]
    mlir_diagnostic_verbosity_level: Verbosity,
    /// Omit the notes of diagnostics.
    #[arg(long)]
    mlir_disable_diagnostic_notes: bool,
    /// Attach the current form of the operation to its errors, as a note; the default with --diagnostic-format=line, unless
    /// --verify-diagnostics is given.
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new()
    )]
    mlir_print_op_on_diagnostic: Option<bool>,
    /// Attach the stack trace of the tool where a diagnostic was emitted, as a note.
    #[arg(long)]
    pub(in crate::opt) mlir_print_stacktrace_on_diagnostic: bool,
    /// The format of diagnostics.
    #[arg(long, value_name = "FORM", value_enum, default_value = "snippet")]
    diagnostic_format: DiagnosticForm,
    /// Use colors in diagnostics [default: on a terminal].
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new()
    )]
    color: Option<bool>,
}

impl DiagnosticArgs {
    /// Whether errors have the operation attached; `compared` is whether they are compared with comments.
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
            return output::report_with(session, &shown, self.color);
        }
        let mut stderr = std::io::stderr().lock();
        for diagnostic in &shown {
            // If standard error is closed, there is nothing left to do.
            let _ = write!(stderr, "{}", render_plain(diagnostic, session.sources()));
        }
    }
}
