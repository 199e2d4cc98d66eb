//! What is said: severity, message, place, labels, notes, help.

use crate::{FileId, LineCol, SourceMap, Span};
use std::backtrace::Backtrace;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static TRACED: AtomicBool = AtomicBool::new(false);

/// Whether every diagnostic gets a note of the calls that made it, in the whole process. For finding out which code says
/// something; they are not to begin with.
pub fn trace_diagnostics(yes: bool) {
    TRACED.store(yes, Ordering::Relaxed);
}

/// How grave a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The run fails.
    Error,
    /// Suspicious, but the run goes on.
    Warning,
    /// What a pass did or could not do.
    Remark,
    /// More about the diagnostic that it is attached to.
    Note,
}

impl Severity {
    /// The word that is printed: `error`, `warning`, `remark`, `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        }
    }
}

/// Where a diagnostic points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Place {
    /// Nowhere in particular.
    #[default]
    Unknown,
    /// A range of a file that is in the source map.
    Span(Span),
    /// A position by name; the source line is shown when a file of that name is in the source map.
    Point(Arc<str>, LineCol),
    /// A file as a whole.
    File(FileId),
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Place::Span(span)
    }
}

/// A second place that belongs to the diagnostic, with what is to be said there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What stands there.
    pub message: String,
}

/// What of an operation a diagnostic is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The type of the operand with a number.
    Operand(usize),
    /// The type of the result with a number.
    Result(usize),
    /// The attribute of a name.
    Attribute(String),
}

/// A part of the operation that a diagnostic points at. It has no place of its own: it can be looked for in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The operation's name.
    pub operation: String,
    /// Which part.
    pub part: Part,
    /// How it is written; empty when that is not known.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// Subject, expectation, what was found. No final full stop, no capital.
    pub message: String,
    /// Where it points.
    pub place: Place,
    /// What to write under the carets; empty for nothing.
    pub caption: String,
    /// Further places in the same message.
    pub labels: Vec<Label>,
    /// What it is about, where no place says it.
    pub subject: Option<Box<Subject>>,
    /// Notes, each with a place of its own.
    pub notes: Vec<Diagnostic>,
    /// What the user can do: "did you mean 'x'?".
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without a place.
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
        };
        if severity != Severity::Note && TRACED.load(Ordering::Relaxed) {
            made = made.note(format!("diagnostic emitted with trace:\n{}", Backtrace::force_capture()));
        }
        made
    }

    /// An error.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// A remark.
    pub fn remark(message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, message)
    }

    /// Points it at a place.
    pub fn at(mut self, place: impl Into<Place>) -> Self {
        self.place = place.into();
        self
    }

    /// Writes `caption` under the carets.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Adds a second place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a note without a place.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Diagnostic::new(Severity::Note, message));
        self
    }

    /// Adds a note with a place.
    pub fn note_at(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        self.notes.push(Diagnostic::new(Severity::Note, message).at(place));
        self
    }

    /// Says what the user can do.
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.help.push(message.into());
        self
    }

    /// Adds "did you mean '...'?" when there is a suggestion.
    pub fn did_you_mean(self, suggestion: Option<&str>) -> Self {
        match suggestion {
            Some(name) => self.help(format!("did you mean '{name}'?")),
            None => self,
        }
    }

    /// The file name, line and column it points at, where it has one.
    pub fn position(&self, sources: &SourceMap) -> Option<(Arc<str>, LineCol)> {
        match &self.place {
            Place::Unknown => None,
            Place::Span(span) => Some((sources.file(span.file).name().clone(), sources.line_col(*span))),
            Place::Point(name, at) => Some((name.clone(), *at)),
            Place::File(file) => Some((sources.file(*file).name().clone(), LineCol { line: 1, column: 1 })),
        }
    }
}

/// Diagnostics in the order in which they were found.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.list.extend(other.list);
    }

    /// How many of them are errors.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The one with this number, in the order found, to add to it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Diagnostic> {
        self.list.get_mut(index)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// In the order found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

/// The words alone, a line each; [`render`](crate::render()) shows one with its place.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.iter().flat_map(|one| {
            let one_line = |of: &Diagnostic| format!("{}: {}", of.severity.as_str(), of.message);
            let notes = one.notes.iter().map(one_line);
            let help = one.help.iter().map(|help| format!("help: {help}"));
            [one_line(one)].into_iter().chain(notes).chain(help).collect::<Vec<_>>()
        });
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
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
