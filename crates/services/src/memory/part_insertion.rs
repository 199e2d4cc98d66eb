//! Replacement of a part of a tensor.

use minoan_ir::{Builder, Op, OpRef, Value, service};

/// The operands of an operation that replaces a part of a tensor, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// The new part.
    pub part: usize,
    /// The tensor in which a part is replaced.
    pub whole: usize,
}

/// Operations whose only result is a tensor with a part of it replaced. Queried by `eliminate-empty-tensors`. Default: the
/// operation replaces no part.
pub trait PartInsertion: Send + Sync {
    /// The operands.
    fn insertion(&self, op: OpRef<'_>) -> Insertion;
    /// Creates the part of `whole`, which has the type of the whole of the operation, that the operation replaces.
    fn part(&self, b: &mut Builder<'_>, op: Op, whole: Value) -> Value;
}
service!(dyn PartInsertion, "PartInsertion", Optional);
