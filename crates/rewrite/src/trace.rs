//! What the driver does, for a log.

use minoan_ir::{Body, Op};
use std::fmt::Write as _;
use std::io::Write;

/// One thing that the driver did, or tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// A round over all operations begins.
    Round(u32),
    /// An operation is looked at.
    Visit(Op),
    /// The operation was dead.
    Dead,
    /// The operation was a constant that there is already.
    DuplicateConstant,
    /// The operation folded to values, or changed in place.
    Folded {
        /// Whether it is still there.
        in_place: bool,
    },
    /// The operation would fold, but a gate leaves that out.
    LeftOut,
    /// A pattern is tried.
    Try(&'a str),
    /// The pattern did not apply.
    NoMatch(Option<&'a str>),
    /// The pattern applied.
    Applied,
    /// An operation was created, or moved.
    Inserted(Op),
    /// An operation changed in place.
    Modified(Op),
    /// The results of an operation were replaced.
    Replaced(Op),
    /// An operation was erased.
    Erased(Op),
}

/// Hears of every event.
pub trait Trace {
    /// Something happened; `body` is as it was before an edit.
    fn event(&mut self, body: &Body, event: Event<'_>);
}

/// Writes events as a tree: operations, below them the patterns that are tried, below these the edits.
///
/// ```text
/// arith.addi #4
///   fold: no
///   pattern 'add-of-sub': operand 0 is no subtraction
///   pattern 'add-of-add': applied
///     insert arith.addi #9
///     replace arith.addi #4
///     erase arith.addi #4
/// ```
pub struct TreeLog<W: Write> {
    out: W,
    /// Edits of the pattern that is being tried: they stand below its line, which comes when its end is known.
    edits: String,
    pattern: String,
}

impl<W: Write> TreeLog<W> {
    /// To a stream. Errors of the stream are ignored: a log must not stop what it is about.
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
            Event::Round(round) => self.line(&format!("round {round}")),
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
            Event::LeftOut => self.line(&format!("  fold: {}", crate::LEFT_OUT)),
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
