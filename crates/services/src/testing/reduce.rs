//! Simplifications for test-case reduction.

use minoan_ir::{Body, Op, OpRef, service};

/// Simplifications of an operation that need not preserve semantics: a conditional becomes one of its branches, a
/// loop a single iteration. Queried by the test-case reducer, which rolls back a simplification that invalidates the
/// module, does not shrink it, or hides the bug. Default: the operation is only erased, or replaced by the contents
/// of its region.
pub trait Reduce: Send + Sync {
    /// The number of simplifications.
    fn n_simplifications(&self, op: OpRef<'_>) -> usize;

    /// Applies simplification `number` to the operation, in place or by replacing it. Unreachable blocks may remain.
    /// Returns `false` if nothing was done.
    fn simplify(&self, body: &mut Body, op: Op, number: usize) -> bool;
}
service!(dyn Reduce, "Reduce", Optional);
