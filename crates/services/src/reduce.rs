//! Simpler forms of operations.

use minoan_ir::{Body, Op, OpRef, service};

/// Simpler forms of an operation, which need not compute the same: a condition becomes one of its ways, a loop what it does
/// once. Asked by whoever makes a module small that shows a bug, and takes back what makes the module invalid, what leaves it
/// no smaller, and what hides the bug; without an answer an operation is only erased, or replaced by what is inside of it.
pub trait Reduce: Send + Sync {
    /// How many simpler forms there are.
    fn ways(&self, op: OpRef<'_>) -> usize;

    /// Gives the operation, or puts in its place, simpler form number `way`. Blocks to which nothing leads any more may
    /// stay. `false` where nothing was done.
    fn simplify(&self, body: &mut Body, op: Op, way: usize) -> bool;
}
service!(dyn Reduce, "Reduce", Optional);
