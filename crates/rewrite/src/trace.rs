//! Traces of the drivers, for logging.

use minoan_ir::{Body, Op};
use std::fmt::Write as _;
use std::io::Write;

/// An event of a driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// An iteration over all operations starts.
    Iteration(u32),
    /// An operation is visited.
    Visit(Op),
    /// The operation is dead.
    Dead,
    /// The operation is a duplicate constant.
    DuplicateConstant,
    /// The operation was folded to values or in place.
    Folded {
        /// Whether the operation is kept.
        in_place: bool,
    },
    /// The operation can be folded, but a gate disables that.
    FoldSkipped,
    /// A pattern is tried.
    Try(&'a str),
    /// The pattern does not apply.
    NoMatch(Option<&'a str>),
    /// The pattern was applied.
    Applied,
    /// An operation was created or moved.
    Inserted(Op),
    /// An operation was modified in place.
    Modified(Op),
    /// The results of an operation were replaced.
    Replaced(Op),
    /// An operation was erased.
    Erased(Op),
}

/// Receives the events of a driver.
pub trait Trace {
    /// An event; `body` is in the state before an edit.
    fn event(&mut self, body: &Body, event: Event<'_>);
}

/// Logs events as a tree: operations, the patterns that are tried on them, and the edits of these.
///
/// ```text
/// arith.addi #4
///   fold: no
///   pattern 'add-of-sub': operand 0 is not a subtraction
///   pattern 'add-of-add': applied
///     insert arith.addi #9
///     replace arith.addi #4
///     erase arith.addi #4
/// ```
pub struct TreeLog<W: Write> {
    out: W,
    /// The edits of the current pattern, which are printed below its line once its outcome is known.
    edits: String,
    pattern: String,
}

impl<W: Write> TreeLog<W> {
    /// Creates a log that writes to a stream. Errors of the stream are ignored, so that logging does not affect the
    /// run.
    pub fn new(out: W) -> Self {
        Self { out, edits: String::new(), pattern: String::new() }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn edit(&mut self, body: &Body, what: &str, op: Op) {
        let name = body.op(op).name();
        let _ = writeln!(self.edits, "    {what} {name} #{}", op.index());
    }

    fn edits(&mut self) {
        let _ = self.out.write_all(self.edits.as_bytes());
        self.edits.clear();
    }
}

impl<W: Write> Trace for TreeLog<W> {
    fn event(&mut self, body: &Body, event: Event<'_>) {
        match event {
            Event::Iteration(iteration) => self.line(&format!("iteration {iteration}")),
            Event::Visit(op) => self.line(&format!("{} #{}", body.op(op).name(), op.index())),
            Event::Dead => {
                self.line("  dead");
                self.edits();
            }
            Event::DuplicateConstant => self.line("  the same constant is there already"),
            Event::Folded { in_place } => {
                self.line(if in_place { "  fold: changed in place" } else { "  fold: to known values" });
                self.edits();
            }
            Event::FoldSkipped => self.line(&format!("  fold: {}", crate::SKIPPED)),
            Event::Try(name) => self.pattern = name.to_owned(),
            Event::NoMatch(reason) => {
                let line = format!("  pattern '{}': {}", self.pattern, reason.unwrap_or("no match"));
                self.line(&line);
                self.edits();
            }
            Event::Applied => {
                let line = format!("  pattern '{}': applied", self.pattern);
                self.line(&line);
                self.edits();
            }
            Event::Inserted(op) => self.edit(body, "insert", op),
            Event::Modified(op) => self.edit(body, "modify", op),
            Event::Replaced(op) => self.edit(body, "replace", op),
            Event::Erased(op) => self.edit(body, "erase", op),
        }
    }
}
