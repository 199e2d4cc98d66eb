//! Aliasing of tensor results with operands, and ownership of operands.

use minoan_ir::{OpRef, service};

/// The storage of a tensor result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alias {
    /// New storage, which the result owns.
    Fresh,
    /// The storage of an operand, which remains its owner.
    ViewOf(usize),
    /// The storage of an operand, which the operation updates in place; ownership passes to the result.
    UpdateOf(usize),
    /// The storage of an operand as for [`ViewOf`](Self::ViewOf), in a layout that only some operations read; if another one uses
    /// the result, or the operand is updated before the last use, new storage.
    MayViewOf(usize),
    /// Constant storage that is neither owned nor written.
    Static,
}

/// The storage of results. Queried by `plan-buffers` and `join-kernels`. Default: every result is [`Alias::Fresh`].
pub trait AliasModel: Send + Sync {
    /// The storage of a tensor result.
    fn alias(&self, op: OpRef<'_>, result: usize) -> Alias;
    /// Whether the old contents of an updated operand are read. If not, an operand that must be preserved needs new
    /// storage but no copy.
    fn reads_updated(&self, _op: OpRef<'_>, _operand: usize) -> bool {
        true
    }

    /// Whether the operation only reads the elements of an operand, in any layout of its storage. Not queried for kernels,
    /// accesses of elements and operations over iteration domains, whose accesses are known.
    fn reads_any_layout(&self, _op: OpRef<'_>, _operand: usize) -> bool {
        false
    }

    /// If the operation inserts into the region that `slice` extracted: the inserted operand. The result of `slice` is a
    /// [`MayViewOf`](Alias::MayViewOf) of the tensor that the operation updates. If the operand is the slice itself, updated in
    /// place, there is nothing to write.
    fn writes_back(&self, _op: OpRef<'_>, _slice: OpRef<'_>) -> Option<usize> {
        None
    }

    /// Whether the operation may write `output`, an updated operand whose old contents are not read, to the storage of
    /// `input`: the iteration that writes an element of the output is the only one that reads that element of the input, before
    /// the write. The two have the same type.
    fn may_reuse(&self, _op: OpRef<'_>, _input: usize, _output: usize) -> bool {
        false
    }
}
service!(dyn AliasModel, "AliasModel", Optional);

/// The effect of an operation on the ownership of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandUse {
    /// Reads the operand without taking ownership.
    Borrow,
    /// Takes ownership: the operand is moved at its last use, and copied at other uses.
    Consume,
    /// Takes ownership of all operands with this value if this is the last use of each of them; otherwise borrows
    /// them.
    ConsumeTogether,
}

/// Ownership of operands. Queried by `plan-buffers` and the placement of reference counts. Default: operands are
/// borrowed, except those that are updated according to [`AliasModel`].
pub trait Ownership: Send + Sync {
    /// The effect on the ownership of an operand.
    fn operand(&self, op: OpRef<'_>, index: usize) -> OperandUse;
}
service!(dyn Ownership, "Ownership", Optional);
