//! Violations of an operation's rules, and their conversion to diagnostics.

use crate::{Context, Loc, OpRef, Type, text};
use minoan_diag::{Diagnostic, Part, Subject};

/// A violation. Created from a message, it is an error at the verified operation in MLIR's form: `'name' op message`.
#[derive(Clone, Debug)]
pub struct Violation {
    message: String,
    /// Whether the message is printed without a prefix.
    bare: bool,
    /// The location, if it is not that of the verified operation.
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

/// A violation whose message is printed without the operation's name, as upstream does for some rules.
pub fn bare(message: impl Into<String>) -> Violation {
    Violation { bare: true, ..message.into().into() }
}

impl Violation {
    /// Moves the violation to another operation, usually a nested one.
    #[must_use]
    pub fn at(mut self, op: OpRef<'_>) -> Self {
        self.loc = Some(op.loc());
        self
    }

    /// Moves the violation to another operation, whose operand type is wrong.
    #[must_use]
    pub fn at_operand(mut self, op: OpRef<'_>, index: usize) -> Self {
        self.subject = Some(subject(op, Part::Operand(index)));
        self.at(op)
    }

    /// A violation for an invalid cast.
    pub fn cast(ctx: &Context, from: Type, to: Type) -> Self {
        let [from, to] = [from, to].map(|ty| text::print_type(ctx, ty));
        let message = format!("operand type '{from}' and result type '{to}' are cast incompatible");
        Self::from(message).about_result(0)
    }

    /// Sets the subject to the type of an operand, which is then shown.
    #[must_use]
    pub fn about_operand(mut self, index: usize) -> Self {
        self.part = Some(Part::Operand(index));
        self
    }

    /// Sets the subject to the type of a result, which is then shown.
    #[must_use]
    pub fn about_result(mut self, index: usize) -> Self {
        self.part = Some(Part::Result(index));
        self
    }

    /// Sets the subject to an attribute, which is then shown.
    #[must_use]
    pub(super) fn about_attribute(mut self, name: &str) -> Self {
        self.part = Some(Part::Attribute(name.to_owned()));
        self
    }

    /// Adds a note at another operation.
    #[must_use]
    pub fn note(mut self, op: OpRef<'_>, message: impl Into<String>) -> Self {
        self.notes.push((op.loc(), message.into()));
        self
    }

    /// Converts to an error at an operation.
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

/// A part of an operation, with its type as printed.
fn subject(op: OpRef<'_>, part: Part) -> Box<Subject> {
    let ty = match part {
        Part::Operand(index) => op.operand_types().nth(index),
        Part::Result(index) => op.result_types().nth(index),
        Part::Attribute(_) => None,
    };
    let text = ty.map(|ty| text::print_type(op.context(), ty)).unwrap_or_default();
    Box::new(Subject { operation: op.name().to_owned(), part, text })
}

/// The location of an operation in diagnostics: that of its parent if the operation has none, since a parser added
/// it.
pub(super) fn place(op: OpRef<'_>) -> Loc {
    let places = std::iter::successors(Some(op), |op| op.parent().map(|parent| op.body().op(parent)));
    places.map(|op| op.loc()).find(|&loc| loc != Loc::UNKNOWN).unwrap_or(Loc::UNKNOWN)
}

/// Returns an error from a verifier, or from any function whose error can be made from a `String`, unless a condition holds.
///
/// ```
/// use minoan_ir::{Context, ensure};
///
/// fn verify_num(_: &Context, fraction: u32) -> Result<(), String> {
///     ensure!(fraction <= 30, "a number has at most 30 fractional bits, not {fraction}");
///     Ok(())
/// }
/// assert!(verify_num(&Context::bare(), 31).is_err());
/// ```
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return ::core::result::Result::Err(::core::convert::From::from(::std::format!($($message)+)));
        }
    };
}

/// The violations found by a rule, in order.
#[derive(Clone, Default, Debug)]
pub struct Violations {
    list: Vec<Violation>,
}

impl Violations {
    /// Appends a violation.
    pub fn push(&mut self, violation: impl Into<Violation>) {
        self.list.push(violation.into());
    }

    /// The number of violations.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no violations.
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
