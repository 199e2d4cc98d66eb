//! Where the contents of a result live, and who owns the operands.

use minoan_ir::{OpRef, service};

/// Where the contents of a tensor result live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alias {
    /// In storage of its own, which the result owns.
    Fresh,
    /// In the storage of an operand, which stays its owner.
    ViewOf(usize),
    /// In the storage of an operand, which the operation changes and the result takes over.
    UpdateOf(usize),
    /// In storage that nobody owns and nobody changes: a constant of the program.
    Static,
}

/// Where results live. Asked by the planning of buffers; without an answer every result is [`Alias::Fresh`].
pub trait AliasModel: Send + Sync {
    /// Where a tensor result lives.
    fn alias(&self, op: OpRef<'_>, result: usize) -> Alias;
    /// Whether the old contents of an operand that is updated are read. When they are not, an operand that must
    /// stay unchanged needs no copy, only new storage.
    fn reads_updated(&self, _op: OpRef<'_>, _operand: usize) -> bool {
        true
    }
}
service!(dyn AliasModel, "AliasModel", Optional);

/// What an operation does with the ownership of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandUse {
    /// Reads it; the owner stays the owner.
    Borrow,
    /// Takes it over: it is moved in at its last use, and copied where it is needed again.
    Consume,
    /// Takes over all operands of which it says this, where none of them is needed again; borrows them otherwise.
    ConsumeTogether,
}

/// Which operands an operation takes over. Asked by the planning of buffers and of reference counts; without an
/// answer all are borrowed, except those that [`AliasModel`] says are updated.
pub trait Ownership: Send + Sync {
    /// What happens with an operand.
    fn operand(&self, op: OpRef<'_>, index: usize) -> OperandUse;
}
service!(dyn Ownership, "Ownership", Optional);
