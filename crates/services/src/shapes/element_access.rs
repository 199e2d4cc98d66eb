//! Operations that read or write a single element.

use minoan_ir::{OpRef, service};
use std::ops::Range;

/// The access of an operation to one element of a tensor or buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The operand that is the tensor or buffer.
    pub container: usize,
    /// The operands that are the indices.
    pub indices: Range<usize>,
    /// The stored operand; `None` for a load, whose first result is the element. The first result of a store to a tensor is
    /// the updated tensor.
    pub stored: Option<usize>,
}

/// Operations that read or write the element at given indices. Queried by `raise-loops`, `slice-reads` and scheduling. Default:
/// the operation may access any element.
pub trait ElementAccess: Send + Sync {
    /// The access; `None` if it is not to exactly one element.
    fn access(&self, op: OpRef<'_>) -> Option<Access>;
}
service!(dyn ElementAccess, "ElementAccess", Optional);

/// A constant access, independent of attributes, with the indices up to the last operand: `stored, container, indices`
/// or `container, indices`.
#[derive(Clone, Copy, Debug)]
pub struct TrailingIndices {
    /// Whether the first operand is written.
    pub stores: bool,
}

impl ElementAccess for TrailingIndices {
    fn access(&self, op: OpRef<'_>) -> Option<Access> {
        let container = usize::from(self.stores);
        Some(Access { container, indices: container + 1..op.n_operands(), stored: self.stores.then_some(0) })
    }
}
