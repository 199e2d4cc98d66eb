//! What a rule of an operation finds, and how it becomes a diagnostic.

use crate::{Context, Loc, OpRef, Type, text};
use minoan_diag::{Diagnostic, Part, Subject};

/// A rule that an operation breaks. Made from its words alone it is an error at the operation that is checked, in MLIR's
/// form: `'name' op message`.
#[derive(Clone, Debug)]
pub struct Violation {
    message: String,
    /// Whether the message is the whole of what is said.
    bare: bool,
    /// Where it is, when not at the operation that is checked.
    loc: Option<Loc>,
    part: Option<Part>,
    /// The part of another operation.
    subject: Option<Box<Subject>>,
    notes: Vec<(Loc, String)>,
}

impl From<String> for Violation {
    fn from(message: String) -> Self {
        Self { message, bare: false, loc: None, part: None, subject: None, notes: Vec::new() }
    }
}

impl From<&str> for Violation {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// A violation whose message is to stand alone, without the operation's name before it: upstream words some of its rules
/// so.
pub fn bare(message: impl Into<String>) -> Violation {
    Violation { bare: true, ..message.into().into() }
}

impl Violation {
    /// Moves it to another operation, mostly one inside of that which is checked.
    #[must_use]
    pub fn at(mut self, op: OpRef<'_>) -> Self {
        self.loc = Some(op.loc());
        self
    }

    /// Moves it to another operation, of which the type of an operand is wrong.
    #[must_use]
    pub fn at_operand(mut self, op: OpRef<'_>, index: usize) -> Self {
        self.subject = Some(subject(op, Part::Operand(index)));
        self.at(op)
    }

    /// That an operation cannot make one type of another.
    pub fn cast(ctx: &Context, from: Type, to: Type) -> Self {
        let [from, to] = [from, to].map(|ty| text::print_type(ctx, ty));
        let message = format!("operand type '{from}' and result type '{to}' are cast incompatible");
        Self::from(message).about_result(0)
    }

    /// Says that the type of an operand is wrong, which is shown then.
    #[must_use]
    pub fn about_operand(mut self, index: usize) -> Self {
        self.part = Some(Part::Operand(index));
        self
    }

    /// Says that the type of a result is wrong, which is shown then.
    #[must_use]
    pub fn about_result(mut self, index: usize) -> Self {
        self.part = Some(Part::Result(index));
        self
    }

    /// Says that an attribute is wrong, which is shown then.
    #[must_use]
    pub(super) fn about_attribute(mut self, name: &str) -> Self {
        self.part = Some(Part::Attribute(name.to_owned()));
        self
    }

    /// Adds what is to be said of another operation.
    #[must_use]
    pub fn note(mut self, op: OpRef<'_>, message: impl Into<String>) -> Self {
        self.notes.push((op.loc(), message.into()));
        self
    }

    /// The error at an operation.
    pub(super) fn diagnostic(self, op: OpRef<'_>) -> Diagnostic {
        let Self { message, bare, loc, part, subject: other, notes } = self;
        let ctx = op.context();
        let message = if bare { message } else { format!("'{}' op {message}", op.name()) };
        let own = || part.filter(|_| loc.is_none()).map(|part| subject(op, part));
        let subject = other.or_else(own);
        let error =
            Diagnostic { subject, ..Diagnostic::error(message).at(loc.unwrap_or(place(op)).place(ctx)) };
        notes.into_iter().fold(error, |error, (loc, message)| error.note_at(loc.place(ctx), message))
    }
}

/// A part of an operation, and how its type is written.
fn subject(op: OpRef<'_>, part: Part) -> Box<Subject> {
    let ty = match part {
        Part::Operand(index) => op.operand_types().nth(index),
        Part::Result(index) => op.result_types().nth(index),
        Part::Attribute(_) => None,
    };
    let text = ty.map(|ty| text::print_type(op.context(), ty)).unwrap_or_default();
    Box::new(Subject { operation: op.name().to_owned(), part, text })
}

/// Where an operation is shown. One without a place, which a parser made, is shown where the operation around it stands.
pub(super) fn place(op: OpRef<'_>) -> Loc {
    let places = std::iter::successors(Some(op), |op| op.parent().map(|parent| op.body().op(parent)));
    places.map(|op| op.loc()).find(|&loc| loc != Loc::UNKNOWN).unwrap_or(Loc::UNKNOWN)
}

/// The violations that a rule finds, in the order in which it finds them.
#[derive(Clone, Default, Debug)]
pub struct Violations {
    list: Vec<Violation>,
}

impl Violations {
    /// Adds one.
    pub fn push(&mut self, violation: impl Into<Violation>) {
        self.list.push(violation.into());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
