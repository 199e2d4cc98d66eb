//! Converts diagnostics and locations to those of the protocol.

use crate::analysis::Analyzed;
use crate::document::{Snapshot, Text};
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position, Range};
use minoan::diag::{self, LineCol, Place, Severity, Span};
use minoan::ir::text::show_subject;

/// The range of a span; `None` if it is in another file, such as a prelude.
pub(crate) fn range(text: &Text, analyzed: &Analyzed, span: Span) -> Option<Range> {
    let base = analyzed.base(span.file)?;
    Some(text.range(span.start + base, span.end + base))
}

/// The range of a line and a column in bytes: the word there.
fn point(text: &Text, at: LineCol) -> Range {
    let (start, line) = text.line(at.line.saturating_sub(1));
    let from = (at.column.saturating_sub(1) as usize).min(line.len());
    let is_word = |c: char| c.is_alphanumeric() || "_.$%@#!^".contains(c);
    let rest = line.get(from..).unwrap_or("");
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
    text.range(start + from as u32, start + (from + length) as u32)
}

/// The range of a diagnostic's primary location; the start of the file if it has none.
pub(crate) fn place(text: &Text, analyzed: &Analyzed, place: &Place) -> Range {
    match place {
        Place::Span(span) => range(text, analyzed, *span).unwrap_or_default(),
        Place::Point(_, at) => point(text, *at),
        Place::Unknown | Place::File(_) => Range::new(Position::new(0, 0), Position::new(0, 0)),
    }
}

/// The diagnostics of a document.
pub(crate) fn diagnostics(snapshot: &Snapshot, analyzed: &Analyzed) -> Vec<Diagnostic> {
    let all = analyzed.diagnostics.iter();
    all.map(|one| diagnostic(snapshot, analyzed, &show_subject(one, &analyzed.sources))).collect()
}

/// A diagnostic; labels and notes with a location are related information, and notes without one and suggestions are
/// lines of the message.
pub(crate) fn diagnostic(snapshot: &Snapshot, analyzed: &Analyzed, of: &diag::Diagnostic) -> Diagnostic {
    let text = &snapshot.text;
    let mut message = of.message.clone();
    if !of.caption.is_empty() {
        message.push_str(&format!(" ({})", of.caption));
    }
    let mut related = Vec::new();
    let mut relate = |range: Range, message: &str| {
        let location = Location::new(snapshot.uri.clone(), range);
        related.push(DiagnosticRelatedInformation { location, message: message.to_owned() });
    };
    for label in &of.labels {
        if let Some(range) = range(text, analyzed, label.span) {
            relate(range, &label.message);
        }
    }
    for note in &of.notes {
        let elsewhere = match &note.place {
            Place::Span(span) => range(text, analyzed, *span),
            Place::Point(_, at) => Some(point(text, *at)),
            Place::Unknown | Place::File(_) => None,
        };
        match elsewhere {
            Some(range) => relate(range, &note.message),
            None => message.push_str(&format!("\nnote: {}", note.message)),
        }
    }
    for help in &of.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    Diagnostic {
        range: place(text, analyzed, &of.place),
        severity: Some(match of.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Remark => DiagnosticSeverity::INFORMATION,
            Severity::Note => DiagnosticSeverity::HINT,
        }),
        source: Some("minoan".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
