//! Choices between two values.

use minoan_ir::{OpRef, Value, service};

/// The operands of an operation that chooses between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The condition.
    pub condition: Value,
    /// The result if the condition holds.
    pub yes: Value,
    /// The result otherwise.
    pub no: Value,
}

/// Operations whose result is one of two operands. Queried by kernels, to find the points at which the term of a reduction is the
/// neutral element, by dialect conversion, and by derivatives, to keep the terms that are not selected zero. Default: the operation is
/// not a select.
pub trait SelectLike: Send + Sync {
    /// The operands; `None` if the operation does not choose by one condition.
    fn choice(&self, op: OpRef<'_>) -> Option<Choice>;
}
service!(dyn SelectLike, "SelectLike", Optional);
