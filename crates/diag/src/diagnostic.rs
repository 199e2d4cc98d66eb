//! Diagnostics: severity, message, location, labels, notes and help.

use crate::{FileId, LineCol, SourceMap, Span};
use std::backtrace::Backtrace;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static TRACED: AtomicBool = AtomicBool::new(false);

/// Attaches a backtrace to every diagnostic created by this process. Off by default; for finding the code that emits
/// a diagnostic.
pub fn trace_diagnostics(yes: bool) {
    TRACED.store(yes, Ordering::Relaxed);
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The compilation fails.
    Error,
    /// Suspicious input; the compilation continues.
    Warning,
    /// A transformation that a pass performed or missed.
    Remark,
    /// Additional information for the diagnostic that it is attached to.
    Note,
}

impl Severity {
    /// The keyword that is printed: `error`, `warning`, `remark` or `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        }
    }
}

/// The location of a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Place {
    /// No location.
    #[default]
    Unknown,
    /// A byte range of a file in the source map.
    Span(Span),
    /// A file name and a position; the source line is shown if the source map has a file of that name.
    Point(Arc<str>, LineCol),
    /// A file as a whole.
    File(FileId),
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Place::Span(span)
    }
}

/// A secondary location of a diagnostic, with its caption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The labeled range.
    pub span: Span,
    /// The caption of the range.
    pub message: String,
}

/// The part of an operation that a diagnostic is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The type of the operand with this index.
    Operand(usize),
    /// The type of the result with this index.
    Result(usize),
    /// The attribute with this name.
    Attribute(String),
}

/// The part of an operation that a diagnostic points at. It has no location; the renderer searches for it
/// in the source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The operation's name.
    pub operation: String,
    /// The part of the operation.
    pub part: Part,
    /// The part as printed in the source; empty if unknown.
    pub text: String,
}

/// An edit of the source that follows a help text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The help text that describes the edit.
    pub help: String,
    /// The replaced range; `None` for the misspelled word at the primary location.
    pub span: Option<Span>,
    /// The text in its place.
    pub replacement: String,
}

/// A message to the user, with its location and attachments.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The message: subject, what was expected and what was found. Lower case, without a final full stop.
    pub message: String,
    /// The primary location.
    pub place: Place,
    /// The caption under the carets; may be empty.
    pub caption: String,
    /// Secondary locations.
    pub labels: Vec<Label>,
    /// The part of the operation that the message is about, if `place` does not identify it.
    pub subject: Option<Box<Subject>>,
    /// Attached notes, each with its own location.
    pub notes: Vec<Diagnostic>,
    /// Suggestions to the user, such as "did you mean 'x'?".
    pub help: Vec<String>,
    /// The edits of those suggestions that determine one. Not rendered; editors offer them.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// Creates a diagnostic without a location.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        let mut made = Self {
            severity,
            message: message.into(),
            place: Place::Unknown,
            caption: String::new(),
            labels: Vec::new(),
            subject: None,
            notes: Vec::new(),
            help: Vec::new(),
            suggestions: Vec::new(),
        };
        if severity != Severity::Note && TRACED.load(Ordering::Relaxed) {
            made = made.note(format!("diagnostic emitted with trace:\n{}", Backtrace::force_capture()));
        }
        made
    }

    /// Creates an error.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Creates a warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// Creates a remark.
    pub fn remark(message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, message)
    }

    /// Sets the primary location.
    pub fn at(mut self, place: impl Into<Place>) -> Self {
        self.place = place.into();
        self
    }

    /// Sets the caption under the carets.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Adds a secondary location, unless it is there already with the same message.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, message: message.into() };
        if !self.labels.contains(&label) {
            self.labels.push(label);
        }
        self
    }

    /// Adds a note without a location.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Diagnostic::new(Severity::Note, message));
        self
    }

    /// Adds a note with a location.
    pub fn note_at(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        self.notes.push(Diagnostic::new(Severity::Note, message).at(place));
        self
    }

    /// Adds a suggestion to the user.
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.help.push(message.into());
        self
    }

    /// Adds the help "did you mean '...'?" if there is a suggestion.
    pub fn did_you_mean(mut self, suggestion: Option<&str>) -> Self {
        match suggestion {
            Some(name) => {
                let help = format!("did you mean '{name}'?");
                let suggestion = Suggestion { help: help.clone(), span: None, replacement: name.to_owned() };
                self.suggestions.push(suggestion);
                self.help(help)
            }
            None => self,
        }
    }

    /// Adds a suggestion to the user together with the edit that follows it.
    pub fn suggest(mut self, span: Span, replacement: impl Into<String>, help: impl Into<String>) -> Self {
        let (help, replacement) = (help.into(), replacement.into());
        self.suggestions.push(Suggestion { help: help.clone(), span: Some(span), replacement });
        self.help(help)
    }

    /// The file name, line and column of the primary location, if it has them.
    pub fn position(&self, sources: &SourceMap) -> Option<(Arc<str>, LineCol)> {
        match &self.place {
            Place::Unknown => None,
            Place::Span(span) => Some((sources.file(span.file).name().clone(), sources.line_col(*span))),
            Place::Point(name, at) => Some((name.clone(), *at)),
            Place::File(file) => Some((sources.file(*file).name().clone(), LineCol { line: 1, column: 1 })),
        }
    }
}

/// A list of diagnostics in order of emission.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Appends all diagnostics of another list.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.list.extend(other.list);
    }

    /// The number of errors.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether the list contains an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostic with this index, for adding notes.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Diagnostic> {
        self.list.get_mut(index)
    }

    /// The number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Iterates over the diagnostics in order of emission.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

/// Prints the message, the notes and the suggestions, one per line, without locations; [`render`](crate::render()) prints
/// them with their locations.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.as_str(), self.message)?;
        for note in &self.notes {
            write!(f, "\n{}: {}", note.severity.as_str(), note.message)?;
        }
        self.help.iter().try_for_each(|help| write!(f, "\nhelp: {help}"))
    }
}

impl std::error::Error for Diagnostic {}

/// Prints each diagnostic as it prints alone.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            write!(f, "{separator}{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut list = Self::new();
        list.push(diagnostic);
        list
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Self {
        let mut list = Self::new();
        iter.into_iter().for_each(|diagnostic| list.push(diagnostic));
        list
    }
}
