//! Errors in an expression, with positions in its text.

use minoan_diag::{Diagnostic, FileId, Span};
use std::ops::Range;

/// A violated rule; ranges are byte offsets in the expression's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The primary range.
    pub at: Range<usize>,
    /// The message.
    pub message: String,
    /// Secondary ranges with captions.
    pub labels: Vec<(Range<usize>, String)>,
    /// A suggestion.
    pub help: Option<String>,
}

impl Problem {
    /// Creates a problem.
    pub fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), labels: Vec::new(), help: None }
    }

    /// Adds a secondary range.
    pub fn label(mut self, at: Range<usize>, message: impl Into<String>) -> Self {
        self.labels.push((at, message.into()));
        self
    }

    /// Sets the suggestion.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Converts to an error in a file in which the expression's text starts at byte `base`.
    pub fn diagnostic(&self, file: FileId, base: u32) -> Diagnostic {
        let span = |at: &Range<usize>| span(file, base, at);
        let mut error = Diagnostic::error(&*self.message).at(span(&self.at));
        for (at, message) in &self.labels {
            error = error.label(span(at), &**message);
        }
        match &self.help {
            Some(help) => error.help(&**help),
            None => error,
        }
    }
}

/// The span in the file of a range of an expression's text.
pub(crate) fn span(file: FileId, base: u32, at: &Range<usize>) -> Span {
    let end = at.end.max(at.start);
    Span::new(file, base.saturating_add(at.start as u32), base.saturating_add(end as u32))
}

/// The positions of the parts of an expression in its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// The operator.
    pub operator: Option<Range<usize>>,
    /// Each input.
    pub inputs: Vec<Range<usize>>,
    /// The output.
    pub output: Range<usize>,
    /// Each split.
    pub splits: Vec<Range<usize>>,
    /// Each element of the third segment.
    pub steps: Vec<Range<usize>>,
}

impl Places {
    /// Dimension `position` of input `input`.
    pub fn input_axis(&self, input: usize, position: usize) -> Range<usize> {
        axis_of(self.inputs.get(input), position)
    }

    /// Dimension `position` of the output.
    pub fn output_axis(&self, position: usize) -> Range<usize> {
        axis_of(Some(&self.output), position)
    }

    /// An element of the third segment.
    pub fn step(&self, index: usize) -> Range<usize> {
        self.steps.get(index).cloned().unwrap_or_else(|| self.output.clone())
    }
}

/// A pattern has one byte per dimension.
fn axis_of(pattern: Option<&Range<usize>>, position: usize) -> Range<usize> {
    pattern.map_or(0..0, |pattern| pattern.start + position..pattern.start + position + 1)
}
